/** What a profile costs, beside the engine's own count and distinct counts of the same columns. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outlineCatalog, profileTable, type Table } from '../src/catalog/index.ts';
import { tableName } from '../src/catalog/schema/table-names.ts';
import { connect, type Database, guarded } from '../src/database/index.ts';
import { type BenchOptions, orEnd, readOutput } from './bench-options.ts';
import { growthExponent, median } from './figures.ts';
import { type MixedTable, makeMixedTable, type ProfiledEngine } from './mixed-table.ts';
import { type BenchedEngine, openEngine } from './open-engine.ts';
import { printReport } from './print-report.ts';

const ENGINES: readonly ProfiledEngine[] = ['sqlite', 'duckdb', 'postgres', 'mariadb'];
/** Long and narrow, short and wide; the first three grow in rows, the last two in columns. */
const TABLES: readonly MixedTable[] = [
  { name: 'rows_10k', rows: 10_000, columns: 12 },
  { name: 'rows_100k', rows: 100_000, columns: 12 },
  { name: 'rows_1m', rows: 1_000_000, columns: 12 },
  { name: 'columns_15', rows: 50_000, columns: 15 },
  { name: 'columns_60', rows: 50_000, columns: 60 },
];
const SMOKE_TABLES: readonly MixedTable[] = [
  { name: 'rows_100', rows: 100, columns: 12 },
  { name: 'columns_20', rows: 100, columns: 20 },
];
/** Scan and profile take turns, so that a slow moment of the machine meets both. */
const ROUNDS = 3;
const LIMITS = { rows: 10, bytes: 1_000_000, timeoutMs: 600_000 };

type Measured = Readonly<Record<'rows' | 'columns' | 'scanMs' | 'profileMs' | 'ratio', number>> & {
  readonly engine: ProfiledEngine;
  readonly table: string;
};

const options = orEnd(() => readOptions(process.argv.slice(2)));
const rounds = options.isSmoke ? 1 : ROUNDS;
const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
try {
  const rows: Measured[] = [];
  for (const engine of options.engines) {
    const opened = await openEngine(engine, folder);
    if ('missing' in opened) {
      process.stderr.write(`${engine} is not measured: ${opened.missing}\n`);
      continue;
    }
    try {
      for (const table of options.isSmoke ? SMOKE_TABLES : TABLES) {
        rows.push(await measure(engine, opened, table));
        process.stderr.write(`${engine} ${table.name} ${rows.at(-1)?.ratio.toFixed(2)}\n`);
      }
    } finally {
      await opened.stop();
    }
  }
  printReport(
    {
      bench: 'profiling',
      about: `a table profiled, beside the engine's own count and distinct counts in one statement; median of ${rounds}`,
      rows,
      figures: figuresOf(rows),
    },
    options,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** `--engine` may be given several times; without it all four are measured. */
function readOptions(args: string[]): BenchOptions & { readonly engines: readonly ProfiledEngine[] } {
  const { values } = parseArgs({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      engine: { type: 'string', multiple: true, default: [...ENGINES] },
    },
  });
  const engines = values.engine.map((name) => {
    const engine = ENGINES.find((known) => known === name);
    if (engine === undefined) throw new RangeError(`--engine is one of ${ENGINES.join(', ')}, not ${name}`);
    return engine;
  });
  return { isSmoke: values.smoke, output: readOutput(values.output), engines };
}

/** The ratio over all tables and the worst of each engine, and how the cost of a profile grows with rows and with columns. */
function figuresOf(rows: readonly Measured[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const engine of ENGINES) {
    const own = rows.filter((row) => row.engine === engine);
    if (own.length === 0) continue;
    const growth = (kind: string, size: 'rows' | 'columns') =>
      growthExponent(
        own.filter(({ table }) => table.startsWith(kind)).map((row) => [row[size], row.profileMs]),
      );
    const together = (part: 'profileMs' | 'scanMs') => own.reduce((sum, row) => sum + row[part], 0);
    figures[`${engine}RatioOfAll`] = together('profileMs') / together('scanMs');
    figures[`${engine}WorstRatio`] = Math.max(...own.map(({ ratio }) => ratio));
    if (options.isSmoke) continue;
    figures[`${engine}GrowthInRows`] = growth('rows', 'rows');
    figures[`${engine}GrowthInColumns`] = growth('columns', 'columns');
  }
  return figures;
}

async function measure(engine: ProfiledEngine, opened: BenchedEngine, made: MixedTable): Promise<Measured> {
  const url = await opened.make(made.name, makeMixedTable(engine, made));
  const database = guarded(await connect(url), { kind: 'own-queries' });
  try {
    const { tables } = await outlineCatalog(database);
    const table = tables[0];
    if (table === undefined) throw new Error(`${made.name} was not made`);
    // The first reading fills the caches: both sides would pay for it only once.
    await scan(database, table);
    const scanMs: number[] = [];
    const profileMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      scanMs.push(await scan(database, table));
      const from = performance.now();
      await profileTable(database, table);
      profileMs.push(performance.now() - from);
    }
    const figures = { scanMs: median(scanMs), profileMs: median(profileMs) };
    const { name, rows, columns } = made;
    return { engine, table: name, rows, columns, ...figures, ratio: figures.profileMs / figures.scanMs };
  } finally {
    await database.close();
  }
}

/** The peer: rows, values and distinct values of every column, in one statement. */
async function scan(database: Database, table: Table): Promise<number> {
  const counts = table.columns.flatMap(({ name }) => [`COUNT(${name})`, `COUNT(DISTINCT ${name})`]);
  const from = performance.now();
  await database.query(
    `SELECT ${['COUNT(*)', ...counts].join(', ')} FROM ${tableName(table, database.dialect)}`,
    LIMITS,
  );
  return performance.now() - from;
}
