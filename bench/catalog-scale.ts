/** Seconds to read the catalog of a very large PostgreSQL database, and time and memory to profile it. */
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type BenchOptions, orEnd, readOutput } from './bench-options.ts';
import { openEngine } from './open-engine.ts';
import { printReport } from './print-report.ts';

const COLUMNS = 35;
/** Every so many tables one has rows; the others are empty, as most tables of a warehouse nearly are. */
const FILLED_EVERY = 10;
const ROWS = 200;
/** Statements that make tables go to the server in packets of this many tables. */
const TABLES_AT_ONCE = 100;
const TYPES = ['TEXT', 'INTEGER', 'NUMERIC(12, 2)', 'TIMESTAMP', 'DATE', 'VARCHAR(40)', 'BOOLEAN'];

const OUTCOME = z.object({
  tables: z.number(),
  columns: z.number(),
  catalogSeconds: z.number(),
  catalogMb: z.number(),
  profileSeconds: z.number(),
  profileMb: z.number(),
  refreshSeconds: z.number(),
  loadSeconds: z.number(),
  loadMb: z.number(),
});

interface ScaleOptions extends BenchOptions {
  readonly tables: number;
}

const options = orEnd(() => readOptions(process.argv.slice(2)));
const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
const engine = await openEngine('postgres', folder);
if ('missing' in engine) {
  process.stderr.write(`catalog-scale: nothing was measured: ${engine.missing}\n`);
  process.exitCode = 3;
} else {
  try {
    const url = await engine.make('scale', makeTables(options.tables));
    const outcome = await measure(url);
    printReport(
      {
        bench: 'catalog-scale',
        about:
          'PostgreSQL with many tables, one in ten with 200 rows: catalog read, profiled, read back; peak memory of the process',
        rows: [outcome],
        figures: { profileMsPerTable: (outcome.profileSeconds * 1000) / outcome.tables },
      },
      options,
    );
  } finally {
    await engine.stop();
  }
}
await rm(folder, { recursive: true, force: true });

function readOptions(args: string[]): ScaleOptions {
  const { values } = parseArgs({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      tables: { type: 'string', default: '10000' },
    },
  });
  const tables = Number(values.tables);
  if (!Number.isInteger(tables) || tables < 1)
    throw new RangeError(`--tables is a number above 0, not ${values.tables}`);
  return { isSmoke: values.smoke, output: readOutput(values.output), tables: values.smoke ? 20 : tables };
}

function makeTables(count: number): string[] {
  const statements: string[] = [];
  for (let start = 0; start < count; start += TABLES_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(TABLES_AT_ONCE, count - start) },
      (_, index) => start + index,
    );
    statements.push(numbers.map(makeTable).join(';'));
  }
  return statements;
}

function makeTable(number: number): string {
  const types = Array.from({ length: COLUMNS - 2 }, (_, index) => TYPES[index % TYPES.length] ?? 'TEXT');
  const columns = types.map((type, index) => `column_${index} ${type}`);
  const table = `area_${number % 50}_entity_${number}`;
  // Every table points at one of the first hundred without saying so.
  const parent = `area_${number % 50}_entity_${number % 100}`;
  const made = `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${parent}_id INTEGER, ${columns.join(', ')})`;
  if (number % FILLED_EVERY !== 0) return made;
  const values = types.map((type, index) => fillerOf(type, index));
  return `${made}; INSERT INTO ${table} SELECT i, 1 + i % 50, ${values.join(', ')} FROM generate_series(1, ${ROWS}) AS n(i)`;
}

function fillerOf(type: string, index: number): string {
  if (type === 'TIMESTAMP') return `TIMESTAMP '2024-01-01' + i * INTERVAL '${index + 1} minute'`;
  if (type === 'DATE') return `DATE '2024-01-01' + i % ${index + 20}`;
  if (type === 'BOOLEAN') return `i % ${index + 2} = 0`;
  return type.startsWith('INT') || type.startsWith('NUM')
    ? `(i * ${index + 7}) % 1000`
    : `'value ' || i % ${index + 3}`;
}

/** In a process of its own, so that its memory is that of the work alone. */
async function measure(url: string): Promise<z.infer<typeof OUTCOME>> {
  const script = fileURLToPath(new URL('./catalog-scale-worker.ts', import.meta.url));
  const worker = fork(script, [url, join(folder, 'derived')], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    worker.once('message', (message) => resolve(OUTCOME.parse(message)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  });
}
