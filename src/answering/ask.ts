import type { Attributes } from '@opentelemetry/api';
import { type Answer, isRun } from '../answer.ts';
import { type Decision, mergeAnswer, type Request } from '../boundary/index.ts';
import { databaseAttributes } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import type { Boundary } from '../reasoning/roles/reading.ts';
import { questionBackOf, type Session } from '../session/index.ts';
import { ATTRIBUTES, inSpan, Trace } from '../tracing/index.ts';
import {
  type AnswerContext,
  type AnswerResult,
  type AskOptions,
  heldOptions,
  type Interpretation,
  millisecondsSince,
  targetOf,
} from './answer/answer-context.ts';
import { readOwnRecord, recordAnswer } from './answer/answer-records.ts';
import { buildAnswer, type Outcome } from './answer/build-answer.ts';
import { findRelatedIfAble } from './answer/find-related.ts';
import { answerWithEngine } from './answer-with-engine.ts';
import { answerWithPair, samePair } from './answer-with-pair.ts';
import { guardRefusal } from './assess/run-sql.ts';
import { afterRounds, applySavedClarifications, assuming } from './clarify/apply-saved-clarifications.ts';
import { askWhatSplits, fillClarifyOptions } from './clarify/ask-what-splits.ts';
import { type Measuring, measureAssumptions } from './clarify/measure-assumptions.ts';
import { type InterpretedRequest, interpret, ruleOut } from './question/interpret.ts';
import { readRequest } from './question/read-request.ts';
import { resolveTableScope } from './resolve-table-scope.ts';

export type { AskOptions } from './answer/answer-context.ts';

/**
 * Answers a question, or asks back, or refuses: one of the five outcomes, each with its evidence and a record.
 * Throws CandorError for a question that is none (`question.*`), when the database fails (`database.*`), and where a
 * language model is to answer, when that fails (`model.*`).
 */
export function ask(question: string, whole: Session, given: AskOptions = {}): Promise<Answer> {
  return inSpan('candor.ask', { attributes: questionAttributes(question, whole) }, async ({ tell }) => {
    const answer = await askTraced(question, whole, given);
    tell(answerAttributes(answer));
    return answer;
  });
}

async function askTraced(question: string, whole: Session, given: AskOptions): Promise<Answer> {
  const options = heldOptions(given, whole);
  const { session, tables } = await resolveTableScope(question, whole, options);
  const now = options.now ?? session.clock();
  const trace = new Trace(options.onProgress);
  const context: AnswerContext = { session, options, trace, now, start: performance.now() };

  const asked = await trace.stage('normalise', () =>
    readRequest(question, options.after ?? [], session, now),
  );
  const early = await trace.stage('precheck', () => ruleOut(asked, session, now));
  const first = early === null ? await interpret(asked, context) : refused(early, asked);
  const { interpretation, request, assumed } = await applySavedClarifications(first, context);
  const settled = await answerOrRefuse(interpretation, context);
  const { thinkMs } = settled;
  const told = afterRounds(assuming(settled.outcome, assumed), interpretation, options);
  const weighed = await measured(told, context, (id, choice, signal) =>
    ask(question, whole, {
      ...options,
      assume: { ...options.assume, [id]: choice },
      signal,
      measure: false,
      record: false,
      related: false,
      onProgress: () => {},
    }),
  );
  const outcome = isSettled(options) ? weighed : askWhatSplits(weighed, request.text);

  const found =
    options.related === false
      ? { related: [] }
      : await trace.stage('retrieve', () => findRelatedIfAble(request.text, session, options.signal));
  const at = session.wallClock();
  const answer = buildAnswer(outcome, {
    request,
    found,
    at,
    thinkMs,
    session,
    when: { now, hint: options.hint },
  });
  if (options.record !== false) {
    const targetRisk = targetOf(session, options);
    const { hint, after, mode, assume } = options;
    const rounds = options.merged?.rounds ?? 0;
    const stood = { links: interpretation.links, targetRisk, hint, after, mode, assume, tables, rounds };
    await recordAnswer(answer, session, { now, at, stood, trace });
  }
  return answer;
}

/** Whoever has answered a question back, or has seen an answer and goes on, gets an answer, which says what it assumes. */
function isSettled({ merged, goesOn = false }: AskOptions): boolean {
  return goesOn || (merged?.rounds ?? 0) > 0;
}

/** An answer whose rows are there says what its assumptions weigh. */
async function measured(
  outcome: Outcome,
  { session, options, trace }: AnswerContext,
  askAssuming: Measuring['askAssuming'],
): Promise<Outcome> {
  if (outcome.kind !== 'answered' || options.measure === false || !isRun(outcome)) return outcome;
  if (!outcome.assumptions.some(({ alternatives = [] }) => alternatives.length > 0)) return outcome;
  const { signal } = options;
  const assumptions = await trace.stage('measure', () =>
    measureAssumptions(outcome.assumptions, outcome, { session, askAssuming, signal }),
  );
  return { ...outcome, assumptions };
}

