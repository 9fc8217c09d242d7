/** One case: run the gold, ask, run the predicted SQL, compare, judge; where it is not right, look at the other readings. */
import type { Answer, Answered } from '../../answer.ts';
import type { ComparisonPolicy, EvaluationCase, Expected } from '../corpus/index.ts';
import type { CaseRecord, RunAuthor } from './case-record.ts';
import { type Gold, runGold } from './gold.ts';
import { rankReadings } from './rank-readings.ts';
import { type Failed, type QuerySetting, runQuery, toFailed } from './run-query.ts';

/** What the asked side gets to see of a case: never what is expected. */
export type CaseQuestion = Pick<
  EvaluationCase,
  'id' | 'database' | 'databaseUrl' | 'question' | 'hint' | 'now' | 'previous'
>;

/** Asks one question; the evaluation does not know how the answer comes about. */
export type AskCase = (question: CaseQuestion, signal: AbortSignal) => Promise<Answer>;

/** SQL of every reading of a question, best first, also where it was not answered. */
export type ReadCase = (question: CaseQuestion, signal: AbortSignal) => Promise<readonly string[]>;

export interface EvaluateOptions extends QuerySetting {
  readonly author: RunAuthor;
  readonly policy: ComparisonPolicy;
  readonly ask: AskCase;
  /** Absent: only what an answer offers is looked at. */
  readonly read?: ReadCase;
  readonly caseTimeoutMs: number;
}

type Judgement = Partial<CaseRecord> & Pick<CaseRecord, 'verdict'>;

/** Judges one case. Throws only when the run is cancelled; every other failure is part of the record. */
export async function evaluateCase(asked: EvaluationCase, options: EvaluateOptions): Promise<CaseRecord> {
  const { id, index, database, category, hardness, tags, question, hint, expect } = asked;
  const judgement = await judge(asked, options);
  options.signal.throwIfAborted();
  return {
    ...options.author,
    id,
    index,
    database,
    ...(category === undefined ? {} : { category }),
    ...(hardness === undefined ? {} : { hardness }),
    tags: [...tags],
    question,
    ...(hint === undefined ? {} : { hint }),
    expected: expect.kind,
    ...(expect.kind === 'answered' ? { gold: expect.sql } : {}),
    correct: judgement.verdict === 'right',
    ...judgement,
  };
}

async function judge(asked: EvaluationCase, options: EvaluateOptions): Promise<Judgement> {
  const { expect } = asked;
  const gold = expect.kind === 'answered' ? await runGold(expect, options) : undefined;
  if (gold !== undefined && !gold.ok) return { verdict: 'gold-failed', error: gold.error };
  const reply = await askWithin(asked, options);
  if (!reply.ok) return { verdict: verdictOfFailure(reply), error: reply.error };
  const { answer } = reply;
  const judgement = await judgeOutcome(answer, { expect, gold }, options);
  if (gold === undefined) return judgement;
  if (judgement.verdict === 'right') return { ...judgement, rightReading: 1 };
  const rightReading = await rankReadings(await readingsOf(asked, answer, options), gold, options);
  return { ...judgement, ...(rightReading === undefined ? {} : { rightReading }) };
}

function verdictOfFailure({ isTimeout, error }: Failed): CaseRecord['verdict'] {
  if (error.code === 'model.not-recorded') return 'not-recorded';
  return isTimeout ? 'timeout' : 'error';
}

async function judgeOutcome(
  answer: Answer,
  { expect, gold }: { readonly expect: Expected; readonly gold: Gold | undefined },
  options: EvaluateOptions,
): Promise<Judgement> {
  const base = { outcome: answer.kind, thinkMs: answer.thinkMs, ...useOf(answer) };
  if (answer.kind !== 'answered') return { ...base, ...judgeRefusal(answer, expect) };
  const said = {
    ...base,
    sql: answer.sql,
    isMarked: isMarked(answer),
    probability: answer.probability,
    ...(answer.risk && { risk: answer.risk.queryRisk }),
    ...(answer.risk?.sqlRisk !== undefined && { sqlRisk: answer.risk.sqlRisk }),
  };
  if (expect.kind !== 'answered' || gold === undefined) return { ...said, verdict: 'forced' };
  return { ...said, ...(await judgeAnswer(answer, gold, options)) };
}

