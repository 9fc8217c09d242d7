/** Row filters and column masks: a table shows only what its restriction leaves, wherever it is read. */

import type { DialectName } from '../dialects/dialect.ts';
import { quoteName } from '../dialects/quoting.ts';
import { checkReadOnly } from '../guard/check-read-only.ts';
import { parse } from '../parser/parse.ts';
import { scopes } from '../scope/scopes.ts';
import { readAlias } from '../scope/state/names.ts';
import {
  type NamedColumn,
  type NamedSchema,
  type NamedTable,
  tableOfId,
} from '../scope/state/schema-index.ts';
import type { SqlTree } from '../tree/node.ts';
import type { StatementLimits } from '../tree/statement-limits.ts';
import { readCondition } from './filter-tables.ts';
import { type PlaceQuery, replacePlaces } from './replace-tables.ts';
import { type Patch, patchText, type RewriteResult } from './rewrite-result.ts';
import type { TablePlace } from './table-places.ts';

/** What is left of a table. Both are SQL over its own columns as they are stored, unqualified. */
export interface TableRestriction {
  /** Rows for which this holds are shown; all when absent. */
  readonly filter?: string | undefined;
  /** By canonical column id, the expression that stands for the column. */
  readonly masks: ReadonlyMap<string, string>;
}

/** By canonical table id. */
export type TableRestrictions = ReadonlyMap<string, TableRestriction>;

/**
 * Puts `(SELECT t.id, NULL AS email FROM t WHERE …) AS t` in every place of a restricted table, so that conditions,
 * joins, aggregates and stars of the query see masked values and allowed rows only. A masked table shows the columns
 * that the schema knows; one that came later has no mask yet. Refuses what it cannot restrict without doubt.
 */
export function restrictTables(
  tree: SqlTree,
  restrictions: TableRestrictions,
  schema: NamedSchema,
  limits?: StatementLimits,
): RewriteResult {
  const ctes = namesOfCtes(tree);
  const queryAt = ({ tableId, written }: TablePlace): PlaceQuery => {
    const [table, restriction] = [tableOfId(schema, tableId), restrictions.get(tableId)];
    if (table === undefined || restriction === undefined)
      return { ok: false, reason: `${tableId} is not in the schema` };
    const { dialect } = tree;
    const read = readOnce(restriction, { table, dialect, schema });
    if (!read.ok) return { ok: false, reason: read.problem };
    const taken = read.tables.find((name) => ctes.has(name));
    // Why is not said: the caller may not know the table that has the name.
    if (taken !== undefined)
      return {
        ok: false,
        reason: `no common table expression may be called ${taken} here; give it another name`,
      };
    // As the place itself writes the table, so that it is the same one.
    const qualified = { ...restriction, filter: read.filter };
    return { ok: true, query: restrictedQuery(written, table, { restriction: qualified, dialect }) };
  };
  return replacePlaces(tree, schema, { tableIds: new Set(restrictions.keys()), queryAt, limits });
}

export interface RestrictedTable {
  readonly table: NamedTable;
  readonly dialect: DialectName;
  /** What the queries inside a restriction may read. */
  readonly schema: NamedSchema;
}

/**
 * What is wrong with a restriction, in a sentence without its full stop: SQL that is no expression of its own, names
 * what does not exist or does more than compute. `undefined` when nothing is.
 */
export function checkRestriction(restriction: TableRestriction, of: RestrictedTable): string | undefined {
  const read = readRestriction(restriction, of);
  return read.ok ? undefined : read.problem;
}

type RestrictionRead =
  | {
      readonly ok: true;
      /** Bare names, lower case, of the tables that queries inside the restriction read. */
      readonly tables: readonly string[];
      /** With its table before each of its own columns. */
      readonly filter: string | undefined;
    }
  | { readonly ok: false; readonly problem: string };

const READ = new WeakMap<
  TableRestriction,
  { readonly of: RestrictedTable; readonly read: RestrictionRead }
>();

/** A restriction is read once, not in each of the places where its table stands. */
function readOnce(restriction: TableRestriction, of: RestrictedTable): RestrictionRead {
  const known = READ.get(restriction);
  const isSame =
    known?.of.table === of.table && known.of.schema === of.schema && known.of.dialect === of.dialect;
  if (known !== undefined && isSame) return known.read;
  const read = readRestriction(restriction, of);
  READ.set(restriction, { of, read });
  return read;
}

function readRestriction(
  { filter, masks }: TableRestriction,
  { table, dialect, schema }: RestrictedTable,
): RestrictionRead {
  const path = [...(table.qualifier ?? []), table.name].map((name) => quoteName(name, dialect)).join('.');
  const texts: [owner: string, text: string][] = [...masks].map(([id, mask]) => [`mask of ${id}`, mask]);
  if (filter !== undefined) texts.unshift([`row filter of ${table.id}`, filter]);
  const tables: string[] = [];
  let qualified = filter;
  for (const [owner, text] of texts) {
    const read = readCondition(text, path, { dialect, schema });
    if (!read.ok) return { ok: false, problem: `the ${owner} ${read.problem}` };
    const verdict = checkReadOnly(read.tree);
    if (!verdict.readOnly) return { ok: false, problem: `the ${owner} is not allowed: ${verdict.reason}` };
    tables.push(...bareTables(read.tree));
    if (text === filter) qualified = qualifyOwn(text, read, { table, dialect, schema });
  }
  const stray = [...masks.keys()].find((id) => !table.columns.some((column) => column.id === id));
  if (stray !== undefined) return { ok: false, problem: `${stray} is masked and no column of ${table.id}` };
  return { ok: true, tables, filter: qualified };
}

