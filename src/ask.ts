import type { Answer, Check } from './answer.ts';
import { type Decision, decide, precheck, type Request } from './boundary/index.ts';
import type { QueryResult } from './database/index.ts';
import { CandorError } from './errors.ts';
import { fillChoices } from './fill-choices.ts';
import { type FoundRelated, findRelatedIfAble } from './find-related.ts';
import { type Candidate, writeCandidates } from './generation/index.ts';
import { guardRefusal } from './guard-refusal.ts';
import { linkMentions } from './linking/index.ts';
import { readRequest } from './read-request.ts';
import { type Boundary, type Hypotheses, hypothesise } from './reasoning/index.ts';
import { recordAnswer } from './record-answer.ts';
import { type ScoredAnswer, scoreAnswer } from './score-answer.ts';
import type { Session } from './session.ts';
import { type Outcome, stampAnswer } from './stamp-answer.ts';
import { suggestChart } from './suggest-chart.ts';
import { Trace } from './trace.ts';
import { type ValidationContext, validateSql } from './validation/index.ts';

export interface AskOptions {
  /** What the question does not say itself: definitions, formulas, meanings of codes. */
  readonly hint?: string;
  /** False: stop before running the SQL. */
  readonly execute?: boolean;
  /** Earlier questions of the conversation, oldest first; looked at where the question goes on from them. */
  readonly after?: readonly string[];
  /** The present; the session's clock when absent. */
  readonly now?: Date;
  readonly signal?: AbortSignal;
  /** SQL that failed for this question, with the engine's words; the question is written anew. */
  readonly previous?: { readonly sql: string; readonly error: string };
  /** False: leave no record behind. */
  readonly record?: boolean;
  /** Share of the answers given that may be wrong, between 0 and 1; null: none is withheld; absent: as the project says. */
  readonly targetRisk?: number | null;
  /** False: notes and verified pairs that fit the question are not looked for. */
  readonly related?: boolean;
}

/**
 * Answers a question, or asks back, or refuses: one of the five outcomes, each with its evidence and a record.
 * Throws CandorError for a question that is none (`question.*`) and when the database fails (`database.*`).
 */
export async function ask(question: string, session: Session, options: AskOptions = {}): Promise<Answer> {
  const now = options.now ?? session.clock();
  const trace = new Trace();
  const start = performance.now();

  const request = await trace.stage('normalise', () =>
    readRequest(question, options.after ?? [], session, now),
  );
  const early = await trace.stage('precheck', () => precheck(request, session.semantics));
  const thought =
    early === null
      ? await think(request, session, { now, hint: options.hint }, trace)
      : { decision: refuse(early), links: [], text: request.text };
  const { outcome, thinkMs } = await settleOrRefuse(thought, session, options, trace, start);

  const found: FoundRelated =
    options.related === false
      ? { related: [] }
      : await trace.stage('retrieve', () => findRelatedIfAble(request.text, session, options.signal));
  const at = session.wallClock();
  const answer = stampAnswer(outcome, { request, found, at, thinkMs, session });
  if (options.record !== false) {
    const targetRisk = targetOf(session, options);
    const stood = { links: thought.links, targetRisk, hint: options.hint, after: options.after };
    await recordAnswer(answer, session, { now, at, stood, trace });
  }
  return answer;
}

/** What the question may mean here, and what follows from it. */
interface Thought {
  readonly decision: Decision;
  /** Which words name what of the schema; none when the words alone decided. */
  readonly links: readonly string[];
  /** The question as the stages read it. */
  readonly text: string;
  readonly chart?: Hypotheses['chart'];
}

async function think(
  request: Request,
  session: Session,
  { now, hint }: { readonly now: Date; readonly hint: string | undefined },
  trace: Trace,
): Promise<Thought> {
  const hypotheses = await trace.stage('hypothesise', () =>
    hypothesise(request.text, session.knowledge, now, hint),
  );
  const links = await trace.stage('link', () => linkMentions(hypotheses.mentions));
  const decision = await trace.stage('decide', () => decide(request, hypotheses, session.config));
  return { decision, links, text: request.text, chart: hypotheses.chart };
}

function refuse(boundary: Boundary): Decision {
  return { kind: 'boundary', boundary };
}

/** What the guard refuses is an outcome: SQL of a model or a semantic file may ask for more than may be read. */
async function settleOrRefuse(...given: Parameters<typeof settle>): ReturnType<typeof settle> {
  const [, , , , start] = given;
  try {
    return await settle(...given);
  } catch (error) {
    const refusal = guardRefusal(error);
    if (refusal === undefined) throw error;
    const { reason, message, offending, nearest } = refusal;
    const outcome: Outcome = { kind: 'reject', reason, missing: offending, message, nearest };
    return { outcome, thinkMs: millisecondsSince(start) };
  }
}

