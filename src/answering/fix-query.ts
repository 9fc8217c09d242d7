/** The way of `candor fix`: a query that does not work to what is wrong with it and one that does. Nothing is run. */

import { repairSql, type SqlChange } from '../faults/index.ts';
import { diagnoseSql, type Problem, stillMeets, weighProblems } from '../validation/index.ts';
import { type Diagnosed, diagnosisContextOf } from './diagnosis-context.ts';
import { type EngineVerdict, engineProblem, engineVerdict } from './engine-verdict.ts';

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
  readonly engineError?: string | undefined;
  readonly question?: string | undefined;
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
  /** The error of the engine that was given: of which kind it is and what to do about it. */
  readonly engine?: EngineVerdict;
}

/**
 * Looks for everything that is wrong, mends it by rules, asks `mend` for the rest, and looks again. A query is only
 * replaced by one whose problems weigh less. What an engine is said to have answered is a problem like another where the
 * checks find nothing that explains it. Throws `database.*` where the engine fails for another reason than the query.
 */
export async function fixQuery(sql: string, session: Diagnosed, options: FixOptions = {}): Promise<Fix> {
  const { question, signal, mend } = options;
  const context = diagnosisContextOf(session, { question, signal });
  const { schema, nearValues } = context;
  const written = sql.trim();
  const engineError = options.engineError?.trim() ? options.engineError : undefined;
  const engine =
    engineError === undefined ? undefined : engineVerdict(engineError, { sql: written, ...context });
  const found = (await diagnoseSql(written, context)).problems;
  const said = engine && engineProblem(engine, found);
  const given = said === undefined ? found : [...found, said];
  let best: Standing = { sql: written, problems: given, changes: [] };
  const take = async (other: string, changes: readonly FixChange[]): Promise<void> => {
    if (other === best.sql) return;
    const { problems } = await diagnoseSql(other, context);
    const left = engine && said && stillStands(engine, other, changes) ? [...problems, said] : problems;
    if (weighProblems(left) < weighProblems(best.problems))
      best = { sql: other, problems: left, changes: [...best.changes, ...changes] };
  };
  const told = engineError ?? refusalOf(given);
  const byRules =
    given.length === 0 ? undefined : repairSql(written, schema, { engineError: told, nearValues });
  if (byRules !== undefined) await take(byRules.sql, byRules.changes.map(shown));
  if (mend !== undefined && best.problems.some(isError) && !best.problems.some(isOfEngine)) {
    const mended = await mend({ sql: best.sql, problems: best.problems, engineError: told, question });
    if (mended !== undefined)
      await take(mended.sql, [{ kind: 'mended', from: best.sql, to: mended.sql, because: mended.because }]);
  }
  const { problems, changes } = best;
  return {
    sql: written,
    problems: given,
    ...(changes.length > 0 && { repaired: best.sql }),
    changes,
    left: problems,
    ok: !problems.some(isError),
    ...(engine && { engine }),
  };
}

interface Standing {
  readonly sql: string;
  readonly problems: readonly Problem[];
  readonly changes: readonly FixChange[];
}

/** Rules cannot tell what only the engine sees, but for a function of another engine that they have replaced. */
function stillStands(engine: EngineVerdict, changed: string, changes: readonly FixChange[]): boolean {
  const isMended = changes.some(({ kind }) => kind === 'mended');
  return (!isMended && engine.kind !== 'missing-function') || stillMeets(engine, changed);
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

/** No other table is what is meant by a system catalog, whoever proposes it. */
function isOfEngine({ kind }: Problem): boolean {
  return kind === 'system-table';
}

function shown({ kind, from, to, because }: SqlChange): FixChange {
  return { kind, from, to, because };
}

function refusalOf(problems: readonly Problem[]): string | undefined {
  return problems.find(({ kind }) => kind === 'refused' || kind === 'not-read-only')?.text;
}
