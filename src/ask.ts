import type { Answer } from './answer.ts';
import { type AskOptions, targetOf } from './ask-options.ts';
import { beyondLearned, type Decision, precheck, type Request } from './boundary/index.ts';
import { fillChoices } from './fill-choices.ts';
import { findRelatedIfAble } from './find-related.ts';
import { guardRefusal } from './guard-refusal.ts';
import { heldOptions } from './hold-queries.ts';
import { readRequest } from './read-request.ts';
import type { Boundary } from './reasoning/index.ts';
import { recordAnswer } from './record-answer.ts';
import type { Session } from './session.ts';
import { settleByEngine } from './settle-by-engine.ts';
import { isForModel, settleByModel } from './settle-by-model.ts';
import { type Outcome, stampAnswer } from './stamp-answer.ts';
import { afterRounds, assuming, takeLearned } from './take-learned.ts';
import { type Thinking, think } from './think.ts';
import { millisecondsSince, type Settled, type Settling, type Thought } from './thought.ts';
import { Trace } from './trace.ts';
import { withinReach } from './within-reach.ts';

export type { AskOptions } from './ask-options.ts';

/**
 * Answers a question, or asks back, or refuses: one of the five outcomes, each with its evidence and a record.
 * Throws CandorError for a question that is none (`question.*`), when the database fails (`database.*`), and where a
 * language model is to answer, when that fails (`model.*`).
 */
export async function ask(question: string, whole: Session, given: AskOptions = {}): Promise<Answer> {
  const options = heldOptions(given, whole);
  const { session, tables } = await withinReach(question, whole, options);
  const now = options.now ?? session.clock();
  const trace = new Trace(options.onProgress);
  const settling: Settling = { session, options, trace, now, start: performance.now() };

  const asked = await trace.stage('normalise', () =>
    readRequest(question, options.after ?? [], session, now),
  );
  const early = await trace.stage(
    'precheck',
    () =>
      precheck(asked, session.semantics, session.knowledge.columnsHolding) ??
      beyondLearned(asked, session.isBeyond),
  );
  const first = early === null ? await think(asked, settling) : refused(early, asked);
  const { thought, request, assumed } = await takeLearned(first, settling);
  const settled = await settleOrRefuse(thought, settling);
  const { thinkMs } = settled;
  const outcome = afterRounds(assuming(settled.outcome, assumed), thought, options);

  const found =
    options.related === false
      ? { related: [] }
      : await trace.stage('retrieve', () => findRelatedIfAble(request.text, session, options.signal));
  const at = session.wallClock();
  const answer = stampAnswer(outcome, { request, found, at, thinkMs, session });
  if (options.record !== false) {
    const targetRisk = targetOf(session, options);
    const { hint, after, mode, assume } = options;
    const rounds = options.merged?.rounds ?? 0;
    const stood = { links: thought.links, targetRisk, hint, after, mode, assume, tables, rounds };
    await recordAnswer(answer, session, { now, at, stood, trace });
  }
  return answer;
}

function refused(boundary: Boundary, request: Request): Thinking {
  const decision: Decision = { kind: 'boundary', boundary };
  return { thought: { decision, links: [], text: request.text, readings: [] }, request };
}

/** A boundary ends it; else a model writes where the session has one, and the built-in engine where not. */
async function settle(thought: Thought, settling: Settling): Promise<Settled> {
  const { decision } = thought;
  const { models } = settling.session;
  if (models !== undefined && isForModel(decision)) return settleByModel(thought, await models(), settling);
  if (decision.kind !== 'boundary') return settleByEngine({ ...thought, decision }, settling);
  const outcome = await fillChoices(decision.boundary, settling);
  return { outcome, thinkMs: millisecondsSince(settling.start) };
}

/** What the guard refuses is an outcome: SQL of a model or a semantic file may ask for more than may be read. */
async function settleOrRefuse(thought: Thought, settling: Settling): Promise<Settled> {
  try {
    return await settle(thought, settling);
  } catch (error) {
    const refusal = guardRefusal(error);
    if (refusal === undefined) throw error;
    const { reason, message, offending, nearest } = refusal;
    const outcome: Outcome = { kind: 'reject', reason, missing: offending, message, nearest };
    return { outcome, thinkMs: millisecondsSince(settling.start) };
  }
}
