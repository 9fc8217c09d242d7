/** Runs cases of any form, several at once: each record is a line of the run's file as soon as its case is judged. */
import { open } from 'node:fs/promises';
import type { z } from 'zod';
import { evenlySpread, isSpent, newRunFile, Pace } from './run-file.ts';
import { type RunAuthor, type RunRecord, reopenRecords } from './run-record.ts';

export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number;
}

/** What a person says of a run. */
export interface RunOptions extends Omit<RunAuthor, 'suite' | 'arm'> {
  /** Ask only this many cases, evenly spread. */
  readonly limit?: number;
  /** Folder for the run's file, `<suite>-<stamp>.jsonl`. */
  readonly out: string;
  /** File of an earlier run to go on with; its cases are not asked again, but for those whose model could not be asked. */
  readonly resume?: string;
  /** Cases that are asked at the same time; absent: one. */
  readonly concurrency?: number;
  /** Ask nothing more when the model has cost this many US dollars. */
  readonly maxCost?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  readonly now?: () => Date;
}

export interface RecordedRun<Case, Kept> {
  readonly suite: string;
  readonly cases: readonly Case[];
  readonly schema: z.ZodType<Kept>;
  readonly judge: (asked: Case, author: RunAuthor, signal: AbortSignal) => Promise<Kept>;
}

export interface RunReport<Kept> {
  readonly suite: string;
  readonly records: readonly Kept[];
  readonly seconds: number;
  /** The JSON lines file. */
  readonly file: string;
  /** False after a cancel or where the money was spent; the file can be resumed. */
  readonly isComplete: boolean;
}

/** A cancel ends the run with what is judged until then. Throws `test.cost-unknown` where `maxCost` cannot be held. */
export async function runRecorded<Case extends { readonly id: string }, Kept extends RunRecord & RunAuthor>(
  { suite, cases, schema, judge }: RecordedRun<Case, Kept>,
  options: RunOptions,
): Promise<RunReport<Kept>> {
  const started = performance.now();
  const { model, mode, limit, resume, concurrency = 1, maxCost, onProgress } = options;
  const signal = options.signal ?? new AbortController().signal;
  const author = { suite, model, mode };
  const selected = evenlySpread(cases, limit);
  const ids = new Set(selected.map(({ id }) => id));
  const done = resume === undefined ? [] : await reopenRecords(resume, schema, author);
  const records = done.filter(({ id }) => ids.has(id));
  const known = new Set(records.map(({ id }) => id));
  const waiting = selected.filter(({ id }) => !known.has(id));
  const pace = new Pace(waiting.length);
  const file = resume ?? (await newRunFile(options.out, suite, options.now));
  const lines = await open(file, 'a');
  const next = () => (signal.aborted || isSpent(records, maxCost) ? undefined : waiting.shift());
  try {
    await runSeveral(concurrency, next, async (asked) => {
      // A signal of its own for each case: many that listen to one look like a leak.
      const record = await judge(asked, author, AbortSignal.any([signal]));
      signal.throwIfAborted();
      await lines.appendFile(`${JSON.stringify(record)}\n`);
      records.push(record);
      onProgress?.({ done: records.length, total: selected.length, secondsLeft: pace.step() });
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lines.close();
  }
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  return { suite, records, seconds, file, isComplete: records.length === selected.length };
}

/**
 * Runs `work` on items, so many at once, until `next` gives no more or one fails. All that began are waited for, so that nothing
 * still runs when a session closes; then the first failure is thrown.
 */
export async function runSeveral<Item>(
  atOnce: number,
  next: () => Item | undefined,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  const ended = await Promise.allSettled(
    Array.from({ length: atOnce }, async () => {
      for (let item = next(); item !== undefined; item = hasFailed ? undefined : next()) {
        await work(item).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      }
    }),
  );
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
