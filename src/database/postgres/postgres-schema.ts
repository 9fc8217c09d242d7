/** Reads a whole PostgreSQL catalog with five queries, however many tables there are. */
import type { Cell } from '../../sql/dialects/cell.ts';
import type { Home, OwnNames } from '../../sql/scope/index.ts';
import type { DatabaseSchema, SchemaColumn, SchemaForeignKey, SchemaTable } from '../interface/database.ts';
import { tableKey } from '../interface/table-scope.ts';
import type { ReadCatalogRows } from './reading-transaction.ts';

/**
 * Whether every row that a table shows is its own. A foreign table is read elsewhere, as is a partition that is one. A table of
 * an inheritance shows the rows of its children, and a child shows rows of its parent: neither is told without the other.
 */
const OWNS_ROWS = `
  CASE c.relkind
    WHEN 'r' THEN NOT EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE inhrelid = c.oid)
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE inhparent = c.oid)
    WHEN 'p' THEN NOT EXISTS (SELECT 1 FROM pg_partition_tree(c.oid) b
      JOIN pg_catalog.pg_class h ON h.oid = b.relid WHERE h.relkind NOT IN ('r', 'p'))
    ELSE false END`;

/**
 * Tables, partitioned tables, views, materialised views and foreign tables that the user may read. A partition is
 * read through its parent; what an extension brought is none of the user's data.
 */
export const READABLE_TABLES = `
  SELECT c.oid, c.relname, c.relkind, c.reltuples, c.relfilenode, n.nspname,
    has_table_privilege(c.oid, 'SELECT') AS is_whole, (${OWNS_ROWS}) AS owns_rows
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d
      WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.objsubid = 0 AND d.deptype = 'e')`;

/**
 * Counts what was inserted, updated and deleted since the counters began; a rewritten table (TRUNCATE, REFRESH) has a
 * new file. A standby counts only what it does itself, which is nothing: no stamp there.
 */
const CHANGES = (table: string): string => `
  CASE WHEN NOT pg_is_in_recovery() AND current_setting('track_counts')::boolean THEN
    concat_ws(':', pg_stat_get_tuples_inserted(${table}.oid) + pg_stat_get_tuples_updated(${table}.oid)
      + pg_stat_get_tuples_deleted(${table}.oid), ${table}.relfilenode,
      (SELECT extract(epoch FROM pg_stat_get_db_stat_reset_time(oid)) FROM pg_catalog.pg_database
        WHERE datname = current_database())) END`;

const tablesOf = (readable: string): string => `
  SELECT t.oid, t.nspname, t.relname, t.relkind IN ('v', 'm'), d.description, pg_table_is_visible(t.oid),
    CASE WHEN t.relkind = 'p' THEN s.rows WHEN t.reltuples >= 0 THEN t.reltuples END::float8,
    CASE WHEN t.relkind = 'p' THEN s.stamp WHEN t.relkind IN ('r', 'm') THEN ${CHANGES('t')} END,
    p.partattrs::text, t.owns_rows
  FROM (${readable}) t
  LEFT JOIN pg_catalog.pg_description d
    ON d.classoid = 'pg_catalog.pg_class'::regclass AND d.objoid = t.oid AND d.objsubid = 0
  LEFT JOIN pg_catalog.pg_partitioned_table p ON p.partrelid = t.oid
  LEFT JOIN LATERAL (
    SELECT sum(c.reltuples) FILTER (WHERE c.reltuples >= 0) AS rows,
      md5(string_agg(c.oid || ':' || (${CHANGES('c')}), ',' ORDER BY c.oid)) AS stamp
    FROM pg_partition_tree(t.oid) b JOIN pg_catalog.pg_class c ON c.oid = b.relid
    WHERE c.relispartition AND c.relkind = 'r') s ON t.relkind = 'p'
  ORDER BY NOT pg_table_is_visible(t.oid), t.nspname, t.oid`;

const columnsOf = (readable: string): string => `
  SELECT a.attrelid, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
    NOT (a.attnotnull OR y.typnotnull), d.description
  FROM (${readable}) t
  JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_description d
    ON d.classoid = 'pg_catalog.pg_class'::regclass AND d.objoid = t.oid AND d.objsubid = a.attnum
  WHERE t.is_whole OR has_column_privilege(t.oid, a.attnum, 'SELECT')
  ORDER BY a.attrelid, a.attnum`;

/** Keys of partitions repeat those of their parents. */
const keysOf = (readable: string): string => `
  SELECT conrelid, contype = 'p', conkey::text, confrelid, confkey::text
  FROM pg_catalog.pg_constraint WHERE contype IN ('p', 'f') AND (contype = 'p' OR conparentid = 0)
    ${readable === READABLE_TABLES ? '' : `AND conrelid IN (SELECT t.oid FROM (${readable}) t)`}
  ORDER BY conrelid, oid`;

/**
 * Fields of composite types that no function is called like, for `(x).f` calls f where x has no such field; and enum
 * types, whose values only compute.
 */