/**
 * `tenant = 1` → `"people".tenant = 1`: should the column be gone from the table, a query around it must not lend its
 * own. Left as it is where a query inside the filter calls something else by the name of the table.
 */
function qualifyOwn(
  text: string,
  { tree, offset }: { readonly tree: SqlTree; readonly offset: number },
  { table, dialect, schema }: RestrictedTable,
): string {
  const resolved = scopes(tree, schema);
  const own = resolved.root?.sources[0];
  const isShadowed = resolved.sources.some((source) => source !== own && source?.key === own?.key);
  if (own === undefined || isShadowed) return text;
  const patches = tree.nodes.flatMap((node): Patch[] => {
    const reference = resolved.references[node.id];
    const isOwn = reference?.kind === 'column' && reference.source === own;
    if (node.type !== 'Column' || node.children.length !== 1 || !isOwn) return [];
    const at = node.start - offset;
    return [{ span: { start: at, end: at }, text: `${quoteName(table.name, dialect)}.` }];
  });
  return patchText(text, patches);
}

/** The tables without a schema that a condition reads, beside the one it belongs to, which stands first. */
function bareTables({ nodes }: SqlTree): readonly string[] {
  return nodes
    .filter(({ type }) => type === 'Table')
    .slice(1)
    .flatMap((node) => {
      const names = node.children.filter(({ type }) => type === 'Identifier');
      return names.length === 1 ? [(names[0]?.value ?? '').toLowerCase()] : [];
    });
}

/** In lower case, from anywhere in the statement: what a name inside a restriction would mean hangs on the place. */
function namesOfCtes({ nodes }: SqlTree): ReadonlySet<string> {
  const ctes = nodes.filter(({ type }) => type === 'CTE');
  return new Set(ctes.map((cte) => (readAlias(cte).name ?? '').toLowerCase()));
}

interface Shape {
  readonly restriction: TableRestriction;
  readonly dialect: DialectName;
}

function restrictedQuery(
  written: string,
  table: NamedTable,
  { restriction: { filter, masks }, dialect }: Shape,
): string {
  const quote = (name: string): string => quoteName(name, dialect);
  const own = quote(table.name);
  const listed = table.columns.map((column) => {
    const mask = masks.get(column.id);
    // Qualified, so that SQLite does not take a name that is gone for a text.
    const stored = `${own}.${quote(column.name)}`;
    if (mask === undefined) return stored;
    return `${typedMask(mask, { column, stored, dialect })} AS ${quote(column.name)}`;
  });
  const list = masks.size === 0 ? ['*'] : listed;
  const all = `SELECT ${list.join(', ')} FROM ${written}`;
  const shown = filter === undefined ? all : `${all} WHERE (${filter}\n)`;
  const columns = table.columns.map(({ name }) => quote(name));
  return FENCES[dialect]?.({ shown, all, columns }) ?? shown;
}

interface MaskedColumn {
  readonly column: NamedColumn;
  /** The column as it is stored. */
  readonly stored: string;
  readonly dialect: DialectName;
}

/** NULL alone has a type of the engine's choice, while the query around compares the column and adds to it. */
function typedMask(mask: string, { column: { type = '' }, stored, dialect }: MaskedColumn): string {
  if (!/^\s*null\s*$/i.test(mask)) return `(${mask}\n)`;
  // A CASE has the type of what it never gives. SQLite compares by the affinity that a cast alone keeps.
  if (dialect !== 'sqlite') return `CASE WHEN 1 = 0 THEN ${stored} END`;
  const typed = `CAST(NULL AS ${type})`;
  const parsed = parse(`SELECT ${typed}`, dialect);
  const items = parsed.ok ? parsed.tree.root.children : [];
  return items.length === 1 && items[0]?.type === 'Cast' ? typed : '(NULL)';
}

export interface Fenced {
  /** The query that shows what may be seen. */
  readonly shown: string;
  /** The same query without its condition. */
  readonly all: string;
  /** What it shows, in quotes. */
  readonly columns: readonly string[];
}

/**
 * What keeps an engine from telling of rows that a query leaves out. None of these changes a row; each keeps the engine
 * from using an index for the conditions outside, which is the price.
 *
 * The limit makes the engine finish the query before it looks at any condition around it. Without, an engine is free to
 * try `CAST(name AS INTEGER)` of the question on a row that the row filter would have taken out, and the error shows
 * that row's name. The rest hides the statistics of the stored columns, which count all rows: PostgreSQL tries `LIKE`
 * on the commonest values while it plans, and DuckDB leaves out what cannot hold between the smallest and the largest
 * value, its errors included. Checked by running: PostgreSQL 15, MariaDB 10.11, DuckDB 1.5, SQLite 3.53.
 */
export const FENCES: Readonly<Record<DialectName, ((of: Fenced) => string) | undefined>> = {
  sqlite: ({ shown }) => `${shown} LIMIT -1`,
  duckdb: ({ shown, columns }) => {
    // Statistics do not go through TRY, nor through a materialized CTE, which reads all columns though.
    const opaque = columns.map((column) => `TRY("candor shown".${column}) AS ${column}`);
    return `SELECT ${opaque.join(', ')} FROM (${shown} LIMIT 9223372036854775807) AS "candor shown"`;
  },
  // Statistics do not go through a set operation.
  postgres: ({ shown, all }) => `${shown} UNION ALL ${all} WHERE FALSE OFFSET 0`,
  mysql: ({ shown }) => `${shown} LIMIT 18446744073709551615`,
  // A limit brings all rows to one machine there, and none is documented to hold conditions back.
  trino: undefined,
  snowflake: undefined,
  bigquery: undefined,
};
