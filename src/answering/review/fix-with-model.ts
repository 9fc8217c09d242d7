/** A language model's part of `candor fix`: what rules could not mend. */
import { ANSWER_MODES } from '../../generation/index.ts';
import type { Session, SessionModels } from '../../session/index.ts';
import { items, parse } from '../../sql/index.ts';
import { candidateTools } from '../candidates/candidate-tools.ts';
import { mendQuery } from '../candidates/generate-candidates.ts';
import { openModelRoles } from '../candidates/model-roles.ts';
import { buildSqlPrompt, instructionsOf } from '../prompt/build-sql-prompt.ts';
import { type LinkedQuestion, linkingOf, linkQuestion } from '../prompt/link-question.ts';
import { assembleContext } from '../prompt/question-context.ts';
import type { FixOptions, LeftToMend, Mended } from './fix-query.ts';

/** As long as a question may be. */
const MOST_CHARACTERS = 2_000;

/** For `fixQuery`, wherever it is called: by the model of the session, opened when it is needed; undefined without one. */
export function mendWithModel(session: Session, signal?: AbortSignal): FixOptions['mend'] {
  const { models } = session;
  return models && (async (left) => mendByModel(left, await models(), session, signal));
}

/** In the place of a question: what the query computes is then all that is known of what is wanted. */
export const NOTHING_SAID =
  'Nothing was said beyond the query itself: it is to compute what it computes, without its faults.';

/**
 * Mends in two rounds, with research. In view are the tables of the query, and what the question needs or, where none is
 * given, the words of the query. Undefined where the model knows no better query. Throws `model.*`.
 */
export async function mendByModel(
  { sql, given, question, engineError, problems }: LeftToMend,
  models: SessionModels,
  session: Session,
  signal?: AbortSignal,
): Promise<Mended | undefined> {
  const { writer, ledger, contextWindow } = openModelRoles(models);
  const stop = signal && { signal };
  const { linked, retrieved, base } = await linkToMend(sql, question, session, stop);
  if (linked === null || retrieved === null) return undefined;
  const context = assembleContext(session, {
    ...{ linked, retrieved, contextWindow, base },
    sharing: writer.sharing ?? 'all',
  });
  const parts = { context, question, ...stop };
  const tools = candidateTools({ session, writer, mode: ANSWER_MODES['no-execution'], retrieved, ...parts });
  const asked = buildSqlPrompt({
    text: question ?? NOTHING_SAID,
    given,
    now: session.clock(),
    instructions: instructionsOf(session),
    ...{ ledger, context },
    ...stop,
  });
  // The checks of a draft find the rest by themselves; what the engine says, they do not see.
  const complaints = problems.filter(({ kind }) => kind === 'engine').map(({ text: said }) => said);
  const whole = tools.withTables(asked, tablesNamed(sql, session));
  const mended = await mendQuery(whole, { sql, engineError, complaints }, tools);
  if (mended.sql === sql) return undefined;
  return { sql: mended.sql, because: mended.story.join('; ') };
}

/** By the question; by the words of the query where none is given, or what was said is no question. */
async function linkToMend(
  sql: string,
  question: string | undefined,
  session: Session,
  stop: { readonly signal: AbortSignal } | undefined,
): Promise<Pick<LinkedQuestion, 'linked' | 'retrieved' | 'base'>> {
  const linking = await linkingOf(session);
  const byQuestion =
    question === undefined
      ? undefined
      : await linkQuestion(question.slice(0, MOST_CHARACTERS), linking, { ...stop });
  if (byQuestion !== undefined && byQuestion.linked !== null) return byQuestion;
  const words = `What this query was meant to compute: ${sql}`.slice(0, MOST_CHARACTERS);
  return linkQuestion(words, linking, { ...stop });
}

/** Ids of the tables that the query names, as far as they exist. */
function tablesNamed(sql: string, { catalog }: Session): readonly string[] {
  const parsed = parse(sql, catalog.dialect);
  return parsed.ok ? items(parsed.tree, catalog).tables.map(({ id }) => id) : [];
}
