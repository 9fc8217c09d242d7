/** Columns of equal names in several tables, where names say that they are keys: a guess where nothing is declared. */
import { type Column, nameWords, type Table } from '../../catalog/index.ts';
import type { TableIndex } from '../../knowledge/index.ts';
import { compareText } from '../../sql/index.ts';
import type { JoinKey } from './join-key.ts';

type TableFamily = TableIndex['families'][number];

/** A name in more families than this says nothing, and beyond the first limit it leads to no third table. */
const MOST_SHARING_BETWEEN = 20;
const MOST_SHARING = 100;
/** Above every path of stated keys. */
const GUESS_COST = 400;
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

interface KeyColumn {
  readonly family: TableFamily;
  readonly name: string;
  /** What columns that may be the same key have in common: database, name without blanks, kind of value. */
  readonly key: string;
}

export interface SameNames {
  /** The columns that may be keys, of one table for its family: the others have the same columns. */
  readonly ofFamily: ReadonlyMap<TableFamily, readonly KeyColumn[]>;
  readonly byKey: ReadonlyMap<string, readonly KeyColumn[]>;
}

/** Looks at every column once. */
export function indexSameNames(tables: TableIndex): SameNames {
  const ofFamily = new Map<TableFamily, readonly KeyColumn[]>();
  const byKey = new Map<string, KeyColumn[]>();
  for (const family of tables.families) {
    const table = family.members[0]?.table;
    const columns = (table?.columns ?? []).flatMap((column) => {
      const key = keyName(column, table);
      return key === undefined ? [] : [{ family, name: column.name, key }];
    });
    ofFamily.set(family, columns);
    for (const column of columns) {
      const known = byKey.get(column.key);
      if (known === undefined) byKey.set(column.key, [column]);
      else known.push(column);
    }
  }
  return { ofFamily, byKey };
}

/** Keys guessed at one table; families of the wanted tables give those, other families their first table. */
export function sameNameKeys(
  tableId: string,
  family: TableFamily,
  {
    names,
    wanted,
  }: { readonly names: SameNames; readonly wanted: ReadonlyMap<TableFamily, readonly string[]> },
): readonly JoinKey[] {
  const found: JoinKey[] = [];
  for (const own of names.ofFamily.get(family) ?? []) {
    const bearers = names.byKey.get(own.key) ?? [];
    const sharing = new Set(bearers.map((bearer) => bearer.family)).size;
    if (sharing > MOST_SHARING) continue;
    for (const bearer of bearers) {
      if (bearer.family === family) continue;
      for (const other of membersOf(bearer.family, wanted, sharing <= MOST_SHARING_BETWEEN))
        found.push(guess([tableId, own.name], [other, bearer.name], sharing));
    }
  }
  return found.sort(
    (a, b) =>
      a.cost - b.cost ||
      compareText(a.rightTable, b.rightTable) ||
      compareText(String(a.on[0]), String(b.on[0])),
  );
}

function membersOf(
  family: TableFamily,
  wanted: ReadonlyMap<TableFamily, readonly string[]>,
  isBetween: boolean,
): readonly string[] {
  const asked = wanted.get(family);
  if (asked !== undefined) return asked;
  return isBetween ? family.members.slice(0, 1).map(({ table }) => table.id) : [];
}

function guess(
  [left, leftName]: readonly [table: string, column: string],
  [right, rightName]: readonly [table: string, column: string],
  sharing: number,
): JoinKey {
  const [a, b] = [leftName.toLowerCase(), rightName.toLowerCase()];
  return {
    ...{ leftTable: left, rightTable: right, on: [[`${left}.${a}`, `${right}.${b}`]] },
    ...{ source: 'same-name', cost: GUESS_COST + sharing },
    because: a === b ? `both have ${leftName}` : 'a guess from their names',
  };
}

/** Undefined where the name is none of a key. */
function keyName(column: Column, table: Table | undefined): string | undefined {
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
