/** What came of the cases of a run: plain data that survives JSON, but for cells. */
import type { ModelUse, OutcomeKind } from '../../answer.ts';
import type { LookUpCounts } from '../../tracing/index.ts';
import type { ExpectRow } from '../corpus/question-row.ts';
import type { RowDifference } from './row-difference.ts';

/** A case of `candor test`: what is said, turn by turn, and what is due. Gold SQL lives here and never leaves `lab/`. */
export interface TestTurn {
  /** What is said: a question, or the answer to the question back before it. */
  readonly says: { readonly kind: 'question' | 'answer'; readonly text: string };
  readonly hint?: string;
  readonly assume?: Readonly<Record<string, string>>;
  /** Earlier questions that are not asked here; the turns before come behind them. */
  readonly after?: readonly string[];
  readonly previous?: { readonly sql: string; readonly error: string };
  /** What is due; absent: any outcome will do, a later turn is judged. */
  readonly expect?: ExpectRow;
}

export interface TestCase {
  /** As it is shown: relative to where the tests are run. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  /** In its file, from 1. */
  readonly line: number;
  readonly id: string;
  readonly tags: readonly string[];
  /** The day that "today" means, YYYY-MM-DD; absent: as the project says. */
  readonly now?: string;
  /** Why it is not asked. */
  readonly skip?: string;
  /** Why it is known to fail. */
  readonly knownFailure?: string;
  readonly turns: readonly TestTurn[];
}

export interface TestFile {
  readonly file: string;
  readonly path: string;
  readonly cases: readonly TestCase[];
}

/** One thing that is not as it should be. */
export interface Problem {
  readonly what: 'outcome' | 'detail' | 'rows' | 'names' | 'expected-sql' | 'error';
  /** A sentence: what was expected and what came. */
  readonly text: string;
  readonly difference?: RowDifference;
}

export interface TurnResult {
  readonly says: string;
  readonly expected?: OutcomeKind;
  /** Absent where asking failed. */
  readonly outcome?: OutcomeKind;
  /** The query that came. */
  readonly sql?: string;
  /** What was said instead of an answer. */
  readonly said?: string;
  readonly recordId?: string;
  readonly thinkMs?: number;
  readonly tokens: number;
  /** What it took of the model; absent where none was asked. */
  readonly use?: Pick<ModelUse, 'calls' | 'promptTokens' | 'cachedTokens' | 'completionTokens'>;
  readonly lookUps?: LookUpCounts;
  /** In US dollars; absent where a model was asked and nobody says what it costs. */
  readonly cost?: number;
  /** The due reason, gap, metric or dimension was named; absent where none was due or another outcome came. */
  readonly isRightReason?: boolean;
  readonly problems: readonly Problem[];
}

/** One draw of a case. */
export interface CaseRun {
  readonly turns: readonly TurnResult[];
  readonly isRight: boolean;
}

/**
 * - `passed`, `failed`: every draw came as expected; none did. `flaky`: some did.
 * - `error`: no draw came as expected, and asking failed.
 * - `known`: fails, as the file says. `unexpected-pass`: the file says that it fails, and it does not.
 * - `skipped`: as the file says. `not-asked`: the run ended before.
 */
export type TestStatus =
  | 'passed'
  | 'failed'
  | 'flaky'
  | 'error'
  | 'known'
  | 'unexpected-pass'
  | 'skipped'
  | 'not-asked';

export interface CaseResult {
  readonly tested: TestCase;
  readonly status: TestStatus;
  readonly runs: readonly CaseRun[];
  readonly ms: number;
}

/** Whether a run must not pass with it. */
export function isBad({ status }: Pick<CaseResult, 'status'>): boolean {
  return status === 'failed' || status === 'flaky' || status === 'error' || status === 'unexpected-pass';
}

/** What becomes of a case by its draws. */
export function statusOf({ knownFailure }: TestCase, runs: readonly CaseRun[]): TestStatus {
  const right = runs.filter(({ isRight }) => isRight).length;
  if (knownFailure !== undefined) return right === runs.length ? 'unexpected-pass' : 'known';
  if (right === runs.length) return 'passed';
  if (right > 0) return 'flaky';
  const isError = runs.some(({ turns }) =>
    turns.some(({ problems }) => problems.some(({ what }) => what === 'error')),
  );
  return isError ? 'error' : 'failed';
}
