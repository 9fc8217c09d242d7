/** Asks the chosen cases, several at a time, and keeps what came in the order of the files. */

import type { Answer } from '../../answer.ts';
import { type AskOptions, answerClarification, ask } from '../../answering/index.ts';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import { countLookUps } from '../../tracing/index.ts';
import { type AnswerLabel, questionKey } from '../../uncertainty/index.ts';
import type { ExpectRow } from '../corpus/question-row.ts';
import { askPlainly } from '../evaluation/ask-plainly.ts';
import type { Arm } from '../evaluation/case-record.ts';
import { toFailed } from '../evaluation/comparators/run-query.ts';
import { runSeveral } from '../evaluation/runs/run-recorded.ts';
import { checkNamedItems, type Judged, judgeTurn } from './judge-turn.ts';
import type { TestCase, TestTurn } from './test-result.ts';
import { type CaseResult, type CaseRun, isBad, statusOf, type TurnResult } from './test-result.ts';

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
  /** Hears of each answer with a risk whether it was right. */
  readonly onLabel?: (label: TestLabel) => void;
}

/** A label of an answer, without what its case was made of. */
type TestLabel = Omit<AnswerLabel, 'from'>;

interface TestProgress {
  readonly done: number;
  readonly total: number;
  readonly bad: number;
  readonly secondsLeft?: number;
}

