/** How alike names are: how far one may stand for another, and which are nearest to one that does not exist. */
import { compareText } from '../lib/index.ts';
import { singularOf } from './inflection.ts';
import { nameWords } from './split-words.ts';

/** No engine has longer names; what is longer is nobody's slip of the pen, and edits are counted letter by letter. */
const LONGEST = 128;

/** Up to `limit` candidates near to `word`, nearest first: `nearestNames('nmae', ['age', 'name'], 1)` → `['name']`. */
export function nearestNames(word: string, candidates: Iterable<string>, limit: number): readonly string[] {
  if (word.length > LONGEST) return [];
  const wanted = spoken(word);
  return [...new Set(candidates)]
    .map((name) => ({ name, distance: nameDistance(wanted, spoken(name)) }))
    .filter(({ distance }) => distance < 0.5)
    .sort((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** The name as its words. */
function spoken(name: string): string {
  return nameWords(name).join(' ');
}

/** 0 for equal names, 1 for nothing in common. */
function nameDistance(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 0;
  // Texts of very unlike length are more than half of their letters apart.
  const isNear = Math.abs(a.length - b.length) < longest / 2;
  return Math.min(isNear ? editDistance(a, b) / longest : 1, wordDistance(a, b));
}

/** Names that share whole words are near, however long the rest is: `customer_id` and `id_of_customer`. */
function wordDistance(a: string, b: string): number {
  const left = new Set(a.split(' '));
  const right = new Set(b.split(' '));
  const shared = [...left].filter((word) => right.has(word)).reduce((sum, word) => sum + word.length, 0);
  const total = [...new Set([...left, ...right])].reduce((sum, word) => sum + word.length, 0);
  // A little above the edit distance of equal quality, so that a typing error wins.
  return total === 0 ? 1 : 1 - (shared / total) * 0.95;
}

/** Edits between two texts where a swap of neighbours counts as one (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const best = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + cost,
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
      next.push(best);
    }
    beforeLast = last;
    last = next;
  }
  return last[b.length] ?? 0;
}

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
  return Math.max(nameLikeness(written, column), isSameButTable(written, column, table) ? SAME_BUT_TABLE : 0);
}

/** Both say the same once the words of the table are taken off. */
function isSameButTable(written: string, column: string, table: string): boolean {
  const own = new Set(wordsOf(table));
  const without = (name: string) =>
    wordsOf(name)
      .filter((word) => !own.has(word))
      .join('');
  return without(written) !== '' && without(written) === without(column);
}

/** `c`, `cu`, `od` and `OD2` for a table called `order_details` or `customers`: an alias that would be natural. */
export function mayAbbreviate(alias: string, table: string): boolean {
  const letters = alias.toLowerCase().replace(/[^\p{L}]/gu, '');
  const words = wordsOf(table);
  const initials = words.map(([first]) => first).join('');
  return letters !== '' && (words.join('').startsWith(letters) || initials === letters);
}

const SAME_BUT_TABLE = 0.9;

/** Words in lower case and singular: `First Names`, `first_name` and `firstName` are two. */
function wordsOf(name: string): readonly string[] {
  return nameWords(name.slice(0, LONGEST)).map(singularOf);
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
