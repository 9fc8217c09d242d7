/** Columns whose names say that they are keys: what joins tables where nothing is declared. */

import type { Column, Table } from '../../../catalog/index.ts';
import { nameWords } from '../../../language/index.ts';

const KEY_WORDS: ReadonlySet<string> = new Set(
  'id ids key keys uuid guid sk pk fk code barcode identifier number fips zip accession'.split(' '),
);
/** `PRODUCTID` is written without a blank; these are words of their own. */
const GLUED_KEY = /^\p{L}{2,}(?:id|key)$/u;
const NO_KEYS: ReadonlySet<string> = new Set(
  'android asteroid avoid covid fluid grid hockey humid hybrid invalid liquid paid solid turkey unpaid valid void'.split(
    ' ',
  ),
);
/** A name of nothing but these means the row of its own table: `id` of `patents` is the `patent_id` of others. */
const OWN_WORDS: ReadonlySet<string> = new Set([...KEY_WORDS, 'row', 'record', 'object', 'index', 'idx']);

/** What columns that may be the same key have in common: database, name without blanks, kind of value. Undefined: no key. */
export function keyName(column: Column, table: Table | undefined): string | undefined {
  const words = nameWords(column.name);
  const last = words.at(-1) ?? '';
  const isKey =
    KEY_WORDS.has(last) ||
    (GLUED_KEY.test(last) && !NO_KEYS.has(last)) ||
    column.profile?.semanticClass === 'key' ||
    table?.primaryKey.includes(column.id) === true;
  if (!isKey) return undefined;
  const isOwn = words.every((word) => OWN_WORDS.has(word));
  const name = [...(isOwn ? thingOf(table) : []), ...words].join('');
  // `users` with both an `id` and a `user_id` is joined by the latter.
  if (isOwn && table?.columns.some((other) => nameWords(other.name).join('') === name)) return undefined;
  return `${table?.catalog?.toLowerCase() ?? ''} ${name} ${column.family}`;
}

/** The words of a table's name in the singular: `order_items` → `order`, `item`. */
function thingOf(table: Table | undefined): string[] {
  const words = nameWords(table?.name ?? '');
  const singular = words
    .at(-1)
    ?.replace(/ies$/, 'y')
    .replace(/(?<![su])s$/, '');
  return singular === undefined ? [] : [...words.slice(0, -1), singular];
}
