/** Runs a suite case by case, writes each record at once, and sums up. */
import { type FileHandle, open } from 'node:fs/promises';
import { connect, type QueryLimits } from '../../database/index.ts';
import type { EvaluationCase, Suite } from '../corpus/index.ts';
import { CASE_RECORD, type CaseAuthor, type CaseRecord } from './case-record.ts';
import { GOLD_LIMITS } from './comparators/run-query.ts';
import { computeMetrics, type Metrics } from './compute-metrics.ts';
import { type AskCase, type EvaluateOptions, evaluateCase, type ReadCase } from './evaluate-case.ts';
import { type CaseSelection, isSpent, newRunFile, Pace, selectCases } from './runs/run-file.ts';
import { reopenRecords } from './runs/run-record.ts';
import { runSeveral } from './runs/run-recorded.ts';

export interface SuiteProgress {
  readonly done: number;
  readonly total: number;
  readonly right: number;
  readonly answered: number;
  /** Of the cases still to come, from the pace so far; absent before the first is done. */
  readonly secondsLeft?: number;
}

export interface RunSuiteOptions extends CaseSelection, Omit<CaseAuthor, 'suite'> {
  readonly ask: AskCase;
  /** Absent: only what an answer offers counts as a reading. */
  readonly read?: ReadCase;
  /** Absent: nobody rates answers by the rubric. */
  readonly rate?: EvaluateOptions['rate'];
  /** Absent: recall is not measured. */
  readonly catalogOf?: EvaluateOptions['catalogOf'];
  /** Folder for the run's file, `<suite>-<stamp>.jsonl`. */
  readonly out: string;
  /** File of an earlier run to go on with; its cases are not asked again, but for those whose model could not be asked. */
  readonly resume?: string;
  /** Cases of one database that are asked at the same time; absent: one. */
  readonly concurrency?: number;
  /** Ask nothing more when the model has cost this many US dollars. */
  readonly maxCost?: number;
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
  /** False after a cancel or where the money was spent; the file can be resumed. */
  readonly isComplete: boolean;
  readonly excluded: Suite['excluded'];
}

const CASE_TIMEOUT_MS = 60_000;

/**
 * Asks every selected case and judges it. A cancel ends the run after the record before; the report says so. Throws
 * `test.cost-unknown` where `maxCost` cannot be held.
 * `await runSuite(suite, { ask, out: 'out/eval' })` → `{ suite: 'chinook', cases: 48, metrics: {…}, … }`
 */
export async function runSuite(suite: Suite, options: RunSuiteOptions): Promise<SuiteReport> {
  const started = performance.now();
  const { model, arm, mode } = options;
  const author = {
    suite: suite.name,
    ...(model !== undefined && { model }),
    ...(arm !== undefined && { arm }),
    ...(mode !== undefined && { mode }),
  };
  const selected = selectCases(suite.cases, options);
  const done = options.resume === undefined ? [] : await reopenRecords(options.resume, CASE_RECORD, author);
  const file =
    options.resume ??
    (await newRunFile(options.out, `${suite.name}${arm === 'plain' ? '-plain' : ''}`, options.now));
  const ids = new Set(selected.map(({ id }) => id));
  const records = done.filter(({ id }) => ids.has(id));
  await runCases(suite, { author, selected, records, file }, options);
  return {
    suite: suite.name,
    cases: records.length,
    metrics: computeMetrics(suite.name, records),
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    records,
    file,
    isComplete: records.length === selected.length,
    excluded: suite.excluded,
  };
}

interface SuiteWork {
  readonly author: CaseAuthor;
  readonly selected: readonly EvaluationCase[];
  /** Gets a record for each case that is done. */
  readonly records: CaseRecord[];
  readonly file: string;
}

/** Adds a record per case to `records` and to the file, database by database, until all are done or the run is to end. */
async function runCases(suite: Suite, work: SuiteWork, options: RunSuiteOptions): Promise<void> {
  const { onProgress, signal } = options;
  const { selected, records, file } = work;
  const known = new Set(records.map(({ id }) => id));
  const waiting = selected.filter(({ id }) => !known.has(id));
  const lines = await open(file, 'a');
  const pace = new Pace(waiting.length);
  const finish = async (record: CaseRecord): Promise<void> => {
    await writeLine(lines, record);
    records.push(record);
    onProgress?.({ ...tally(records), total: selected.length, secondsLeft: pace.step() });
  };
  try {
    for (const cases of byDatabase(waiting)) await runOnDatabase(suite, { ...work, cases, finish }, options);
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await lines.close();
  }
}

/** Cases come grouped by database, so one is open at a time. */
async function runOnDatabase(
  suite: Suite,
  work: SuiteWork & {
    readonly cases: readonly EvaluationCase[];
    readonly finish: (record: CaseRecord) => Promise<void>;
  },
  options: RunSuiteOptions,
): Promise<void> {
  const {
    ask,
    read,
    catalogOf,
    rate,
    concurrency = 1,
    limits = GOLD_LIMITS,
    caseTimeoutMs = CASE_TIMEOUT_MS,
    maxCost,
  } = options;
  const signal = options.signal ?? new AbortController().signal;
  const [first] = work.cases;
  if (first === undefined || signal.aborted || isSpent(work.records, maxCost)) return;
  const database = await connect(first.databaseUrl);
  const setting = {
    ...{
      author: work.author,
      policy: suite.policy,
      ask,
      database,
      limits,
      caseTimeoutMs,
      signal,
      catalogOf,
      rate,
    },
    ...(read === undefined ? {} : { read }),
  };
  const waiting = [...work.cases];
  const next = (): EvaluationCase | undefined =>
    signal.aborted || isSpent(work.records, maxCost) ? undefined : waiting.shift();
  try {
    await runSeveral(concurrency, next, async (asked) => {
      // A signal of its own for each case: many that listen to one look like a leak.
      await work.finish(await evaluateCase(asked, { ...setting, signal: AbortSignal.any([signal]) }));
    });
  } finally {
    await database.close();
  }
}

function byDatabase(cases: readonly EvaluationCase[]): readonly (readonly EvaluationCase[])[] {
  const urls = [...new Set(cases.map(({ databaseUrl }) => databaseUrl))];
  return urls.map((url) => cases.filter(({ databaseUrl }) => databaseUrl === url));
}

/** One write for each line, so that those of cases side by side do not mix. */
async function writeLine(lines: FileHandle, record: CaseRecord): Promise<void> {
  await lines.appendFile(`${JSON.stringify(record)}\n`);
}

function tally(records: readonly CaseRecord[]): { done: number; right: number; answered: number } {
  return {
    done: records.length,
    right: records.filter(({ correct }) => correct).length,
    answered: records.filter(({ outcome }) => outcome === 'answered').length,
  };
}
