/** One case: run the gold, ask, run the predicted SQL, compare, judge; where it is not right, look at the other readings. */
import type { Answer, Answered } from '../../answer.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { QueryResult } from '../../database/index.ts';
import { countLookUps } from '../../tracing/index.ts';
import type { ComparisonPolicy, EvaluationCase, Expected } from '../corpus/index.ts';
import { bestGold, type GoldSet, goldItems } from '../linking/index.ts';
import { scoreItems } from '../linking/score/score-items.ts';
import type { CaseAuthor, CaseRecord } from './case-record.ts';
import { type Gold, runGold } from './comparators/gold.ts';
import { type Failed, type QuerySetting, runQuery, toFailed } from './comparators/run-query.ts';
import type { RateQuery } from './judge-by-rubric.ts';

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
  readonly author: CaseAuthor;
  readonly policy: ComparisonPolicy;
  readonly ask: AskCase;
  /** Absent: only what an answer offers is looked at. */
  readonly read?: ReadCase;
  /** Absent: what a query reads of the gold's tables and columns is not measured. */
  readonly catalogOf?: ((question: CaseQuestion) => Promise<Catalog>) | undefined;
  /** Absent: nobody rates answers by the rubric. */
  readonly rate?: RateQuery | undefined;
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
  const { result, counts } = countLookUps(() => askWithin(asked, options));
  const reply = await result;
  const lookUps = { ...counts };
  if (!reply.ok) return { verdict: verdictOfFailure(reply), error: reply.error, lookUps };
  const { answer } = reply;
  const recall = await recallOf(asked, answer, options);
  const rubric = await rubricOf(asked, answer, options);
  const judgement = { ...(await judgeOutcome(answer, { expect, gold }, options)), lookUps, recall, rubric };
  if (gold === undefined) return judgement;
  if (judgement.verdict === 'right') return { ...judgement, rightReading: 1 };
  const rightReading = await rankReadings(await readingsOf(asked, answer, options), gold, options);
  return { ...judgement, ...(rightReading === undefined ? {} : { rightReading }) };
}

/** Of a case that is due an answer; what is refused recalls nothing. */
async function recallOf(
  asked: EvaluationCase,
  answer: Answer,
  { catalogOf }: EvaluateOptions,
): Promise<CaseRecord['recall']> {
  const { expect } = asked;
  if (expect.kind !== 'answered' || catalogOf === undefined) return undefined;
  const sql = answer.kind === 'answered' ? answer.sql : undefined;
  return goldRecall(sql, [expect.sql, ...(expect.alternatives ?? [])], await catalogOf(visibleOf(asked)));
}

async function rubricOf(
  { question, expect }: EvaluationCase,
  answer: Answer,
  { rate, database, signal }: EvaluateOptions,
): Promise<CaseRecord['rubric']> {
  if (expect.kind !== 'answered' || rate === undefined) return undefined;
  const sql = answer.kind === 'answered' ? answer.sql : undefined;
  const golds = [expect.sql, ...(expect.alternatives ?? [])];
  const rating = await rate({ question, sql, golds, dialect: database.dialect }, signal);
  return 'failed' in rating ? rating : { ...rating, flags: [...rating.flags] };
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
    probability: answer.risk?.engineProbability ?? answer.probability,
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

/** Readings with a result of their own that are looked at: as many as a person is offered. */
const MOST_READINGS = 4;

/**
 * The place of the first reading that gives the gold result, from 1, counting only readings whose result no earlier
 * one has; those that give none are passed over. Undefined where none of the first four is right.
 */
async function rankReadings(
  readings: readonly string[],
  gold: Gold,
  setting: QuerySetting,
): Promise<number | undefined> {
  const seen: QueryResult[] = [];
  for (const sql of readings) {
    const ran = await runQuery(sql, setting);
    if (!ran.ok) continue;
    if (gold.judge(ran.result) === 'equal') return seen.length + 1;
    if (seen.some((earlier) => gold.compare(earlier, ran.result) === 'equal')) continue;
    seen.push(ran.result);
    if (seen.length === MOST_READINGS) return undefined;
  }
  return undefined;
}

/** How much of what a right query reads an answer reads too, each in [0, 1]. */
export interface GoldRecall {
  readonly tables: number;
  /** Absent where that query needs no column, as `SELECT COUNT(*) FROM t`. */
  readonly columns?: number;
}

const NOTHING = { tables: new Set<string>(), fields: new Set<string>() };

/**
 * Against the right query that is nearest. No query recalls nothing, nor does one that cannot be read; undefined where no right
 * query can be read.
 */
export function goldRecall(
  sql: string | undefined,
  rightQueries: readonly string[],
  catalog: Catalog,
): GoldRecall | undefined {
  const golds = rightQueries.flatMap((query): GoldSet[] => {
    const items = goldItems(query, catalog);
    return items.ok ? [items] : [];
  });
  const [first, ...others] = golds;
  if (first === undefined) return undefined;
  const read = sql === undefined ? undefined : goldItems(sql, catalog);
  const came = read?.ok ? read : NOTHING;
  const { tables, fields } = bestGold([first, ...others], came);
  const recall = { tables: scoreItems(tables, came.tables).recall };
  if (fields === null || fields.size === 0) return recall;
  return { ...recall, columns: scoreItems(fields, came.fields).recall };
}
