/** Runs a suite case by case, writes each record at once, and sums up. */
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Database, type QueryLimits } from '../../database/index.ts';
import type { EvaluationCase, Suite } from '../corpus/index.ts';
import { type CaseRecord, reopenRecords } from './case-record.ts';
import { computeMetrics, type Metrics } from './compute-metrics.ts';
import { type AskCase, evaluateCase, type ReadCase } from './evaluate-case.ts';
import { type CaseSelection, selectCases } from './select-cases.ts';

export interface SuiteProgress {
  readonly done: number;
  readonly total: number;
  readonly right: number;
  readonly answered: number;
  /** Of the cases still to come, from the pace so far; absent before the first is done. */
  readonly secondsLeft?: number;
}

export interface RunSuiteOptions extends CaseSelection {
  readonly ask: AskCase;
  /** Absent: only what an answer offers counts as a reading. */
  readonly read?: ReadCase;
  /** Folder for the run's file, `<suite>-<stamp>.jsonl`. */
  readonly out: string;
  /** File of an earlier run to go on with; its cases are not asked again. */
  readonly resume?: string;
  readonly onProgress?: (progress: SuiteProgress) => void;
  readonly signal?: AbortSignal;
  readonly now?: () => Date;
  readonly limits?: QueryLimits;
  readonly caseTimeoutMs?: number;
}

export interface SuiteReport {
  readonly suite: string;
  /** Cases that were asked, in this run or the one it resumes. */
  readonly cases: number;
  readonly metrics: Metrics;
  readonly seconds: number;
  readonly records: readonly CaseRecord[];
  /** The JSON lines file. */
  readonly file: string;
  /** False after a cancel; the file can be resumed. */
  readonly isComplete: boolean;
  readonly excluded: Suite['excluded'];
}

/** Wide enough that no gold result of our suites is cut. */
const LIMITS: QueryLimits = { rows: 500_000, bytes: 200_000_000, timeoutMs: 30_000 };
const CASE_TIMEOUT_MS = 60_000;

/**
 * Asks every selected case and judges it. A cancel ends the run after the record before; the report says so.
 * `await runSuite(suite, { ask, out: 'out/eval' })` → `{ suite: 'chinook', cases: 48, metrics: {…}, … }`
 */
export async function runSuite(suite: Suite, options: RunSuiteOptions): Promise<SuiteReport> {
  const started = performance.now();
  const selected = selectCases(suite.cases, options);
  const done = options.resume === undefined ? [] : await reopenRecords(options.resume, suite.name);
  const file = options.resume ?? (await makeFileName(suite.name, options));
  const ids = new Set(selected.map(({ id }) => id));
  const records = done.filter(({ id }) => ids.has(id));
  const isComplete = await runCases(suite, { selected, records, file }, options);
  return {
    suite: suite.name,
    cases: records.length,
    metrics: computeMetrics(suite.name, records),
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    records,
    file,
    isComplete,
    excluded: suite.excluded,
  };
}

async function makeFileName(
  suite: string,
  { out, now = () => new Date() }: RunSuiteOptions,
): Promise<string> {
  await mkdir(out, { recursive: true });
  const stamp = now().toISOString().replaceAll(':', '-').replace('Z', '');
  return join(out, `${suite}-${stamp}.jsonl`);
}

/** Adds a record per case to `records` and to the file; false when it was cancelled before the end. */
async function runCases(
  suite: Suite,
  work: { selected: readonly EvaluationCase[]; records: CaseRecord[]; file: string },
  options: RunSuiteOptions,
): Promise<boolean> {
  const { ask, read, onProgress, limits = LIMITS, caseTimeoutMs = CASE_TIMEOUT_MS } = options;
  const signal = options.signal ?? new AbortController().signal;
  const { selected, records, file } = work;
  const known = new Set(records.map(({ id }) => id));
  const waiting = selected.filter(({ id }) => !known.has(id));
  const lines = await open(file, 'a');
  const databases = new OpenDatabase();
  const pace = new Pace(waiting.length);
  try {
    for (const asked of waiting) {
      if (signal.aborted) return false;
      const database = await databases.get(asked.databaseUrl);
      const setting = {
        suite: suite.name,
        policy: suite.policy,
        ask,
        ...(read === undefined ? {} : { read }),
        database,
        limits,
        caseTimeoutMs,
        signal,
      };
      const record = await evaluateCase(asked, setting);
      await lines.appendFile(`${JSON.stringify(record)}\n`);
      records.push(record);
      onProgress?.({ ...tally(records), total: selected.length, secondsLeft: pace.step() });
    }
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    await lines.close();
    await databases.close();
  }
}

function tally(records: readonly CaseRecord[]): { done: number; right: number; answered: number } {
  return {
    done: records.length,
    right: records.filter(({ correct }) => correct).length,
    answered: records.filter(({ outcome }) => outcome === 'answered').length,
  };
}

/** Estimates the time left from the cases of this run. */
class Pace {
  readonly #started = performance.now();
  #done = 0;
  readonly #total: number;

  constructor(total: number) {
    this.#total = total;
  }

  step(): number {
    this.#done += 1;
    const perCase = (performance.now() - this.#started) / 1000 / this.#done;
    return perCase * (this.#total - this.#done);
  }
}

/** Keeps the database of the current case open; cases come grouped, so one at a time is enough. */
class OpenDatabase {
  #url = '';
  #database: Database | undefined;

  async get(url: string): Promise<Database> {
    if (this.#database !== undefined && this.#url === url) return this.#database;
    await this.close();
    this.#database = await connect(url);
    this.#url = url;
    return this.#database;
  }

  async close(): Promise<void> {
    const database = this.#database;
    this.#database = undefined;
    await database?.close();
  }
}
