import type { Column, Table } from './catalog.ts';
import { foldTable, KEY_WORDS, singular } from './key-words.ts';
import { nameWords } from './name-words.ts';

/** `aid` of authors: the beginning of the table's name and what says that it is a key. */
const SHORT_KEY = /^(\p{L}{1,3})id$/u;
const LONGEST_SHORT_KEY = 5;

export interface FoundKey {
  readonly column: Column;
  /** The column is named as the key of just this table. */
  readonly isNamed: boolean;
}

/**
 * The key of a table that declares none: a column named like a key whose values are all different. Its name may be the
 * key word alone, or that with the table's name (`author_id`, `authorid`), its end (`offering_id` of course offerings)
 * or beginning (`aid`); else the name of the thing is its key (`state_name`), and last a first column that names
 * something (`city_name` of `geographic`).
 */
export function findKeyColumn(table: Table): FoundKey | undefined {
  const unique = table.columns.filter(isUnique);
  const own = foldTable(table.name);
  const plain = unique.find((column) => isNamedKey(column, own));
  if (plain !== undefined) return { column: plain, isNamed: true };
  // A table of nothing but keys only links others.
  if (table.columns.length > 1 && table.columns.every(({ name }) => /(?:id|key|code)$/i.test(name)))
    return undefined;
  const short = unique.find(({ name }) => isShortKey(name.toLowerCase(), own));
  if (short !== undefined) return { column: short, isNamed: true };
  const named = unique.find((column) => isNameOf(column, own));
  if (named !== undefined) return { column: named, isNamed: true };
  const last = singular(nameWords(table.name).at(-1) ?? '');
  const [first] = table.columns;
  const column =
    unique.find((it) => isNamedKey(it, last)) ?? unique.find((it) => it === first && isNameOf(it));
  return column && { column, isNamed: false };
}

function isNamedKey({ name }: Column, own: string): boolean {
  const words = nameWords(name);
  const [only = ''] = words;
  if (words.length === 1) return KEY_WORDS.has(only) || only === `${own}id`;
  const stem = KEY_WORDS.has(words.at(-1) ?? '') ? words.slice(0, -1).join('') : undefined;
  return stem !== undefined && singular(stem) === own;
}

function isShortKey(name: string, own: string): boolean {
  const begins = SHORT_KEY.exec(name)?.[1];
  return name.length <= LONGEST_SHORT_KEY && begins !== undefined && own.startsWith(begins);
}

/** `state_name` of states; of any table when no name is asked for. */
function isNameOf({ name, family }: Column, own?: string): boolean {
  const words = nameWords(name);
  if (family !== 'text' || words.length < 2 || words.at(-1) !== 'name') return false;
  return own === undefined || singular(words.slice(0, -1).join('')) === own;
}

/** In all the rows looked at no value stands twice and none is missing. */
function isUnique({ profile }: Column): boolean {
  if (profile === undefined || profile.nullCount > 0 || profile.distinctCount < 2) return false;
  const expected = profile.sampledBy === undefined ? profile.scannedRows : (profile.countedRows ?? 0);
  return (profile.distinctEstimate ?? profile.distinctCount) >= expected;
}
