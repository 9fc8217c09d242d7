/** What it takes to read the schema of a Trino with very many tables, made in its memory connector. */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { connect } from '../src/database/index.ts';
import { type BenchOptions, orEnd, readOutput } from './bench-options.ts';
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
  /** Of this process at its most, with everything that Node itself takes. */
  readonly peakMb: number;
}

const options = orEnd(() => readOptions(process.argv.slice(2)));
const { server, run } = await openBenchTrino();
try {
  const rows: Measured[] = [];
  let made = 0;
  for (const schemas of options.schemas) {
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
        ...(rows.length < 2
          ? {}
          : { schemaGrowth: growthExponent(rows.map(({ tables, schemaMs }) => [tables, schemaMs])) }),
        tablesPerSecond: ((largest?.tables ?? 0) * 1000) / (largest?.schemaMs ?? 1),
      },
    },
    options,
  );
} finally {
  await server.stop();
}

/** `--schemas 100` measures one size alone. */
function readOptions(args: string[]): BenchOptions & { readonly schemas: readonly number[] } {
  const { values } = parseArgs({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      schemas: { type: 'string' },
    },
  });
  const asked = values.schemas === undefined ? undefined : Number(values.schemas);
  if (asked !== undefined && !(Number.isInteger(asked) && asked > 0))
    throw new RangeError(`--schemas is a whole number, not ${values.schemas}`);
  const sizes = values.smoke ? SMOKE_SCHEMAS : SCHEMAS;
  return {
    ...{ isSmoke: values.smoke, output: readOutput(values.output) },
    schemas: asked === undefined ? sizes : [asked],
  };
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
    const started = performance.now();
    const { tables } = await database.readSchema();
    const schemaMs = performance.now() - started;
    const stamped = performance.now();
    await database.stamp();
    const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
    return {
      ...{ schemas, tables: tables.length, columns },
      ...{ schemaMs, stampMs: performance.now() - stamped },
      peakMb: process.resourceUsage().maxRSS / 1000,
    };
  } finally {
    await database.close();
  }
}
