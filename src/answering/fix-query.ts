/** The way of `candor fix`: a query that does not work to what is wrong with it and one that does. Nothing is run. */

import { repairSql, type SqlChange } from '../faults/index.ts';
import { ANSWER_MODES } from '../generation/index.ts';
import type { SessionModels } from '../open-models.ts';
import type { Session } from '../session.ts';
import { type Diagnosis, diagnoseSql, type Problem, weighProblems } from '../validation/index.ts';
import { buildSqlPrompt, instructionsOf } from './build-sql-prompt.ts';
import { candidateTools } from './candidate-tools.ts';
import { type Diagnosed, diagnosisContextOf } from './diagnosis-context.ts';
import { mendQuery } from './generate-candidates.ts';
import { linkingOf, linkQuestion } from './link-question.ts';
import { openModelRoles } from './model-roles.ts';
import { assembleContext } from './question-context.ts';

export interface FixOptions {
  /** What an engine said against the query. */
  readonly engineError?: string;
  /** What it should answer; for whoever mends what rules cannot. */
  readonly question?: string;
  /** Called with what the rules left, where that is an error; undefined: it knows no better query either. */
  readonly mend?: (left: LeftToMend) => Promise<Mended | undefined>;
  readonly signal?: AbortSignal;
}

export interface LeftToMend {
  readonly sql: string;
  readonly problems: readonly Problem[];
  readonly engineError?: string;
  readonly question?: string;
}

export interface Mended {
  readonly sql: string;
  readonly because: string;
}

/** A change of the rules, or the one of `mend`, which may touch all of the text. */
export type FixChange = Omit<SqlChange, 'patches' | 'kind'> & { readonly kind: SqlChange['kind'] | 'mended' };

export interface Fix {
  /** As given, but for white space around it. */
  readonly sql: string;
  readonly problems: readonly Problem[];
  /** Absent where nothing better was found. */
  readonly repaired?: string;
  readonly changes: readonly FixChange[];
  /** What is wrong with the repaired query, or with the given one where there is none. */
  readonly left: readonly Problem[];
  /** No error is left: an engine that was asked would run it. */
  readonly ok: boolean;
}

/**
 * Looks for everything that is wrong, mends it by rules, asks `mend` for the rest, and looks again. A query is only
 * replaced by one whose problems weigh less. Throws `database.*` where the engine fails for
 * another reason than the query.
 */
export async function fixQuery(sql: string, session: Diagnosed, options: FixOptions = {}): Promise<Fix> {
  const context = diagnosisContextOf(session, { question: options.question, signal: options.signal });
  const { schema, nearValues } = context;
  const written = sql.trim();
  const given = await diagnoseSql(written, context);
  let best: Standing = { sql: written, diagnosis: given, changes: [] };
  const take = async (other: string, changes: readonly FixChange[]): Promise<void> => {
    if (other === best.sql) return;
    const diagnosis = await diagnoseSql(other, context);
    if (weighProblems(diagnosis.problems) < weighProblems(best.diagnosis.problems))
      best = { sql: other, diagnosis, changes: [...best.changes, ...changes] };
  };
  const engineError = options.engineError ?? refusalOf(given);
  const told = engineError === undefined ? {} : { engineError };
  const byRules =
    given.problems.length === 0 ? undefined : repairSql(written, schema, { ...told, nearValues });
  if (byRules !== undefined) await take(byRules.sql, byRules.changes.map(shown));
  if (!best.diagnosis.ok && options.mend !== undefined) {
    const { question } = options;
    const left = { sql: best.sql, problems: best.diagnosis.problems, ...told };
    const mended = await options.mend({ ...left, ...(question !== undefined && { question }) });
    if (mended !== undefined)
      await take(mended.sql, [{ kind: 'mended', from: best.sql, to: mended.sql, because: mended.because }]);
  }
  const { diagnosis, changes } = best;
  return {
    sql: written,
    problems: given.problems,
    ...(changes.length > 0 && { repaired: best.sql }),
    changes,
    left: diagnosis.problems,
    ok: diagnosis.ok,
  };
}

interface Standing {
  readonly sql: string;
  readonly diagnosis: Diagnosis;
  readonly changes: readonly FixChange[];
}

function shown({ kind, from, to, because }: SqlChange): FixChange {
  return { kind, from, to, because };
}

function refusalOf({ problems }: Diagnosis): string | undefined {
  return problems.find(({ kind }) => kind === 'refused' || kind === 'not-read-only')?.text;
}

/** A language model's part of `candor fix`: what rules could not mend. */

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
  const mended = await mendQuery(asked, { sql, ...(engineError !== undefined && { engineError }) }, tools);
  if (mended.sql === sql) return undefined;
  return { sql: mended.sql, because: mended.story.join('; ') };
}
