import type { Column, Table } from '../../../../catalog/index.ts';
import { splitName } from '../../../../language/index.ts';

/** The columns that name a row for people: a name or title, first and last name, else what describes it, else the key. */
export function displayColumns(table: Table, declared?: string): readonly Column[] {
  const named = table.columns.find((column) => column.id === declared);
  if (named !== undefined) return [named];
  const words = table.columns.map((column) => ({ column, words: splitName(column.name) }));
  const tableWords = splitName(table.name);
  const first = words.find((entry) => FIRST_NAME.test(entry.words.join(' ')));
  const last = words.find((entry) => LAST_NAME.test(entry.words.join(' ')));
  const rank = (entry: { readonly column: Column; readonly words: readonly string[] }): number => {
    const bare = entry.words.filter((word) => !tableWords.includes(word)).join(' ');
    return (
      ['name', 'full name', 'title', ''].indexOf(bare) + 1 ||
      (entry.words.at(-1) === 'name' || isShortName(entry.column)
        ? 5
        : entry.words.at(-1) === 'title'
          ? 6
          : 99)
    );
  };
  const best = words.filter((entry) => entry.column.family === 'text').sort((a, b) => rank(a) - rank(b))[0];
  // A person's title is no name.
  const isTitle = best !== undefined && rank(best) === 3 && first !== undefined && last !== undefined;
  if (best !== undefined && rank(best) <= 4 && !isTitle) return [best.column];
  if (first !== undefined && last !== undefined) return [first.column, last.column];
  if (best !== undefined && rank(best) < 99 && !isShared(best.column, table)) return [best.column];
  const described = words.find((entry) => describesRows(entry.column, table));
  if (described !== undefined) return [described.column];
  const key = table.columns.filter(
    (column) =>
      table.primaryKey.includes(column.id.slice(table.id.length + 1)) || table.primaryKey.includes(column.id),
  );
  const fallback = key.length > 0 ? key : (best?.column ?? table.columns[0]);
  return Array.isArray(fallback) ? fallback : fallback === undefined ? [] : [fallback];
}

const FIRST_NAME = /\b(?:first name|given name|forename)\b/;
const LAST_NAME = /\b(?:last name|sur name|family name|surname)\b/;

/** `customer_details`, `description`, `cmi_details` of a `customer_master_index`: words about the row of a table, which stand for it where it has no name. */
export function describesRows({ name, family }: Column, table: Table): boolean {
  const words = splitName(name);
  const tableWords = splitName(table.name);
  const initials = tableWords.map((word) => word[0]).join('');
  return (
    family === 'text' &&
    /^(?:detail|description)$/.test(words.at(-1) ?? '') &&
    words.slice(0, -1).every((word) => tableWords.includes(word) || word === initials)
  );
}

/** The name of something that many rows have in common, as orders go to one `ShipName` again and again: the key tells them apart. */
function isShared({ profile }: Column, { rowCount, primaryKey }: Table): boolean {
  const distinct = profile?.distinctCount;
  if (primaryKey.length !== 1 || distinct === undefined || rowCount === undefined) return false;
  return rowCount >= MANY_ROWS && distinct < rowCount * MOSTLY_OTHERS;
}

const MANY_ROWS = 20;
const MOSTLY_OTHERS = 0.5;

/** `bname`, `pName`: the first letters of the table, run together with the word. */
function isShortName({ name }: Column): boolean {
  return /^[a-z]{1,2}name$/i.test(name) && !/^(?:[fl]|no|re|un)name$/i.test(name);
}
