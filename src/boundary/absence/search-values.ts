import type { Catalog } from '../../catalog/index.ts';
import { foldValue, type ValueIndex } from '../../knowledge/values/index.ts';
import { breakWords, editDistance, lemmaOf } from '../../language/index.ts';
import type { GroundedKnowledge } from '../../reasoning/grounded/index.ts';

/** One slip of the pen in so many letters. */
const LETTERS_OF_A_SLIP = 5;
const SHORTEST_NAME = 4;
const SHORTEST_WORD = 5;
const MOST_CUT = 2;
const MOST_SIMILAR = 20;
const MOST_CONTAINING = 20;
/** What is longer is a sentence or a list. */
const LONGEST_NAME = 60;
/** The words themselves, whatever their case and accents; below it another form of them. */
const ITSELF = 0.96;

/** Stored values that are the words, are written like them, or have them among their own. */
export function searchValues(text: string, sources: AbsenceSources): readonly NearName[] {
  const { knowledge, values } = sources;
  const named = (columnId: string, value: string | number, how: Likeness): NearName =>
    nearValue(columnId, value, how, knowledge);
  const stored = searchStored(text, sources);
  const literal = values.lookupLiteral(text).map(({ columnId, value }) => named(columnId, value, 'same'));
  const spelt = values
    .similar(text, { limit: MOST_SIMILAR })
    .filter(({ value }) => isOtherSpelling(text, value))
    .map(({ columnId, value }) => named(columnId, value, 'spelling'));
  // “managers” are in “General Manager”, too.
  const within = [...new Set([text, lemmaOf(text.toLowerCase())])]
    .flatMap((form) => values.containing(form, { limit: MOST_CONTAINING }))
    .filter(({ value }, at) => at === 0 || value.length <= LONGEST_NAME)
    .map(({ columnId, value }) => named(columnId, value, 'part'));
  const codes = searchCodes(text, knowledge.catalog).map(({ columnId, value }) =>
    named(columnId, value, 'part'),
  );
  return [...stored, ...literal, ...spelt, ...within, ...codes];
}

/** Stored values that are the words, or stand for them. */
export function searchStored(
  text: string,
  { knowledge }: Pick<AbsenceSources, 'knowledge'>,
): readonly NearName[] {
  return knowledge
    .lookupValue(text)
    .map(({ columnId, value, score, why }) =>
      nearValue(
        columnId,
        value,
        why.startsWith('“') ? 'synonym' : score >= ITSELF ? 'same' : 'plural',
        knowledge,
      ),
    );
}

export function nearValue(
  columnId: string,
  value: string | number,
  how: Likeness,
  { catalog }: GroundedKnowledge,
): NearName {
  const text = String(value);
  return { text, shown: text, what: `a value of ${shownColumn(columnId, catalog)}`, how };
}

/** “Germny” for “Germany”: a slip in five letters at most, or the last two are missing; the first letter is the same. */
export function isOtherSpelling(text: string, name: string): boolean {
  const [word, other] = [foldValue(text), foldValue(name)];
  // A short word of everyday English is near to anything; a short name is written with a capital.
  const shortest = /^\p{Lu}/u.test(text) ? SHORTEST_NAME : SHORTEST_WORD;
  if (word.length < shortest || word[0] !== other[0]) return false;
  if (other.startsWith(word) && other.length - word.length <= MOST_CUT) return true;
  const slips = Math.max(1, Math.floor(word.length / LETTERS_OF_A_SLIP));
  return Math.abs(word.length - other.length) <= slips && editDistance(word, other) <= slips;
}

const CODE = /^\p{Lu}{2,4}$/u;

/** Codes that stand for the word: `EXP` for “express”, `DMG` for “damages”, `QC` for “Quebec”. */
function searchCodes(text: string, { tables }: Catalog): readonly { columnId: string; value: string }[] {
  if (!/^\p{L}{4,}$/u.test(text)) return [];
  const word = text.toLowerCase();
  return tables.flatMap(({ columns }) =>
    columns.flatMap(({ id, profile }) =>
      (profile?.allValues ?? profile?.examples ?? [])
        .filter((value) => CODE.test(value) && isCodeOf(word, value.toLowerCase()))
        .map((value) => ({ columnId: id, value })),
    ),
  );
}

function isCodeOf(word: string, code: string): boolean {
  if (code.length > 2) return word.startsWith(code) || isSkeleton(word, code);
  return word.at(-1) === code.at(-1) && isSkeleton(word, code);
}

/** `svc` of “service”: the same first letter, no vowel, and every letter of it in its order. */
export function isSkeleton(word: string, part: string): boolean {
  if (word[0] !== part[0] || /[aeiou]/.test(part)) return false;
  let at = -1;
  for (const letter of part) {
    at = word.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

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

/** Where words of a question are looked for. */
export interface AbsenceSources {
  readonly knowledge: GroundedKnowledge;
  readonly values: ValueIndex;
}

/** A column as the engine spells it, behind its table: `Customer.Country`. */
export function shownColumn(columnId: string, { tables }: Catalog): string {
  for (const { name, columns } of tables) {
    const column = columns.find(({ id }) => id === columnId);
    if (column !== undefined) return `${name}.${column.name}`;
  }
  return columnId;
}

export function shownTable(tableId: string, { tables }: Catalog): string {
  return tables.find(({ id }) => id === tableId)?.name ?? tableId;
}

/** A name as people say it: `unit_price` → `unit price`. */
export function spoken(name: string): string {
  return breakWords(name)
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();
}