/** Decision to outcome: candidates are written, validated in turn, and the first sound one is assessed and run. */
async function settle(
  { decision, text, chart }: Thought,
  session: Session,
  options: AskOptions,
  trace: Trace,
  start: number,
): Promise<{ outcome: Outcome; thinkMs: number }> {
  const elapsed = (): number => millisecondsSince(start);
  if (decision.kind === 'boundary')
    return {
      outcome: await fillChoices(decision.boundary, session, options.signal, trace),
      thinkMs: elapsed(),
    };
  const candidates = await trace.stage('write', () =>
    withoutFailed(writeCandidates(decision.readings), options.previous?.sql),
  );
  if (decision.kind === 'abstain')
    return { outcome: { kind: 'abstain', reason: decision.reason, candidates }, thinkMs: elapsed() };

  const checked = await trace.stage('validate', () =>
    firstSound(worthAnswering(candidates, session), {
      catalog: session.catalog,
      database: session.database,
      signal: options.signal,
    }),
  );
  if ('errors' in checked) {
    const reason = `No candidate passed the checks: ${checked.errors.join('; ')}`;
    return { outcome: { kind: 'abstain', reason, candidates }, thinkMs: elapsed() };
  }
  const scored = await trace.stage('score', () =>
    scoreAnswer(checked.candidate, session, {
      question: text,
      ...(options.hint !== undefined && { hint: options.hint }),
      targetRisk: targetOf(session, options),
      signal: options.signal,
    }),
  );
  const thinkMs = elapsed();
  if (scored.kind === 'withheld')
    return { outcome: { kind: 'abstain', reason: scored.reason, candidates }, thinkMs };
  const chosen = scored.kind === 'scored' ? scored.candidate : checked.candidate;
  const result =
    options.execute === false
      ? null
      : await trace.stage('execute', () => runCapped(chosen.sql, session, options.signal));
  if (result instanceof CandorError)
    return { outcome: { kind: 'abstain', reason: result.message, candidates }, thinkMs };
  const others = candidates.filter((other) => other !== checked.candidate);
  const outcome = answered({ ...checked, candidate: chosen }, others, { scored, result, chart });
  return { outcome, thinkMs };
}

/** What is not sure enough by itself is none the surer because a better one cannot run. */
function worthAnswering(
  candidates: readonly Candidate[],
  { config: { minProbability } }: Session,
): readonly Candidate[] {
  return candidates.filter(({ probability }, place) => place === 0 || probability >= minProbability);
}

function targetOf({ config }: Session, { targetRisk = config.targetRisk }: AskOptions): number | undefined {
  return targetRisk ?? undefined;
}

/** A query beyond the plan limits is not run; that leaves a candidate without an answer, not a failure. */
async function runCapped(
  sql: string,
  { database, config }: Session,
  signal: AbortSignal | undefined,
): Promise<QueryResult | CandorError> {
  try {
    return await database.query(sql, config.limits, signal);
  } catch (error) {
    if (error instanceof CandorError && error.code === 'database.too-expensive') return error;
    throw error;
  }
}

function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}

/** The SQL that failed before is not offered again. */
function withoutFailed(candidates: readonly Candidate[], failed: string | undefined): readonly Candidate[] {
  const bare = (sql: string): string =>
    sql
      .toLowerCase()
      .replace(/[\s;]+/g, ' ')
      .trim();
  return failed === undefined
    ? candidates
    : candidates.filter((candidate) => bare(candidate.sql) !== bare(failed));
}

interface Sound {
  readonly candidate: Candidate;
  readonly checks: readonly Check[];
}

/** The first candidate that passes every check, or what was wrong with the first one. */
async function firstSound(
  candidates: readonly Candidate[],
  context: ValidationContext,
): Promise<Sound | { readonly errors: readonly string[] }> {
  let firstErrors: readonly string[] | undefined;
  for (const candidate of candidates) {
    const { ok, checks, errors } = await validateSql(candidate.sql, context);
    if (ok) return { candidate, checks };
    firstErrors ??= errors;
  }
  return { errors: firstErrors ?? [] };
}

/** What came of the chosen SQL. */
interface Ran {
  readonly scored: ScoredAnswer;
  /** Null: it was not run. */
  readonly result: QueryResult | null;
  readonly chart: Hypotheses['chart'];
}

function answered(
  { candidate, checks }: Sound,
  others: readonly Candidate[],
  { scored, result, chart }: Ran,
): Outcome {
  const executed: Check =
    result === null
      ? { name: 'execute', passed: false, detail: 'not run' }
      : {
          name: 'execute',
          passed: true,
          detail: `${result.rows.length} rows`,
        };
  return {
    kind: 'answered',
    sql: candidate.sql,
    columns: result?.columns ?? [],
    rows: result?.rows ?? [],
    truncatedBy: result?.truncatedBy ?? null,
    ...(result !== null && chart !== undefined && suggestChart(chart, result)),
    explanation: candidate.explanation,
    probability: candidate.probability,
    ...(scored.kind === 'scored' && { risk: scored.risk }),
    ...(scored.kind === 'unassessed' && { unassessed: scored.because }),
    evidence: candidate.evidence,
    assumptions: candidate.assumptions,
    checks: [...checks, executed],
    alternatives: others.map((other) => ({ label: other.explanation, question: '', sql: other.sql })),
  };
}
