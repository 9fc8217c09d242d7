import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import type { Session } from '../../../session/index.ts';
import { readRecordLines, reopenRecordLines } from '../../evaluation/runs/run-record.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import {
  BENCH_ITEM,
  type BenchItem,
  CATEGORIES,
  type Category,
  countCategories,
  type Split,
} from '../items/bench-item.ts';
import { type SynthesisProgress, synthesise } from './synthesise.ts';

export interface BuildBenchOptions {
  readonly session: Session;
  /** The same database without the guard; see `MutationSource`. */
  readonly engine: Database;
  /** The day that "today" means, YYYY-MM-DD. */
  readonly now: string;
  readonly split: Split;
  readonly seed: number;
  /** Items of all categories together. */
  readonly items: number;
  /** JSON lines file, one item a line. */
  readonly file: string;
  /** The file was begun by an earlier run and is gone on with. */
  readonly resume: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SynthesisProgress) => void;
}

export interface BuildReport {
  readonly file: string;
  readonly items: number;
  readonly perCategory: Readonly<Record<Category, number>>;
  readonly metrics: number;
  readonly dimensions: number;
  readonly entities: number;
  readonly attempts: number;
  readonly dropped: SynthesisProgress['dropped'];
  readonly seconds: number;
  /** False after a cancel, or where the database has nothing more to give. */
  readonly isComplete: boolean;
}

/** The items of a file. Throws `eval.run-invalid` with the line that is none. */
export async function readBench(path: string): Promise<readonly BenchItem[]> {
  return readRecordLines(path, BENCH_ITEM);
}

/**
 * Writes a balanced benchmark of the session's database, item by item, so that a run that stops loses nothing. Throws
 * `bench.nothing-to-ask` where there is no semantic model to make questions of.
 */
export async function buildBench(options: BuildBenchOptions): Promise<BuildReport> {
  const started = performance.now();
  const { session, now, items, file, signal, split, seed, resume } = options;
  const inventory = await readInventory({ ...session, now, signal });
  if (inventory.metrics.length === 0)
    throw new CandorError('bench.nothing-to-ask', 'The semantic model defines no metric.');
  const start = `${split}-${seed}-`;
  const done = await reopenItems(file, resume, ({ id }) =>
    id.startsWith(start)
      ? undefined
      : `was made with other options: it holds ${id}, and ${start}… is asked for`,
  );
  let progress: SynthesisProgress | undefined;
  const onProgress = (each: SynthesisProgress): void => {
    progress = each;
    options.onProgress?.(each);
  };
  const perCategory = Math.ceil(items / CATEGORIES.length);
  await mkdir(dirname(file), { recursive: true });
  const lines = await open(file, 'a');
  try {
    for await (const item of synthesise({ ...options, ...session, inventory, perCategory, done, onProgress }))
      await lines.appendFile(`${JSON.stringify(item)}\n`);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lines.close();
  }
  const all = await readBench(file);
  return {
    file,
    items: all.length,
    perCategory: countCategories((category) => all.filter((item) => item.category === category).length),
    metrics: inventory.metrics.length,
    dimensions: inventory.semantics.dimensions.length,
    entities: [...inventory.entities.values()].flat().length,
    attempts: progress?.attempts ?? 0,
    dropped: progress?.dropped ?? {},
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    isComplete: all.length >= perCategory * CATEGORIES.length,
  };
}

/**
 * What a run that stopped has written; nothing where there is no file. One that is there is never written over: without
 * `resume` it throws `bench.file-exists`. `faultOf` says why an item is of another run, which throws `eval.run-invalid`.
 */
export async function reopenItems(
  file: string,
  resume: boolean,
  faultOf: (item: BenchItem) => string | undefined,
): Promise<readonly BenchItem[]> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return [];
  if (!resume) throw new CandorError('bench.file-exists', `${file} is there already.`);
  return reopenRecordLines(file, BENCH_ITEM, faultOf);
}
