import {
  DATE,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import { quoteText } from '../sql/dialects/index.ts';
import {
  type DemoColumn,
  type DemoColumnType,
  type DemoTable,
  type DemoValue,
  type DemoWriter,
  printCreateTable,
  type TypeNames,
} from './motors/table-spec.ts';

const TYPE_NAMES: TypeNames = { integer: 'INTEGER', text: 'VARCHAR', date: 'DATE', real: 'DOUBLE' };
const TYPES: Readonly<Record<DemoColumnType, DuckDBType>> = {
  integer: INTEGER,
  text: VARCHAR,
  date: DATE,
  real: DOUBLE,
};
/** Rows of all tables kept before they go to the engine. */
const BUFFERED_ROWS = 40_000;
/** A DuckDB vector. */
const CHUNK_ROWS = 2_048;
const DAY_MS = 86_400_000;

/** Opens a new DuckDB file and writes rows into it; declared keys are checked as they go in. */
export async function openDuckdbWriter(path: string, tables: readonly DemoTable[]): Promise<DemoWriter> {
  const instance = await DuckDBInstance.create(path, { threads: '2' });
  const connection = await instance.connect();
  for (const table of tables) {
    await connection.run(printCreateTable(table, TYPE_NAMES));
    await connection.run(`COMMENT ON TABLE ${table.name} IS ${quoteText(table.comment, 'duckdb')}`);
    for (const column of table.columns) {
      if (column.comment === undefined) continue;
      await connection.run(
        `COMMENT ON COLUMN ${table.name}.${column.name} IS ${quoteText(column.comment, 'duckdb')}`,
      );
    }
  }
  const buffers = new Map(tables.map((table) => [table.name, [] as (readonly DemoValue[])[]]));
  let buffered = 0;

  /** Tables stand parents first, so every buffered row finds its parents when it arrives. */
  const flush = async (): Promise<void> => {
    for (const table of tables) {
      const rows = buffers.get(table.name) ?? [];
      if (rows.length === 0) continue;
      const appender = await connection.createAppender(table.name);
      for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
        appender.appendDataChunk(buildChunk(table, rows.slice(start, start + CHUNK_ROWS)));
      }
      appender.closeSync();
      rows.length = 0;
    }
    buffered = 0;
  };

  return {
    add: (row) => {
      const rows = buffers.get(row.table);
      if (rows === undefined) throw new RangeError(`no table ${row.table}`);
      rows.push(row.values);
      buffered += 1;
      return buffered < BUFFERED_ROWS ? undefined : flush();
    },
    finish: async () => {
      await flush();
      await connection.run('CHECKPOINT');
      connection.closeSync();
      instance.closeSync();
    },
    abandon: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function buildChunk(table: DemoTable, rows: readonly (readonly DemoValue[])[]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(
    table.columns.map((column) => TYPES[column.type]),
    rows.length,
  );
  chunk.setColumns(
    table.columns.map((column, index) => rows.map((row) => toDuckdb(column, row[index] ?? null))),
  );
  return chunk;
}

function toDuckdb(column: DemoColumn, value: DemoValue): DuckDBValue {
  if (column.type !== 'date' || value === null) return value;
  return new DuckDBDateValue(Date.parse(`${value}T00:00:00Z`) / DAY_MS);
}
