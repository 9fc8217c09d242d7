/** Every candidate of one question, drafted side by side. */

import { type Draft, type DraftDesk, draftQuery } from './draft-query.ts';
import { CandorError } from './errors.ts';
import { drawsFor } from './generation/index.ts';
import type { NotWritten, Reading, WriteQuestion } from './reasoning/index.ts';

export interface Drafting {
  readonly desk: DraftDesk;
  /** The question as each draw sees it; a seed shuffles tables and columns. */
  readonly questionFor: (seed?: number) => WriteQuestion;
  /** The built-in engine's readings, likeliest first, where they may be candidates. */
  readonly readings: readonly Reading[];
}

export interface Drafted {
  readonly drafts: readonly (Draft | NotWritten)[];
  /** What became of the draws that failed, for people. */
  readonly notes: readonly string[];
}

/** Every draw by itself, each over its own order of the schema; one that fails costs the others nothing. */
export async function draftAll({ desk, questionFor, readings }: Drafting): Promise<Drafted> {
  const draws = drawsFor(desk.mode.candidates);
  const drafting = draws.map((draw) =>
    draftQuery(questionFor(draws.length > 1 ? draw.index : undefined), draw, desk),
  );
  const settled = await Promise.allSettled(drafting);
  const drafts = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const fatal = failed.find((error) => drafts.length === 0 || isBug(error) || isCancelled(error));
  if (fatal !== undefined) throw fatal;
  const notes = failed.map((error) => `a draft was lost: ${error instanceof Error ? error.message : error}`);
  const [first] = desk.mode.engineVotes ? readings : [];
  if (first === undefined) return { drafts, notes };
  return { drafts: [...drafts, await engineDraft(first, draws.length, desk)], notes };
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
    by: 'engine',
    ...{ index, sql, explanation, verdict },
    assumptions: assumptions.map(({ text }) => text),
    ...(run?.ok === true && { result: run.result }),
    ...(run?.ok === false && { error: run.error }),
    rounds: { fixes: 0, revisions: 0 },
    story: ['written by the built-in engine'],
  };
}

function isBug(error: unknown): boolean {
  return !(error instanceof CandorError) || error.kind === 'bug';
}

function isCancelled(error: unknown): boolean {
  return error instanceof CandorError && error.code.endsWith('.cancelled');
}
