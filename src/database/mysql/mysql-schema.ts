/** Reads the connected database's tables from `information_schema` with a few queries, however many there are. */

import type { Cell } from '../../sql/dialects/cell.ts';
import { withoutQuotes } from '../../sql/dialects/index.ts';
import type { Home } from '../../sql/scope/index.ts';
import type { DatabaseSchema, SchemaColumn, SchemaForeignKey, SchemaTable } from '../interface/database.ts';
import type { ReadCatalogRows } from './mysql-connection.ts';

/**
 * `UPDATE_TIME` counts in seconds: while its second is not over a later change would not show, so there is no
 * stamp yet. It is NULL after a restart until the first change, and for views.
 */
const TABLES = `
  SELECT TABLE_NAME, TABLE_TYPE = 'VIEW', IF(TABLE_TYPE = 'VIEW', '', TABLE_COMMENT), TABLE_ROWS,
    IF(UPDATE_TIME < NOW() - INTERVAL 1 SECOND, CONCAT(CREATE_TIME, ' ', UPDATE_TIME), NULL),
    COALESCE(CREATE_OPTIONS LIKE '%partitioned%', FALSE), ENGINE
  FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
  ORDER BY TABLE_NAME`;

/**
 * Engines that keep the rows of their tables themselves. Others read tables of this server or another (MRG_MyISAM, FEDERATED,
 * CONNECT, SPIDER, OQGRAPH, SPHINX), files that anybody wrote, or make rows up; one that is not listed may do any of that.
 */
const STORING_ENGINES: ReadonlySet<string> = new Set([
  ...['innodb', 'aria', 'myisam', 'memory', 'archive', 'csv', 'blackhole'],
  ...['rocksdb', 'tokudb', 'columnstore', 'ndbcluster', 'ndb'],
]);

const COLUMNS = `
  SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE = 'YES', COLUMN_COMMENT
  FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND FIND_IN_SET('select', PRIVILEGES) > 0
  ORDER BY TABLE_NAME, ORDINAL_POSITION`;

/** A key into another database is left out: only the connected one is read. */
const KEYS = `
  SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
  FROM information_schema.KEY_COLUMN_USAGE
  WHERE TABLE_SCHEMA = DATABASE()
    AND (CONSTRAINT_NAME = 'PRIMARY' OR REFERENCED_TABLE_SCHEMA = DATABASE())
  ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

const PARTITIONS = `
  SELECT DISTINCT TABLE_NAME, PARTITION_EXPRESSION, SUBPARTITION_EXPRESSION
  FROM information_schema.PARTITIONS
  WHERE TABLE_SCHEMA = DATABASE() AND PARTITION_METHOD IS NOT NULL`;

interface DraftTable {
  readonly table: Omit<SchemaTable, 'columns' | 'primaryKey'>;
  readonly columns: SchemaColumn[];
  readonly primaryKey: string[];
  partitionKey: readonly string[];
}

interface DraftKey {
  readonly fromColumns: string[];
  readonly toTable: string;
  readonly toColumns: string[];
}

/** Only tables that the user may SELECT from; all are reached by their bare names. */
export async function readMysqlSchema(read: ReadCatalogRows): Promise<DatabaseSchema> {
  const drafts = new Map<string, DraftTable>();
  let isPartitioned = false;
  await read(TABLES, (row) => {
    isPartitioned ||= row[5] === 1;
    drafts.set(String(row[0]), { table: toTable(row), columns: [], primaryKey: [], partitionKey: [] });
  });
  // A schema of many thousand columns has few types.
  const types = new Map<string, string>();
  await read(COLUMNS, ([table, name, type, isNullable, comment]) => {
    const text = String(type);
    types.set(text, types.get(text) ?? text);
    drafts.get(String(table))?.columns.push({
      name: String(name),
      type: types.get(text) ?? text,
      isNullable: isNullable === 1,
      ...commentOf(comment),
    });
  });
  // Asked only where there are any: the server opens every table to answer.
  if (isPartitioned) {
    await read(PARTITIONS, ([table, ...expressions]) => {
      const draft = drafts.get(String(table));
      if (draft !== undefined) draft.partitionKey = columnsIn(draft.columns, expressions);
    });
  }
  const keys = await readKeys(read, drafts);
  // A view whose tables are gone has no columns any more, nor has a table that may not be read.
  const tables = [...drafts.values()].filter(({ columns }) => columns.length > 0);
  let home: Home = {};
  await read('SELECT DATABASE()', ([database]) => {
    if (typeof database === 'string') home = { schema: database };
  });
  return { tables: tables.map(finish), foreignKeys: toForeignKeys(keys, drafts), home };
}

function toTable(row: readonly Cell[]): DraftTable['table'] {
  const [name, isView, comment, estimate, stamp, , engine] = row;
  const isStored = isView !== 1 && STORING_ENGINES.has(String(engine).toLowerCase());
  return {
    name: String(name),
    kind: isView === 1 ? 'view' : 'table',
    ...(isStored && { ownsRows: true as const }),
    ...commentOf(comment),
    ...(typeof estimate === 'number' ? { estimatedRows: estimate } : {}),
    ...(typeof stamp === 'string' ? { dataStamp: stamp } : {}),
  };
}

function finish({ table, columns, primaryKey, partitionKey }: DraftTable): SchemaTable {
  return { ...table, columns, primaryKey, ...(partitionKey.length === 0 ? {} : { partitionKey }) };
}

/** Fills in primary keys; returns the foreign keys by table and name. */
async function readKeys(
  read: ReadCatalogRows,
  drafts: ReadonlyMap<string, DraftTable>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, DraftKey>>> {
  const keys = new Map<string, Map<string, DraftKey>>();
  await read(KEYS, ([table, constraint, column, toTable, toColumn]) => {
    const from = String(table);
    if (toTable === null || toTable === undefined) {
      drafts.get(from)?.primaryKey.push(String(column));
      return;
    }
    const ofTable = keys.get(from) ?? new Map<string, DraftKey>();
    keys.set(from, ofTable);
    const key = ofTable.get(String(constraint)) ?? {
      fromColumns: [],
      toTable: String(toTable),
      toColumns: [],
    };
    ofTable.set(String(constraint), key);
    key.fromColumns.push(String(column));
    key.toColumns.push(String(toColumn));
  });
  return keys;
}

function toForeignKeys(
  keys: ReadonlyMap<string, ReadonlyMap<string, DraftKey>>,
  drafts: ReadonlyMap<string, DraftTable>,
): SchemaForeignKey[] {
  const isRead = (table: string): boolean => (drafts.get(table)?.columns.length ?? 0) > 0;
  return [...keys].flatMap(([fromTable, ofTable]) =>
    [...ofTable.values()]
      .filter(({ toTable }) => isRead(fromTable) && isRead(toTable))
      .map((key) => ({ fromTable, ...key })),
  );
}

/** Columns that stand in a partition expression, as `d` in ``year(`d`)``, by which the engine still prunes. */
function columnsIn(columns: readonly SchemaColumn[], expressions: readonly Cell[]): readonly string[] {
  const text = expressions.filter((cell) => typeof cell === 'string').join(' ');
  const words = new Set(
    (text.match(/`(?:[^`]|``)+`|[\w$\u0080-\uffff]+/g) ?? []).map((word) =>
      withoutQuotes(word).toLowerCase(),
    ),
  );
  return columns.map(({ name }) => name).filter((name) => words.has(name.toLowerCase()));
}

function commentOf(cell: Cell | undefined): { readonly comment?: string } {
  return typeof cell === 'string' && cell !== '' ? { comment: cell } : {};
}
