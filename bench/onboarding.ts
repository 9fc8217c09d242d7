/**
 * Onboarding of Motors beside the engine's own scan of the same columns.
 * `npx tsx bench/onboarding.ts [--smoke] [--output json]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Database, type DatabaseSchema } from '../src/database/index.ts';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { onboard } from '../src/onboarding/onboard.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent, median } from './figures.ts';
import { type BenchEngine, makeMotorsFile } from './make-motors-file.ts';
import { printReport } from './print-report.ts';

const ENGINES: readonly BenchEngine[] = ['sqlite', 'duckdb'];
const SCALES = [0.1, 0.3, 1, 3];
const SMOKE_SCALES = [0.01, 0.02];
/** Scan and onboarding take turns, so that a slow moment of the machine meets both. */
const ROUNDS = 3;
const LIMITS = { rows: 10, bytes: 1_000_000, timeoutMs: 300_000 };

type Measured = Readonly<Record<'scale' | 'rows' | 'scanMs' | 'onboardMs' | 'reuseMs' | 'ratio', number>> & {
  readonly engine: BenchEngine;
};

const options = readBenchOptions();
const rounds = options.isSmoke ? 1 : ROUNDS;
const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
try {
  const rows: Measured[] = [];
  for (const engine of ENGINES)
    for (const scale of options.isSmoke ? SMOKE_SCALES : SCALES) rows.push(await measure(engine, scale));

  const growth = (engine: BenchEngine, key: 'scanMs' | 'onboardMs'): number =>
    growthExponent(rows.filter((row) => row.engine === engine).map((row) => [row.rows, row[key]]));
  printReport(
    {
      bench: 'onboarding',
      about: `Motors onboarded, beside the engine's own count and distinct counts; median of ${rounds}`,
      rows,
      figures: {
        sqliteOnboardGrowth: growth('sqlite', 'onboardMs'),
        sqliteScanGrowth: growth('sqlite', 'scanMs'),
        duckdbOnboardGrowth: growth('duckdb', 'onboardMs'),
        duckdbScanGrowth: growth('duckdb', 'scanMs'),
      },
    },
    options,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(engine: BenchEngine, scale: number): Promise<Measured> {
  const path = join(folder, `motors-${scale}.${engine}`);
  const rows = await makeMotorsFile(path, engine, scale);
  const database = await connect(`${engine}:${path}`);
  try {
    // The first reading starts the engine and fills the file cache: both sides would pay for it only once.
    const schema = await database.readSchema();
    await scan(database, schema);
    const scanMs: number[] = [];
    const onboardMs: number[] = [];
    const reuseMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      scanMs.push(await scan(database, schema));
      const directory = join(folder, `derived-${engine}-${scale}-${round}`);
      onboardMs.push(await timeOnboarding(database, directory, false));
      reuseMs.push(await timeOnboarding(database, directory, true));
    }
    const figures = { scanMs: median(scanMs), onboardMs: median(onboardMs), reuseMs: median(reuseMs) };
    return { engine, scale, rows, ...figures, ratio: figures.onboardMs / figures.scanMs };
  } finally {
    await database.close();
  }
}

/** The peer: the engine counts rows and distinct values of every column, in one statement a table. */
async function scan(database: Database, schema: DatabaseSchema): Promise<number> {
  const from = performance.now();
  for (const table of schema.tables) {
    const counts = table.columns.map((column) => `COUNT(DISTINCT ${column.name})`);
    await database.query(`SELECT COUNT(*), ${counts.join(', ')} FROM ${table.name}`, LIMITS);
  }
  return performance.now() - from;
}

async function timeOnboarding(database: Database, directory: string, isReuse: boolean): Promise<number> {
  const from = performance.now();
  const { reused } = await onboard(database, { directory, semantics: emptySemanticModel });
  const ms = performance.now() - from;
  if (reused !== isReuse) throw new Error(`onboarding ${isReuse ? 'did not reuse' : 'reused'} ${directory}`);
  return ms;
}
