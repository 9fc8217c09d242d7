/**
 * What Trino's tables are. `information_schema` calls everything a base table that is no view of Trino's own: materialised
 * views, and whatever a connector found in another system, views of that system among it.
 */
import { quoteText } from '../../sql/index.ts';
import type { SchemaTable } from '../interface/database.ts';

/** Connectors that keep views as views of Trino's, so that what is left are tables. Of others nobody can tell. */
const TELLS_VIEWS: ReadonlySet<string> = new Set([
  ...['hive', 'iceberg', 'delta_lake', 'hudi', 'memory', 'tpch', 'tpcds'],
]);
/** Those of them that have materialised views. */
const HAS_MATERIALIZED: ReadonlySet<string> = new Set(['iceberg']);

/** Names of schemas and tables that hold what a query made of others: materialised views and where they keep their rows. */
export type MaterializedTables = ReadonlySet<string>;

export function mayMaterialize(connector: string): boolean {
  return HAS_MATERIALIZED.has(connector);
}

export interface KindFacts {
  /** As `information_schema` has it. */
  readonly type: unknown;
  readonly connector: string;
  /** Whether a query made it; undefined where that could not be asked. */
  readonly isMaterialized: boolean | undefined;
}

export function kindOf({
  type,
  connector,
  isMaterialized,
}: KindFacts): Pick<SchemaTable, 'kind' | 'ownsRows'> {
  if (type === 'VIEW' || isMaterialized === true) return { kind: 'view' };
  const isTold = TELLS_VIEWS.has(connector) && isMaterialized === false;
  return { kind: 'table', ...(isTold && { ownsRows: true }) };
}

/** Rows of two schemas and two tables each: of the view and of where its rows are kept. */
export function materializedSql(catalog: string, schema: string | undefined): string {
  const inSchema = schema === undefined ? '' : ` AND schema_name = ${quoteText(schema, 'trino')}`;
  return `SELECT schema_name, name, storage_schema, storage_table FROM system.metadata.materialized_views
    WHERE catalog_name = ${quoteText(catalog, 'trino')}${inSchema}`;
}

export function toMaterialized(rows: Iterable<readonly unknown[]>): MaterializedTables {
  const names = new Set<string>();
  for (const [schema, name, storageSchema, storage] of rows) {
    names.add(materializedKey(schema, name));
    if (storage !== null) names.add(materializedKey(storageSchema ?? schema, storage));
  }
  return names;
}

export function materializedKey(schema: unknown, name: unknown): string {
  return `${schema}\0${name}`;
}
