/** A language model's part of `candor fix`: what rules could not mend. */
import { ANSWER_MODES } from '../generation/index.ts';
import type { SessionModels } from '../open-models.ts';
import type { Session } from '../session.ts';
import { buildSqlPrompt, instructionsOf } from './build-sql-prompt.ts';
import { candidateTools } from './candidate-tools.ts';
import type { FixOptions, LeftToMend, Mended } from './fix-query.ts';
import { mendQuery } from './generate-candidates.ts';
import { linkingOf, linkQuestion } from './link-question.ts';
import { openModelRoles } from './model-roles.ts';
import { assembleContext } from './question-context.ts';

/** As long as a question may be. */
const MOST_CHARACTERS = 2_000;

/** For `fixQuery`, wherever it is called: by the model of the session, opened when it is needed; undefined without one. */
export function mendWithModel(session: Session, signal?: AbortSignal): FixOptions['mend'] {
  const { models } = session;
  return models && (async (left) => mendByModel(left, await models(), session, signal));
}

/**
 * Mends in two rounds, with research; the schema in view is what the question needs or, where none is given, what the query names.
 * Undefined where the model knows no better query. Throws `model.*`.
 */
export async function mendByModel(
  { sql, question, engineError, problems }: LeftToMend,
  models: SessionModels,
  session: Session,
  signal?: AbortSignal,
): Promise<Mended | undefined> {
  const { writer, ledger, contextWindow } = openModelRoles(models);
  const text = question ?? `What this query was meant to compute: ${sql}`.slice(0, MOST_CHARACTERS);
  const stop = signal && { signal };
  const { linked, retrieved, base } = await linkQuestion(text, await linkingOf(session), { ...stop });
  if (linked === null || retrieved === null) return undefined;
  const context = assembleContext(session, {
    ...{ linked, retrieved, contextWindow, base },
    sharing: writer.sharing ?? 'all',
  });
  const parts = { context, ...stop };
  const tools = candidateTools({ session, writer, mode: ANSWER_MODES['no-execution'], retrieved, ...parts });
  const now = session.clock();
  const asked = buildSqlPrompt({
    text,
    now,
    instructions: instructionsOf(session),
    ledger,
    ...parts,
  });
  // The checks of a draft find the rest by themselves; what the engine says, they do not see.
  const complaints = problems.filter(({ kind }) => kind === 'engine').map(({ text: said }) => said);
  const mended = await mendQuery(asked, { sql, engineError, complaints }, tools);
  if (mended.sql === sql) return undefined;
  return { sql: mended.sql, because: mended.story.join('; ') };
}