function useOf({ model }: Answer): Pick<CaseRecord, 'use'> {
  if (model === undefined) return {};
  const { calls, promptTokens, completionTokens, cachedTokens, cost } = model;
  const known = { ...(cachedTokens !== undefined && { cachedTokens }), ...(cost !== undefined && { cost }) };
  return { use: { calls, promptTokens, completionTokens, ...known } };
}

/** Whether somebody who reads the answer is told that it may not be what was asked for. */
export function isMarked({ assumptions, unused = [], checks, risk }: Answered): boolean {
  return (
    assumptions.length > 0 ||
    unused.length > 0 ||
    checks.some(({ passed }) => !passed) ||
    risk?.action === 'warn'
  );
}

function judgeRefusal(answer: Exclude<Answer, Answered>, expect: Expected): Judgement {
  const said = saidBy(answer);
  if (expect.kind === 'answered') return { verdict: 'declined', said };
  if (expect.kind !== answer.kind) return { verdict: 'misjudged', said };
  const hasReason = expect.kind === 'reject' && answer.kind === 'reject' && expect.reason !== undefined;
  return { verdict: 'right', said, ...(hasReason ? { rightReason: answer.reason === expect.reason } : {}) };
}

function saidBy(answer: Exclude<Answer, Answered>): string {
  switch (answer.kind) {
    case 'reject':
      return `${answer.reason}: ${answer.message}`;
    case 'abstain':
      return answer.reason;
    default:
      return answer.ask;
  }
}

async function judgeAnswer(answer: Answered, gold: Gold, options: EvaluateOptions): Promise<Judgement> {
  // The SQL is run again here: the answer's own rows may be cut by the limits for people.
  const predicted = await runQuery(answer.sql, options);
  if (!predicted.ok) return { verdict: predicted.isTimeout ? 'timeout' : 'error', error: predicted.error };
  const verdict = gold.judge(predicted.result);
  if (verdict !== 'undecided') return { verdict: verdict === 'equal' ? 'right' : 'wrong' };
  const message = 'no order of the columns was found within the bound of the search';
  return { verdict: 'wrong', error: { code: 'eval.undecided', message } };
}

/** What a person could have been given: of an answer itself and its alternatives, else all readings there are. */
async function readingsOf(
  asked: EvaluationCase,
  answer: Answer,
  { read, signal }: EvaluateOptions,
): Promise<readonly string[]> {
  if (answer.kind === 'answered') return [answer.sql, ...answer.alternatives.flatMap(({ sql }) => sql ?? [])];
  return read === undefined ? [] : read(visibleOf(asked), signal);
}

/** Asks with a limit that holds even if the asked side does not listen to its signal. */
async function askWithin(
  asked: EvaluationCase,
  { ask, caseTimeoutMs, signal }: EvaluateOptions,
): Promise<{ ok: true; answer: Answer } | Failed> {
  const controller = new AbortController();
  let giveUp: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => {
    giveUp = () => {
      controller.abort(signal.reason);
      resolve('late');
    };
  });
  const timer = setTimeout(giveUp, caseTimeoutMs);
  signal.addEventListener('abort', giveUp);
  try {
    const answer = await Promise.race([ask(visibleOf(asked), controller.signal), late]);
    signal.throwIfAborted();
    if (answer !== 'late') return { ok: true, answer };
    const message = `no outcome within ${caseTimeoutMs} ms`;
    return { ok: false, isTimeout: true, error: { code: 'eval.timeout', message } };
  } catch (error) {
    signal.throwIfAborted();
    return toFailed(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

function visibleOf(asked: EvaluationCase): CaseQuestion {
  const { id, database, databaseUrl, question, now, hint, previous } = asked;
  return {
    ...{ id, database, databaseUrl, question, now },
    ...(hint === undefined ? {} : { hint }),
    ...(previous === undefined ? {} : { previous }),
  };
}