const OWN_NAMES = `
  SELECT DISTINCT 'field', a.attname FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind = 'c'
  WHERE a.attnum > 0 AND NOT a.attisdropped AND has_type_privilege(c.reltype, 'USAGE') AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_proc p
    WHERE p.proname = a.attname AND (p.pronargs - p.pronargdefaults <= 1 OR p.provariadic <> 0))
  UNION ALL
  SELECT 'type', n.nspname || '.' || y.typname FROM pg_catalog.pg_type y
  JOIN pg_catalog.pg_namespace n ON n.oid = y.typnamespace
  WHERE y.typtype = 'e' AND has_type_privilege(y.oid, 'USAGE')
  UNION ALL
  SELECT 'type', y.typname FROM pg_catalog.pg_type y
  WHERE y.typtype = 'e' AND has_type_privilege(y.oid, 'USAGE') AND pg_type_is_visible(y.oid)
  ORDER BY 1, 2`;

interface DraftTable {
  readonly table: Omit<SchemaTable, 'columns' | 'primaryKey'>;
  readonly partitionNumbers: readonly number[];
  readonly columns: SchemaColumn[];
  /** By their numbers, which keys name. */
  readonly names: Map<number, string>;
  primaryKey: readonly string[];
}

/**
 * Tables that a bare name reaches come first. `read` runs all queries in one transaction; `readable` gives those of
 * `READABLE_TABLES` that are wanted.
 */
export async function readPostgresSchema(
  read: ReadCatalogRows,
  readable: string = READABLE_TABLES,
): Promise<DatabaseSchema> {
  const drafts = new Map<Cell, DraftTable>();
  await read(tablesOf(readable), (row) => drafts.set(row[0] ?? null, toDraft(row)));
  // A schema of 350,000 columns has few types.
  const types = new Map<string, string>();
  await read(columnsOf(readable), ([tableId, number, name, type, isNullable, comment]) => {
    const draft = drafts.get(tableId ?? null);
    if (draft === undefined) return;
    const text = String(type);
    types.set(text, types.get(text) ?? text);
    draft.names.set(Number(number), String(name));
    draft.columns.push({
      name: String(name),
      type: types.get(text) ?? text,
      isNullable: isNullable === true,
      ...commentOf(comment),
    });
  });
  const foreignKeys: SchemaForeignKey[] = [];
  await read(keysOf(readable), ([fromId, isPrimary, fromNumbers, toId, toNumbers]) => {
    const from = drafts.get(fromId ?? null);
    const fromColumns = from && namesOf(from, toNumberList(fromNumbers));
    if (from === undefined || fromColumns === undefined) return;
    if (isPrimary === true) {
      from.primaryKey = fromColumns;
      return;
    }
    const to = drafts.get(toId ?? null);
    const toColumns = to && namesOf(to, toNumberList(toNumbers));
    if (to === undefined || toColumns === undefined) return;
    foreignKeys.push({
      fromTable: tableKey(from.table),
      fromColumns,
      toTable: tableKey(to.table),
      toColumns,
    });
  });
  const ownNames = await readOwnNames(read);
  let home: Home = {};
  await read('SELECT current_database()', ([database]) => {
    home = { catalog: String(database) };
  });
  return { tables: [...drafts.values()].map(toTable), foreignKeys, ...(ownNames && { ownNames }), home };
}

async function readOwnNames(read: ReadCatalogRows): Promise<OwnNames | undefined> {
  const fields: string[] = [];
  const types: string[] = [];
  await read(OWN_NAMES, ([kind, name]) => (kind === 'field' ? fields : types).push(String(name)));
  return fields.length + types.length === 0 ? undefined : { fields, types };
}

function toDraft(row: readonly Cell[]): DraftTable {
  const [, schema, name, isView, comment, isVisible, estimate, stamp, partition, ownsRows] = row;
  return {
    table: {
      name: String(name),
      schema: String(schema),
      ...(isVisible === true ? {} : { qualifier: [String(schema)] }),
      kind: isView === true ? 'view' : 'table',
      ...(ownsRows === true && { ownsRows }),
      ...commentOf(comment),
      ...(typeof estimate === 'number' ? { estimatedRows: estimate } : {}),
      ...(typeof stamp === 'string' ? { dataStamp: stamp } : {}),
    },
    partitionNumbers: toNumberList(partition),
    columns: [],
    names: new Map(),
    primaryKey: [],
  };
}

function toTable({ table, columns, names, primaryKey, partitionNumbers }: DraftTable): SchemaTable {
  // 0 stands for an expression: a filter on its columns does not choose partitions.
  const partitionKey = partitionNumbers.flatMap((number) => names.get(number) ?? []);
  return { ...table, columns, primaryKey, ...(partitionKey.length === 0 ? {} : { partitionKey }) };
}

/** `undefined` when the user may not read one of the columns. */
function namesOf({ names }: DraftTable, numbers: readonly number[]): readonly string[] | undefined {
  const found = numbers.flatMap((number) => names.get(number) ?? []);
  return found.length === numbers.length ? found : undefined;
}

/** `{2,1}` of an array, `2 1` of a vector. */
function toNumberList(cell: Cell | undefined): readonly number[] {
  return typeof cell === 'string' ? (cell.match(/\d+/g) ?? []).map(Number) : [];
}

function commentOf(cell: Cell | undefined): { readonly comment?: string } {
  return typeof cell === 'string' && cell !== '' ? { comment: cell } : {};
}
