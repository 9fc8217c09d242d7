/** How what is known here came to be near some words of a question, the nearest first. */
const LIKENESSES = ['same', 'plural', 'spelling', 'synonym', 'part', 'description', 'related'] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** A name or a stored value that words of a question may mean. */
export interface NearName {
  /** What may stand in the question in place of the words. */
  readonly text: string;
  /** As lists show it: `Germany`, `Invoice.Total`, `revenue`. */
  readonly shown: string;
  /** What it is: `a value of Customer.Country`, `a table`. */
  readonly what: string;
  readonly how: Likeness;
}

/** The nearest first, each once. */
export function sortNear(found: readonly NearName[]): readonly NearName[] {
  const sorted = [...found].sort((a, b) => LIKENESSES.indexOf(a.how) - LIKENESSES.indexOf(b.how));
  const seen = new Set<string>();
  return sorted.filter(({ shown }) => {
    const key = shown.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
