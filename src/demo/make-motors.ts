import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { generateMotors } from './motors/generate-motors.ts';
import type { DemoWriter } from './motors/table-spec.ts';
import { MOTORS_TABLES } from './motors/tables.ts';

export interface MakeMotorsOptions {
  readonly engine: 'sqlite' | 'duckdb';
  /** The same seed gives the same rows. */
  readonly seed?: number;
  /** Share of the facts to make, in (0, 1]; 1 is about 300,000 rows. */
  readonly scale?: number;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface MadeMotors {
  readonly rows: Readonly<Record<string, number>>;
  readonly seconds: number;
}

const SEED = 20_240_331;
const FULL_ROWS = 300_000;
const FIXED_ROWS = 3_000;
const PROGRESS_ROWS = 10_000;

/**
 * Makes the Motors demo database at `path`, replacing what is there. The file appears whole or not at all;
 * it is written beside its place and renamed.
 */
export async function makeMotors(path: string, options: MakeMotorsOptions): Promise<MadeMotors> {
  const { engine, seed = SEED, scale = 1 } = options;
  if (!(scale > 0 && scale <= 1)) throw new RangeError(`scale must be in (0, 1], not ${scale}`);
  const started = performance.now();
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  await removeDatabase(draft);
  try {
    const writer = await openWriter(draft, engine);
    const rows = await writeRows(writer, { seed, scale }, options);
    await rm(`${path}.wal`, { force: true });
    await rename(draft, path);
    return { rows, seconds: (performance.now() - started) / 1000 };
  } finally {
    await removeDatabase(draft);
  }
}

/** DuckDB is loaded only by those who ask for it. */
async function openWriter(path: string, engine: MakeMotorsOptions['engine']): Promise<DemoWriter> {
  if (engine === 'duckdb') return (await import('./write-duckdb.ts')).openDuckdbWriter(path, MOTORS_TABLES);
  return (await import('./write-sqlite.ts')).openSqliteWriter(path, MOTORS_TABLES);
}

async function writeRows(
  writer: DemoWriter,
  size: { seed: number; scale: number },
  { onProgress, signal }: MakeMotorsOptions,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const expectedRows = Math.round(FIXED_ROWS + (FULL_ROWS - FIXED_ROWS) * size.scale);
  let total = 0;
  try {
    for (const row of generateMotors(size)) {
      await writer.add(row);
      counts[row.table] = (counts[row.table] ?? 0) + 1;
      total += 1;
      if (total % PROGRESS_ROWS !== 0) continue;
      onProgress?.({ done: total, total: Math.max(expectedRows, total) });
      // Lets a Ctrl-C and the progress line through.
      await setImmediate();
      signal?.throwIfAborted();
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  await writer.finish();
  onProgress?.({ done: total, total });
  return counts;
}

async function removeDatabase(path: string): Promise<void> {
  await Promise.all([rm(path, { force: true }), rm(`${path}.wal`, { force: true })]);
}
