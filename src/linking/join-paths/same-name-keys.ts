/** Columns of equal names in several tables, where names say that they are keys: a guess where nothing is declared. */

import { keyName, type TableIndex } from '../../knowledge/retrieve/index.ts';
import { compareText } from '../../lib/index.ts';
import type { JoinKey } from './join-key.ts';

type TableFamily = TableIndex['families'][number];

/** A name in more families than this says nothing, and beyond the first limit it leads to no third table. */
const MOST_SHARING_BETWEEN = 20;
const MOST_SHARING = 100;
/** Above every path of stated keys. */
const GUESS_COST = 400;
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
