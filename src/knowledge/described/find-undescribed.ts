/** Tables, columns and codes that nobody has described: no person, and no model that waits for its review. */
import { allValues, type Catalog, type Column, type Table } from '../../catalog/index.ts';
import { hasWholeList } from '../../catalog/prompt-schema/index.ts';
import type { Authored } from '../authored/authored.ts';
import { type DescribedTable, guessName } from '../authored/described.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import { type PeopleSaid, peopleSaid } from './guess-notes.ts';
import { tableState } from './read-described.ts';

export interface Undescribed {
  readonly table: Table;
  /** The table itself is to be described. */
  readonly isTable: boolean;
  readonly columns: readonly Column[];
  readonly codes: readonly { readonly column: Column; readonly values: readonly string[] }[];
}

export interface UndescribedOptions {
  /** Ids; absent: all. */
  readonly tables?: ReadonlySet<string> | undefined;
  /** False: stored values may be told to nobody, and no code is asked about. */
  readonly hasValues: boolean;
}

/** In the order of the catalog; tables of which all is described are left out. */
export function findUndescribed(
  { catalog, semantics, authored }: { catalog: Catalog; semantics: SemanticModel; authored: Authored },
  { tables, hasValues }: UndescribedOptions,
): readonly Undescribed[] {
  const said = peopleSaid(semantics, catalog);
  const kept = new Map((authored.described ?? []).map((entry) => [entry.table, entry]));
  const links = new Set(catalog.foreignKeys.flatMap(({ fromColumns }) => fromColumns));
  return catalog.tables.flatMap((table) => {
    if (tables?.has(table.id) === false) return [];
    const isDone = doneOf(kept.get(table.id), table);
    const isKey = (id: string): boolean => links.has(id) || table.primaryKey.includes(id);
    const found: Undescribed = {
      table,
      isTable: !said.isTable(table) && !isDone(table.id),
      columns: table.columns.filter((column) => !said.isColumn(column) && !isDone(column.id)),
      codes: hasValues
        ? table.columns.filter(({ id }) => !isKey(id)).flatMap((column) => codesOf(column, said, isDone))
        : [],
    };
    const isNothing = !found.isTable && found.columns.length + found.codes.length === 0;
    return isNothing ? [] : [found];
  });
}

/** What was guessed, rejected or said to be unknown; the last only while the table is the same. */
function doneOf(entry: DescribedTable | undefined, table: Table): (name: string) => boolean {
  if (entry === undefined) return () => false;
  const isSame = entry.catalog === tableState(table);
  const done = new Set([
    ...entry.guesses.map(guessName),
    ...entry.rejected,
    ...(isSame ? entry.unknown : []),
  ]);
  return (name) => done.has(name);
}

const MOST_CODES = 30;
/** Short, in capitals or digits: what people have to look up. Words and years say themselves what they are. */
const CODE = /^(?!(?:19|20)\d\d$)(?:-?\d{1,6}|[\p{Lu}\p{N}_.+-]{1,8}|[\p{L}\p{N}]{1,2})$/u;
const BOOLEANS = new Set(['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n']);

function codesOf(column: Column, said: PeopleSaid, isDone: (name: string) => boolean): Undescribed['codes'] {
  const { family, profile } = column;
  if (!hasWholeList(column) || profile?.pii !== undefined || family === 'boolean') return [];
  const all = (allValues(column) ?? []).slice(0, MOST_CODES);
  const codes = all.filter((value) => CODE.test(value) && !BOOLEANS.has(value.toLowerCase()));
  if (codes.length < 2 || codes.length * 2 < all.length) return [];
  const values = codes.filter(
    (value) => !said.isValue(column, value) && !isDone(guessName({ of: column.id, value })),
  );
  return values.length === 0 ? [] : [{ column, values }];
}
