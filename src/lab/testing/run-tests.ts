/** Asks the chosen cases, several at a time, and keeps what came in the order of the files. */
import type { AskOptions } from '../../answering/index.ts';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session.ts';
import type { Arm } from '../evaluation/case-record.ts';
import { runSeveral } from '../run-several.ts';
import { askCase } from './ask-case.ts';
import { checkNamedItems } from './named-items.ts';
import type { TestCase } from './test-case.ts';
import { type CaseResult, type CaseRun, isBad, statusOf } from './test-result.ts';

export interface RunTestsOptions extends Pick<AskOptions, 'mode' | 'tests'> {
  readonly arm?: Arm;
  /** Draws of each case. */
  readonly runs: number;
  /** Cases that are asked at the same time. */
  readonly concurrency: number;
  /** Ask nothing more after the first case that is not as it should be. */
  readonly bail: boolean;
  /** Ask nothing more when this many US dollars are spent. */
  readonly maxCost?: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: TestProgress) => void;
}

export interface TestProgress {
  readonly done: number;
  readonly total: number;
  readonly bad: number;
  readonly secondsLeft?: number;
}

export type StoppedBy = 'cancel' | 'bail' | 'cost';

export interface TestRun {
  readonly results: readonly CaseResult[];
  /** Why not every case was asked; absent: all were. */
  readonly stoppedBy?: StoppedBy;
  readonly seconds: number;
}

/**
 * Runs the cases on one session. A cancel ends it with what is there. Throws `eval.case-invalid` where a case names tables
 * that the database does not have, and `test.cost-unknown` where `maxCost` cannot be held.
 */
export async function runTests(
  cases: readonly TestCase[],
  session: Session,
  options: RunTestsOptions,
): Promise<TestRun> {
  checkNamedItems(cases, session.catalog);
  const started = performance.now();
  const work = new Work(cases, options);
  try {
    await runSeveral(options.concurrency, work.next, async (at) =>
      work.finish(at, await drawCase(cases[at]!, session, options)),
    );
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
  const stoppedBy = options.signal.aborted && work.isUnfinished() ? 'cancel' : work.stoppedBy;
  return {
    results: work.results(),
    ...(stoppedBy !== undefined && { stoppedBy }),
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
  };
}

async function drawCase(tested: TestCase, session: Session, options: RunTestsOptions): Promise<CaseResult> {
  const { arm, mode, tests, signal, maxCost } = options;
  const started = performance.now();
  const runs: CaseRun[] = [];
  for (let draw = 0; draw < options.runs; draw++) {
    signal.throwIfAborted();
    runs.push(
      await askCase(tested, session, {
        ...{ arm, signal },
        ...(mode !== undefined && { mode }),
        ...(tests !== undefined && { tests }),
      }),
    );
  }
  const isPriceless = runs.some(({ turns }) => turns.some((turn) => turn.outcome && turn.cost === undefined));
  if (maxCost !== undefined && isPriceless)
    throw new CandorError('test.cost-unknown', 'Nobody says what a token of this model costs.');
  return { tested, status: statusOf(tested, runs), runs, ms: performance.now() - started };
}

/** What is still to be asked and what came; lives for one run. */
class Work {
  readonly #cases: readonly TestCase[];
  readonly #options: RunTestsOptions;
  readonly #results = new Map<number, CaseResult>();
  readonly #waiting: number[];
  readonly #total: number;
  readonly #started = performance.now();
  #spent = 0;
  stoppedBy: StoppedBy | undefined;

  constructor(cases: readonly TestCase[], options: RunTestsOptions) {
    this.#cases = cases;
    this.#options = options;
    this.#waiting = [...cases.keys()].filter((at) => cases[at]?.skip === undefined);
    this.#total = this.#waiting.length;
  }

  /** Place of the next case; undefined where nothing more is to be asked. */
  readonly next = (): number | undefined => {
    const { signal, maxCost } = this.#options;
    if (this.#waiting.length === 0 || this.stoppedBy !== undefined || signal.aborted) return undefined;
    if (maxCost !== undefined && this.#spent >= maxCost) {
      this.stoppedBy = 'cost';
      return undefined;
    }
    return this.#waiting.shift();
  };

  finish(at: number, result: CaseResult): void {
    this.#results.set(at, result);
    for (const { turns } of result.runs) for (const { cost = 0 } of turns) this.#spent += cost;
    if (this.#options.bail && isBad(result) && this.#waiting.length > 0) this.stoppedBy ??= 'bail';
    const done = this.#results.size;
    const perCase = (performance.now() - this.#started) / 1000 / done;
    this.#options.onProgress?.({
      ...{ done, total: this.#total, secondsLeft: perCase * (this.#total - done) },
      bad: [...this.#results.values()].filter(isBad).length,
    });
  }

  isUnfinished(): boolean {
    return this.#results.size < this.#total;
  }

  results(): readonly CaseResult[] {
    return this.#cases.map(
      (tested, at): CaseResult =>
        this.#results.get(at) ?? {
          ...{ tested, runs: [], ms: 0 },
          status: tested.skip === undefined ? 'not-asked' : 'skipped',
        },
    );
  }
}