function refused(boundary: Boundary, request: Request): InterpretedRequest {
  const decision: Decision = { kind: 'boundary', boundary };
  return {
    interpretation: { decision, links: [], text: request.text, readings: [], unexplained: [], isRuled: true },
    request,
  };
}

/**
 * A verified pair for this very question answers it; a boundary ends it; else a model writes where the session has one, and the
 * built-in engine where not.
 */
async function answerRequest(interpretation: Interpretation, context: AnswerContext): Promise<AnswerResult> {
  const { decision, text, isRuled } = interpretation;
  const { models, examples } = context.session;
  const pair = isRuled ? undefined : samePair(text, examples, context.options);
  const verified = pair && (await answerWithPair(pair, interpretation, context));
  if (verified !== undefined) return verified;
  if (models !== undefined && isForModel(interpretation)) {
    // Most of the way from a question to a prompt is of no use without a model.
    const { answerWithModel } = await import('./answer-with-model.ts');
    return answerWithModel(interpretation, await models(), context);
  }
  if (decision.kind !== 'boundary') return answerWithEngine({ ...interpretation, decision }, context);
  const outcome = await fillClarifyOptions(decision.boundary, context);
  return { outcome, thinkMs: millisecondsSince(context.start) };
}

/**
 * Before the model only what it could not know better: a write request, what the project lists as out of scope, and a dimension that a
 * metric demands where every word of the question is understood. All else of the built-in engine is advice to it.
 */
function isForModel({ decision, unexplained, isRuled }: Interpretation): boolean {
  if (isRuled) return false;
  return decision.kind !== 'boundary' || decision.boundary.kind !== 'follow_up' || unexplained.length > 0;
}

/** What the guard refuses is an outcome: SQL of a model or a semantic file may ask for more than may be read. */
async function answerOrRefuse(interpretation: Interpretation, context: AnswerContext): Promise<AnswerResult> {
  try {
    return await answerRequest(interpretation, context);
  } catch (error) {
    const refusal = guardRefusal(error);
    if (refusal === undefined) throw error;
    const { reason, message, offending, nearest } = refusal;
    const cause = reason === 'unsafe' ? 'read-only' : 'no-access';
    const outcome: Outcome = { kind: 'reject', reason, cause, missing: offending, message, nearest };
    return { outcome, thinkMs: millisecondsSince(context.start) };
  }
}

/** What the span of a question says before it is answered: never its text, but where content is wanted. */
function questionAttributes(question: string, { database, config }: Session): Attributes {
  return {
    [ATTRIBUTES.genAiOperation]: 'invoke_workflow',
    [ATTRIBUTES.workflow]: 'candor.ask',
    ...databaseAttributes(database),
    [ATTRIBUTES.question]: config.traceContent ? question : undefined,
  };
}

/** What came of it: words of fixed lists, numbers, and the id by which `candor replay` finds the rest. */
function answerAttributes(answer: Answer): Attributes {
  return {
    [ATTRIBUTES.outcome]: answer.kind,
    [ATTRIBUTES.mode]: answer.model?.mode ?? 'engine',
    [ATTRIBUTES.record]: answer.recordId === '' ? undefined : answer.recordId,
    ...particulars(answer),
  };
}

function particulars(answer: Answer): Attributes {
  switch (answer.kind) {
    case 'answered':
      return {
        [ATTRIBUTES.rows]: answer.rows.length,
        [ATTRIBUTES.errorProbability]: answer.risk?.queryRisk,
      };
    case 'clarify':
      return { [ATTRIBUTES.reason]: answer.gap };
    case 'reject':
      return { [ATTRIBUTES.reason]: answer.cause };
    default:
      return {};
  }
}

/**
 * Answers a question back by number, label, words of one's own, "any" or "all": both are merged into a question that stands
 * alone, and that is asked as of the same day. Throws `record.*`, and `question.not-asked` where the answer fits none of its
 * options.
 */
export async function answerClarification(
  recordId: string,
  reply: string,
  session: Session,
  options: Omit<AskOptions, 'merged' | 'after'> = {},
): Promise<Answer> {
  const record = await readOwnRecord(recordId, session);
  const { now, hint, assume, mode, tables } = record;
  const back = questionBackOf(record);
  const merged = mergeAnswer(back, reply);
  if (merged.kind === 'unclear') throw new CandorError('question.not-asked', merged.because);
  const { question, assumed } = merged;
  return ask(question, session, {
    now: new Date(now),
    ...(hint !== undefined && { hint }),
    ...(assume !== undefined && { assume }),
    ...(mode !== undefined && { mode }),
    ...(tables !== undefined && { tables }),
    ...options,
    merged: { rounds: back.rounds + 1, ...(assumed !== undefined && { assumed }) },
  });
}
