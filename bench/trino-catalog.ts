/** What it takes to read the schema of a Trino with very many tables, made in its memory connector. */
import { performance } from 'node:perf_hooks';
import { connect } from '../src/database/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { printReport } from './print-report.ts';
import { openBenchTrino } from './trino/open-bench-trino.ts';

/** Schemas that there are by then; the bench grows one installation. */
const SCHEMAS = [25, 100, 400];
const SMOKE_SCHEMAS = [2, 4];
const TABLES = 30;
const COLUMNS = 20;
const STATEMENTS_AT_ONCE = 8;
const TYPES = ['bigint', 'varchar', 'double', 'date'];

interface Measured {
  readonly schemas: number;
  readonly tables: number;
  readonly columns: number;
  readonly schemaMs: number;
  readonly stampMs: number;
  readonly heapMb: number;
}

const options = readBenchOptions();
const { server, run } = await openBenchTrino();
try {
  const rows: Measured[] = [];
  let made = 0;
  for (const schemas of options.isSmoke ? SMOKE_SCHEMAS : SCHEMAS) {
    await make(made, schemas);
    made = schemas;
    rows.push(await measure(schemas));
    process.stderr.write(`${schemas} schemas\n`);
  }
  const largest = rows.at(-1);
  printReport(
    {
      bench: 'trino-catalog',
      about: `a Trino of many schemas with ${TABLES} tables of ${COLUMNS} columns: its schema read, and stamped`,
      rows: rows.map((row) => ({ ...row })),
      figures: {
        schemaGrowth: growthExponent(rows.map(({ tables, schemaMs }) => [tables, schemaMs])),
        tablesPerSecond: ((largest?.tables ?? 0) * 1000) / (largest?.schemaMs ?? 1),
        bytesPerColumn: ((largest?.heapMb ?? 0) * 1e6) / (largest?.columns ?? 1),
      },
    },
    options,
  );
} finally {
  await server.stop();
}

async function make(from: number, to: number): Promise<void> {
  const columns = Array.from(
    { length: COLUMNS },
    (_, index) => `column_${index} ${TYPES[index % TYPES.length]} COMMENT 'The number ${index}'`,
  ).join(', ');
  const statements: string[] = [];
  for (let schema = from; schema < to; schema += 1) {
    await run(`CREATE SCHEMA memory.team_${schema}`);
    for (let table = 0; table < TABLES; table += 1)
      statements.push(
        `CREATE TABLE memory.team_${schema}.table_${table} (${columns}) COMMENT 'Table ${table} of a team'`,
      );
  }
  const open = statements.values();
  const work = async (): Promise<void> => {
    for (const statement of open) await run(statement);
  };
  await Promise.all(Array.from({ length: STATEMENTS_AT_ONCE }, work));
}

async function measure(schemas: number): Promise<Measured> {
  const database = await connect(server.url, { tables: { include: ['memory.team_*'] } });
  try {
    // The server translates what runs often to machine code; that is not what is measured.
    await database.readSchema();
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const started = performance.now();
    const { tables } = await database.readSchema();
    const schemaMs = performance.now() - started;
    globalThis.gc?.();
    const heapMb = Math.max(0, process.memoryUsage().heapUsed - before) / 1e6;
    const stamped = performance.now();
    await database.stamp();
    const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
    return {
      ...{ schemas, tables: tables.length, columns },
      ...{ schemaMs, stampMs: performance.now() - stamped, heapMb },
    };
  } finally {
    await database.close();
  }
}