type StoppedBy = 'cancel' | 'bail' | 'cost';

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
  const { arm, mode, tests, signal, maxCost, onLabel } = options;
  const started = performance.now();
  const runs: CaseRun[] = [];
  for (let draw = 0; draw < options.runs; draw++) {
    signal.throwIfAborted();
    runs.push(
      await askCase(tested, session, {
        ...{ arm, signal, onLabel },
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

// Asks one case, turn by turn, and judges what comes.

/** How a case is asked. */
interface AskedWith extends Pick<AskOptions, 'mode' | 'tests'>, Pick<RunTestsOptions, 'onLabel'> {
  /** `plain`: the model alone, with everything pasted into one prompt. */
  readonly arm?: Arm;
  readonly signal: AbortSignal;
}

/** What was said so far: a turn goes on from the questions, an answer belongs to the record before it. */
interface Talk {
  readonly after: readonly string[];
  readonly last?: Answer;
}

/**
 * One draw of a case. The turns are asked in order up to the first that is not as it should be: what comes after it was
 * written for another conversation. Throws only when the run is cancelled.
 */
async function askCase(tested: TestCase, session: Session, options: AskedWith): Promise<CaseRun> {
  const turns: TurnResult[] = [];
  let talk: Talk = { after: [] };
  for (const turn of tested.turns) {
    const { result, answer } = await askTurn(turn, { tested, talk, session }, options);
    turns.push(result);
    if (answer === undefined || result.problems.length > 0) return { turns, isRight: false };
    talk = { after: [...(turn.after ?? []), ...talk.after, ...goneOnFrom(answer)], last: answer };
  }
  return { turns, isRight: true };
}

/** What has no answer is not gone on from; one that was asked back is, as the question that the answer made of it. */
function goneOnFrom({ kind, question }: Answer): readonly string[] {
  return kind === 'answered' ? [question] : [];
}

interface TurnSetting {
  readonly tested: TestCase;
  readonly talk: Talk;
  readonly session: Session;
}

async function askTurn(
  turn: TestTurn,
  setting: TurnSetting,
  options: AskedWith,
): Promise<{ readonly result: TurnResult; readonly answer?: Answer }> {
  const { signal } = options;
  const { expect } = turn;
  const base = { says: turn.says.text, tokens: 0, ...(expect !== undefined && { expected: expect.kind }) };
  try {
    const { result, counts } = countLookUps(() => say(turn, setting, options));
    const answer = await result;
    const lookUps = { ...counts };
    const judged =
      expect === undefined ? { problems: [] } : await judgeTurn(answer, expect, setting.session, signal);
    if (options.onLabel !== undefined && expect !== undefined)
      for (const label of labelsOf(answer, { expect, ...judged }, setting, turn)) options.onLabel(label);
    return { result: { ...base, ...seen(answer), lookUps, ...judged }, answer };
  } catch (error) {
    signal.throwIfAborted();
    const failed = toFailed(error).error;
    return {
      result: {
        ...base,
        problems: [{ what: 'error', text: `asking failed: ${failed.message} (${failed.code})` }],
      },
    };
  }
}

/** None where the case cannot tell: its rows were not compared, or its own SQL fails. */
function labelsOf(
  answer: Answer,
  { expect, problems }: Judged & { readonly expect: ExpectRow },
  { talk, session }: TurnSetting,
  { hint, after = [] }: TestTurn,
): readonly TestLabel[] {
  const shipped = answer.kind === 'answered' ? answer.risk?.shipped : undefined;
  const isUnknown = problems.some(({ what }) => what === 'error' || what === 'expected-sql');
  const isLoose = expect.kind === 'answered' && expect.sql === undefined && expect.result === undefined;
  const isWrong = problems.length > 0;
  if (shipped === undefined || isUnknown || (isLoose && !isWrong)) return [];
  const question = questionKey({ question: answer.question, hint, after: [...after, ...talk.after] });
  return [{ ...shipped, question, isWrong, at: session.wallClock().toISOString() }];
}

function say(
  { says, hint, assume, after = [], previous }: TestTurn,
  { tested, talk, session }: TurnSetting,
  { arm, onLabel: _, ...options }: AskedWith,
): Promise<Answer> {
  const asking: AskOptions = {
    ...options,
    ...(hint !== undefined && { hint }),
    ...(assume !== undefined && { assume }),
    // Noon in UTC is the same day nearly everywhere.
    ...(tested.now !== undefined && { now: new Date(`${tested.now}T12:00:00Z`) }),
  };
  if (arm === 'plain')
    return askPlainly(inTalk(says.text, [...after, ...talk.after]), session, {
      ...asking,
      ...(previous !== undefined && { previous }),
    });
  if (says.kind === 'answer')
    return answerClarification(talk.last?.recordId ?? '', says.text, session, asking);
  const earlier = [...after, ...talk.after];
  return ask(says.text, session, {
    ...asking,
    ...(earlier.length > 0 && { after: earlier }),
    ...(previous !== undefined && { previous }),
  });
}

/** A model alone knows of earlier turns what stands in its one prompt. */
function inTalk(text: string, earlier: readonly string[]): string {
  return earlier.length === 0 ? text : `Earlier questions: ${earlier.join(' / ')}\nNow: ${text}`;
}

function seen(answer: Answer): Omit<TurnResult, 'says' | 'problems'> {
  const { kind: outcome, recordId, thinkMs, model } = answer;
  return {
    ...{ outcome, recordId, thinkMs },
    tokens: model === undefined ? 0 : model.promptTokens + model.completionTokens,
    ...costOf(answer),
    ...useOf(answer),
    ...(answer.kind === 'answered' ? { sql: answer.sql } : { said: saidBy(answer) }),
  };
}

/** Nothing where no model was asked; nobody knows where the model has no price. */
function costOf({ model }: Answer): { readonly cost?: number } {
  if (model === undefined || model.calls === 0) return { cost: 0 };
  return model.cost === undefined ? {} : { cost: model.cost };
}

function useOf({ model }: Answer): Pick<TurnResult, 'use'> {
  if (model === undefined) return {};
  const { calls, promptTokens, cachedTokens, completionTokens } = model;
  return { use: { calls, promptTokens, cachedTokens, completionTokens } };
}

function saidBy(answer: Exclude<Answer, { readonly kind: 'answered' }>): string {
  switch (answer.kind) {
    case 'reject':
      return answer.message;
    case 'abstain':
      return answer.reason;
    default:
      return answer.ask;
  }
}
