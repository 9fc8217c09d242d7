/** One case: run the gold, ask, run the predicted SQL, compare, judge. */
import type { Answer, Answered } from '../../answer.ts';
import type { Database, QueryLimits, QueryResult } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { ComparisonPolicy, EvaluationCase, Expected } from '../corpus/index.ts';
import type { CaseRecord } from './case-record.ts';
import { compareResults } from './comparators/index.ts';

/** What the asked side gets to see of a case: never what is expected. */
export type CaseQuestion = Pick<
  EvaluationCase,
  'id' | 'database' | 'databaseUrl' | 'question' | 'now' | 'previous'
>;

/** Asks one question; the evaluation does not know how the answer comes about. */
export type AskCase = (question: CaseQuestion, signal: AbortSignal) => Promise<Answer>;

export interface EvaluateOptions {
  readonly suite: string;
  readonly policy: ComparisonPolicy;
  readonly ask: AskCase;
  readonly database: Database;
  /** Bounds of the gold and of the predicted query. */
  readonly limits: QueryLimits;
  readonly caseTimeoutMs: number;
  readonly signal: AbortSignal;
}

type Judgement = Partial<CaseRecord> & Pick<CaseRecord, 'verdict'>;

/** Judges one case. Throws only when the run is cancelled; every other failure is part of the record. */
export async function evaluateCase(asked: EvaluationCase, options: EvaluateOptions): Promise<CaseRecord> {
  const { id, index, database, category, hardness, tags, question, expect } = asked;
  const judgement = await judge(asked, options);
  options.signal.throwIfAborted();
  return {
    suite: options.suite,
    id,
    index,
    database,
    ...(category === undefined ? {} : { category }),
    ...(hardness === undefined ? {} : { hardness }),
    tags: [...tags],
    question,
    expected: expect.kind,
    ...(expect.kind === 'answered' ? { gold: expect.sql } : {}),
    correct: judgement.verdict === 'right',
    ...judgement,
  };
}

async function judge(asked: EvaluationCase, options: EvaluateOptions): Promise<Judgement> {
  const { expect } = asked;
  const gold = expect.kind === 'answered' ? await run(expect.sql, options) : undefined;
  if (gold !== undefined && !gold.ok) return { verdict: 'gold-failed', error: gold.error };
  const reply = await askWithin(asked, options);
  if (!reply.ok) return { verdict: reply.isTimeout ? 'timeout' : 'error', error: reply.error };
  const { answer } = reply;
  const base = { outcome: answer.kind, thinkMs: answer.thinkMs };
  if (answer.kind !== 'answered') return { ...base, ...judgeRefusal(answer, expect) };
  const said = {
    ...base,
    sql: answer.sql,
    probability: answer.probability,
    ...(answer.risk && { risk: answer.risk.queryRisk }),
  };
  if (expect.kind !== 'answered' || gold === undefined) return { ...said, verdict: 'forced' };
  return { ...said, ...(await judgeAnswer(answer, { gold: gold.result, expect }, options)) };
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

async function judgeAnswer(
  answer: Answered,
  due: { gold: QueryResult; expect: Extract<Expected, { kind: 'answered' }> },
  options: EvaluateOptions,
): Promise<Judgement> {
  // The SQL is run again here: the answer's own rows may be cut by the limits for people.
  const predicted = await run(answer.sql, options);
  if (!predicted.ok) return { verdict: predicted.isTimeout ? 'timeout' : 'error', error: predicted.error };
  const verdict = compareResults(due.gold, predicted.result, {
    policy: options.policy,
    orderMatters: due.expect.orderMatters,
  });
  if (verdict !== 'undecided') return { verdict: verdict === 'equal' ? 'right' : 'wrong' };
  const message = 'no order of the columns was found within the bound of the search';
  return { verdict: 'wrong', error: { code: 'eval.undecided', message } };
}

interface Failed {
  readonly ok: false;
  readonly isTimeout: boolean;
  readonly error: { readonly code: string; readonly message: string };
}

async function run(
  sql: string,
  { database, limits, signal }: EvaluateOptions,
): Promise<{ ok: true; result: QueryResult } | Failed> {
  try {
    const result = await database.query(sql, limits, signal);
    if (result.truncatedBy === null) return { ok: true, result };
    const message = `the result is larger than the evaluation compares (cut by ${result.truncatedBy})`;
    return { ok: false, isTimeout: false, error: { code: 'eval.result-too-large', message } };
  } catch (error) {
    signal.throwIfAborted();
    return toFailed(error);
  }
}

/** Asks with a limit that holds even if the asked side does not listen to its signal. */
async function askWithin(
  asked: EvaluationCase,
  { ask, caseTimeoutMs, signal }: EvaluateOptions,
): Promise<{ ok: true; answer: Answer } | Failed> {
  const { id, database, databaseUrl, question, now, previous } = asked;
  const visible = {
    id,
    database,
    databaseUrl,
    question,
    now,
    ...(previous === undefined ? {} : { previous }),
  };
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
    const answer = await Promise.race([ask(visible, controller.signal), late]);
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

function toFailed(error: unknown): Failed {
  const code = error instanceof CandorError ? error.code : 'internal.bug';
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, isTimeout: code === 'database.timeout', error: { code, message } };
}
