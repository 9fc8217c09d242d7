/** How far one name may stand for another: words they share, shortened words, letters. For repairs that dare. */

/** Beyond this a name is cut: no engine has longer ones. */
const LONGEST = 128;

/** 1 for names that differ in case, spaces and `_` alone, 0 for nothing in common. Symmetric. */
export function nameLikeness(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length === 0 || b.length === 0) return 0;
  if (a.join('') === b.join('')) return 1;
  return Math.max(wordLikeness(a, b), pairLikeness(a.join(''), b.join('')));
}

/**
 * The same for a column of a table: `constructorName` of constructors may be its `name`, and `id` of client its
 * `client_id`.
 */
export function columnLikeness(written: string, column: string, table: string): number {
  const own = new Set(wordsOf(table));
  const without = (name: string) => wordsOf(name).filter((word) => !own.has(word));
  const [a, b] = [without(written), without(column)];
  const isSame = a.length > 0 && a.join('') === b.join('');
  return Math.max(nameLikeness(written, column), isSame ? SAME_BUT_TABLE : 0);
}

const SAME_BUT_TABLE = 0.9;

/** Words in lower case and singular: `First Names`, `first_name` and `firstName` are two. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, LONGEST)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(singular);
}

function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || word.length < 4) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=[sxz]|ch|sh)es$|s$/, '');
}

/** Shared words count whole, a word and its beginning (`dept`, `departm…`) half. */
function wordLikeness(a: readonly string[], b: readonly string[]): number {
  const shared = a.reduce((sum, word) => sum + Math.max(0, ...b.map((other) => sameWord(word, other))), 0);
  return Math.min(0.95, (2 * shared) / (a.length + b.length));
}

function sameWord(one: string, other: string): number {
  if (one === other) return 1;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < 2 || short[0] !== long[0]) return 0;
  return long.startsWith(short) ? 0.75 : isShortened(short, long) ? 0.5 : 0;
}

/** Letters of the longer word in their order: `qty` of quantity. */
function isShortened(short: string, long: string): boolean {
  if (short.length < 3 || short.length > long.length - 2) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}

/** Dice's share of the pairs of letters. */
function pairLikeness(a: string, b: string): number {
  const [pairsA, pairsB] = [pairsOf(a), pairsOf(b)];
  const shared = [...pairsA].filter((pair) => pairsB.has(pair)).length;
  const all = pairsA.size + pairsB.size;
  return all === 0 ? 0 : (2 * shared) / all;
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}
