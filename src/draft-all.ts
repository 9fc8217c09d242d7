/** Every candidate of one question, drafted side by side. */

import { draftDesk } from './draft-desk.ts';
import { type Draft, type DraftDesk, draftQuery } from './draft-query.ts';
import { CandorError } from './errors.ts';
import { drawsFor, type ModeSettings } from './generation/index.ts';
import type { LinkedQuestion } from './link-question.ts';
import type { Mind } from './open-mind.ts';
import type { NotWritten, Reading } from './reasoning/index.ts';
import type { Settling, Thought } from './thought.ts';
import { writeQuestionOf } from './write-question-of.ts';

export interface Drafting {
  readonly mind: Mind;
  readonly mode: ModeSettings;
  readonly settling: Settling;
}

/** Every draw by itself, each over its own order of the schema; one that fails costs the others nothing. */
export async function draftAll(
  { readings }: Thought,
  { question: { question: text }, linked, retrieved }: LinkedQuestion,
  { mind, mode, settling }: Drafting,
): Promise<readonly (Draft | NotWritten)[]> {
  if (linked === null || retrieved === null) return [];
  const { session, options, now } = settling;
  const { hint, signal } = options;
  const desk = draftDesk({ session, writer: mind.writer, mode, linked, retrieved, signal });
  const draws = drawsFor(mode.candidates);
  const parts = {
    text,
    hint,
    linked,
    retrieved,
    now,
    ledger: mind.ledger,
    sharing: mind.writer.sharing ?? 'all',
    signal,
  };
  const drafting = draws.map((draw) => {
    const seed = draws.length > 1 ? { seed: draw.index } : {};
    return draftQuery(writeQuestionOf({ ...parts, ...seed }), draw, desk);
  });
  const settled = await Promise.allSettled(drafting);
  const drafts = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [failed] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (failed !== undefined && (drafts.length === 0 || isCancelled(failed))) throw failed;
  const [first] = mode.engineVotes ? readings : [];
  if (first === undefined || first.probability < session.config.minProbability) return drafts;
  return [...drafts, await engineDraft(first, draws.length, desk)];
}

/** The built-in engine's first reading as a candidate of its own. */
async function engineDraft(
  { sql, explanation, assumptions }: Reading,
  index: number,
  desk: DraftDesk,
): Promise<Draft> {
  const verdict = await desk.check(sql);
  const run = verdict.ok ? await desk.run?.(sql) : undefined;
  return {
    ...{ index, sql, explanation, verdict },
    assumptions: assumptions.map(({ text }) => text),
    ...(run?.ok === true && { result: run.result }),
    ...(run?.ok === false && { error: run.error }),
    doubts: run?.ok === true ? run.doubts : [],
    rounds: { fixes: 0, revisions: 0 },
    story: ['written by the built-in engine'],
  };
}

function isCancelled(error: unknown): boolean {
  return error instanceof CandorError && error.code.endsWith('.cancelled');
}
