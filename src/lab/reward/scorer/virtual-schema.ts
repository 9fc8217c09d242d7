/** The schema that a question was asked about where it is not the database's own. */
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { findNames, replaceTables } from '../../../sql/index.ts';
import type { NamedSchema, NamedTable } from '../../../sql/scope/index.ts';
import type { GoldKind, RewardCategory } from '../formula/compute-reward.ts';
import { parseQuery } from '../formula/read-answer.ts';

/** One output of a model beside what would have been right. */
export interface ScoreItem {
  /** Given back with the score. */
  readonly id?: string | number;
  readonly category: RewardCategory;
  readonly goldKind: GoldKind;
  /** SQL, or the sentence that is right. */
  readonly gold: string;
  /** All that the model wrote, with its tags. */
  readonly output: string;
  /** Absent: estimated from its characters. */
  readonly lengthTokens?: number;
  /** The question asks for an order; it counts where the gold has ORDER BY. */
  readonly orderMatters?: boolean;
  /** Tables of the schema the question was asked about that the database does not have in that shape. */
  readonly virtualTables?: readonly VirtualTable[];
}

/** `degenerate` items move columns between tables: this is such a table as the model saw it. */
export interface VirtualTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** A query over the real tables with its rows: with it results can be compared, else names alone are checked. */
  readonly sql?: string;
}

/** The database's tables, with the virtual ones in the place of those of the same names. */
export function virtualSchema(real: NamedSchema, tables: readonly VirtualTable[]): NamedSchema {
  const named = tables.map(({ name, columns }) => namedTable(name, columns));
  const ids = new Set(named.map(({ id }) => id));
  return { tables: [...real.tables.filter(({ name }) => !ids.has(name.toLowerCase())), ...named] };
}

/** The same where a virtual table has the columns of its namesake too, which the query behind it reads. */
function wideSchema(real: NamedSchema, tables: readonly VirtualTable[]): NamedSchema {
  const wide = tables.map((table) => {
    const own = new Set(table.columns.map((column) => column.toLowerCase()));
    const beside = namesakeOf(table, real)?.columns.map(({ name }) => name) ?? [];
    const others = beside.filter((column) => !own.has(column.toLowerCase()));
    return { ...table, columns: [...table.columns, ...others] };
  });
  return virtualSchema(real, wide);
}

function namedTable(name: string, columns: readonly string[]): NamedTable {
  const id = name.toLowerCase();
  return {
    id,
    name,
    columns: columns.map((column) => ({ id: `${id}.${column.toLowerCase()}`, name: column })),
  };
}

function namesakeOf({ name }: VirtualTable, { tables }: NamedSchema): NamedTable | undefined {
  return tables.find((table) => table.name.toLowerCase() === name.toLowerCase());
}

/** The virtual tables that are not in the database as they are, by a view of that name with all those columns. */
export function notMaterialised(tables: readonly VirtualTable[], real: NamedSchema): readonly VirtualTable[] {
  return tables.filter((table) => {
    const names = new Set(namesakeOf(table, real)?.columns.map(({ name }) => name.toLowerCase()));
    return table.sql !== undefined || !table.columns.every((column) => names.has(column.toLowerCase()));
  });
}

/**
 * The query with each virtual table written out as the query behind it, so that the real database can run it; undefined
 * where one of them has none or the query cannot be rewritten.
 */
export function overRealTables(
  sql: string,
  dialect: DialectName,
  { real, tables }: { readonly real: NamedSchema; readonly tables: readonly VirtualTable[] },
): string | undefined {
  const tree = parseQuery(sql, dialect);
  const queries = new Map(
    tables.flatMap(({ name, sql: query }) => (query ? [[name.toLowerCase(), query]] : [])),
  );
  if (tree === undefined || queries.size < tables.length) return undefined;
  const rewritten = replaceTables(tree, queries, wideSchema(real, tables));
  return rewritten.ok ? rewritten.tree.text : undefined;
}

/** Names of a query that a schema does not have, or has several times, each as `kind:name`. */
export function nameFaults(sql: string, dialect: DialectName, schema: NamedSchema): ReadonlySet<string> {
  const tree = parseQuery(sql, dialect);
  if (tree === undefined) return new Set(['unread']);
  const faults = findNames(tree, schema).problems.map(({ kind, name }) => {
    const own = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    return `${kind}:${own}`;
  });
  return new Set(faults);
}
