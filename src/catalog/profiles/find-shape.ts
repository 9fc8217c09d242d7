import type { ColumnStatistics } from '../schema/catalog.ts';

/** Characters of a form; a longer one says nothing any more. */
const LONGEST_FORM = 24;

/**
 * The commonest form of texts, weighted by how often each stands there: letters as `A` and `a`, digits as `9`, a run
 * of more than four as `A+`; the rest as it is. `findShape([['ABC-123', 2], ['XYZ-9', 1]])` → `AAA-999`, share 2/3.
 */
export function findShape(
  texts: readonly (readonly [text: string, count: number])[],
): ColumnStatistics['shape'] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [text, count] of texts) {
    const form = shapeOf(text);
    counts.set(form, (counts.get(form) ?? 0) + count);
    total += count;
  }
  let best: readonly [string, number] | undefined;
  for (const entry of counts) if (best === undefined || entry[1] > best[1]) best = entry;
  if (best === undefined || best[0].length > LONGEST_FORM) return undefined;
  return { form: best[0], share: best[1] / total };
}

function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, (letter) => (letter === 'A' ? 'A' : 'a'))
    .replace(/\p{N}/gu, '9')
    .replace(/A{5,}|a{5,}|9{5,}/g, (run) => `${run[0]}+`);
}
