/** A language model's part of `candor fix`: what rules could not mend. */
import { draftDesk } from './draft-desk.ts';
import { mendQuery } from './draft-query.ts';
import type { LeftToMend, Mended } from './fix-query.ts';
import { ANSWER_MODES } from './generation/index.ts';
import { instructionsOf } from './instructions-of.ts';
import { linkingOf, linkQuestion } from './link-question.ts';
import { openMind } from './open-mind.ts';
import type { SessionModels } from './open-models.ts';
import type { Session } from './session.ts';
import { writeQuestionOf } from './write-question-of.ts';

/** As long as a question may be. */
const MOST_CHARACTERS = 2_000;

/**
 * Mends in two rounds, with research; the schema in view is what the question needs or, where none is given, what the query names.
 * Undefined where the model knows no better query. Throws `model.*`.
 */
export async function mendByModel(
  { sql, question, engineError }: LeftToMend,
  models: SessionModels,
  session: Session,
  signal?: AbortSignal,
): Promise<Mended | undefined> {
  const { writer, ledger } = openMind(models);
  const text = question ?? `What this query was meant to compute: ${sql}`.slice(0, MOST_CHARACTERS);
  const stop = signal && { signal };
  const { linked, retrieved } = await linkQuestion(text, await linkingOf(session), { ...stop });
  if (linked === null || retrieved === null) return undefined;
  const parts = { linked, retrieved, ...stop };
  const desk = draftDesk({ session, writer, mode: ANSWER_MODES['no-execution'], ...parts });
  const now = session.clock();
  const sharing = writer.sharing ?? 'all';
  const asked = writeQuestionOf({
    text,
    now,
    instructions: instructionsOf(session),
    ledger,
    sharing,
    ...parts,
  });
  const mended = await mendQuery(asked, { sql, ...(engineError !== undefined && { engineError }) }, desk);
  if (mended.sql === sql) return undefined;
  return { sql: mended.sql, because: mended.story.join('; ') };
}
