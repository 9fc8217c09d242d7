/** The way of `candor fix`: a query that does not work to what is wrong with it and one that does. Nothing is run. */

import { offerRepairs, repairSql, type SqlChange } from '../../faults/index.ts';
import { diagnoseSql, type Problem, weighProblems } from '../../validation/index.ts';
import { type Diagnosed, diagnosisContextOf } from '../assess/diagnosis-context.ts';
import {
  complaintOf,
  type EngineVerdict,
  elsewhereIn,
  engineProblem,
  engineVerdict,
  stillStands,
  wordsOfEngine,
} from './engine-verdict.ts';
import { fixAdvice } from './fix-advice.ts';

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
  /** As rules left it. */
  readonly sql: string;
  /** As the person gave it. */
  readonly given: string;
  readonly problems: readonly Problem[];
  readonly engineError?: string | undefined;
  readonly question?: string | undefined;
}

export interface Mended {
  readonly sql: string;
  readonly because: string;
}

/** A query that may be meant; which of them is, a person says. */
export interface FixOffer {
  readonly sql: string;
  /** What the query is then taken to mean. */
  readonly means: string;
}

/** A change of the rules, or the one of `mend`, which may touch all of the text. */
type FixChange = Omit<SqlChange, 'patches' | 'kind' | 'guess'> & {
  readonly kind: SqlChange['kind'] | 'mended';
};

export interface Fix {
  /** As given, but for white space around it. */
  readonly sql: string;
  readonly problems: readonly Problem[];
  /** Absent where nothing better was found. */
  readonly repaired?: string;
  readonly changes: readonly FixChange[];
  /** What is wrong with the repaired query, or with the given one where there is none. */
  readonly left: readonly Problem[];
  /** What may be meant where rules would have to guess, each with its whole query, likeliest first; absent: nothing. */
  readonly offers?: readonly FixOffer[];
  /** No error is left: an engine that was asked would run it. */
  readonly ok: boolean;
  /** The error of the engine that was given: of which kind it is and what to do about it. */
  readonly engine?: EngineVerdict;
  /** What to do about what is left, in whole sentences; absent where no error is. */
  readonly next?: string;
}

/**
 * Looks for everything that is wrong, mends by rules what is sure, asks `mend` for the rest, and looks again. What rules
 * would have to guess is offered and not done. A query is only replaced by one whose problems weigh less. What an engine is said to have answered is a problem like another where the
 * checks find nothing that explains it. Throws `database.*` where the engine fails for another reason than the query.
 */
export async function fixQuery(sql: string, session: Diagnosed, options: FixOptions = {}): Promise<Fix> {
  const { question, signal, mend } = options;
  const written = sql.trim();
  const engineError = options.engineError?.trim() ? options.engineError : undefined;
  const context = diagnosisContextOf(session, { question, signal });
  const { engine, found, looked } = await findAll(written, context, engineError);
  const { schema, nearValues, complaint } = looked;
  const told = { sql: written, schema };
  const said = engine && engineProblem(engine, found, told);
  const isElsewhere = engine !== undefined && elsewhereIn(engine, told) !== undefined;
  const given = said === undefined ? found : [...found, said];
  let best: Standing = { sql: written, problems: given, changes: [] };
  const judge = async (other: string, isMended: boolean): Promise<readonly Problem[]> => {
    const { problems } = await diagnoseSql(other, looked);
    const stands = engine && said && (isElsewhere || stillStands(engine, other, isMended));
    return stands ? [...problems, said] : problems;
  };
  const take = async (other: string, changes: readonly FixChange[]): Promise<void> => {
    if (other === best.sql) return;
    const left = await judge(
      other,
      changes.some(({ kind }) => kind === 'mended'),
    );
    if (weighProblems(left) < weighProblems(best.problems))
      best = { sql: other, problems: left, changes: [...best.changes, ...changes] };
  };
  const heard = engineError ?? refusalOf(given);
  const rules = { engineError: heard, nearValues, complaint };
  const byRules = given.length === 0 ? undefined : repairSql(written, schema, rules);
  if (byRules !== undefined) await take(byRules.sql, byRules.changes.map(shown));
  // Nobody mends a query for what was said of another one.
  const isToMend = best.problems.some((problem) => isError(problem) && !(isElsewhere && problem === said));
  if (mend !== undefined && isToMend && !best.problems.some(isOfEngine)) {
    const mended = await mend({
      sql: best.sql,
      given: written,
      problems: best.problems,
      engineError: heard,
      question,
    });
    if (mended !== undefined)
      await take(mended.sql, [{ kind: 'mended', from: best.sql, to: mended.sql, because: mended.because }]);
  }
  const offers: FixOffer[] = [];
  for (const { sql: other, means } of best.problems.length === 0
    ? []
    : offerRepairs(best.sql, schema, rules)) {
    const left = await judge(other, false);
    if (!left.some(isError) && weighProblems(left) < weighProblems(best.problems))
      offers.push({ sql: other, means });
  }
  const { problems, changes } = best;
  const next = fixAdvice(problems, engine, { sql: best.sql, schema, offers: offers.length });
  return {
    sql: written,
    problems: given,
    ...(changes.length > 0 && { repaired: best.sql }),
    changes,
    left: problems,
    offers: offers.length > 0 ? offers : undefined,
    ok: !problems.some(isError),
    ...(engine && { engine }),
    ...(next !== undefined && { next }),
  };
}

interface Found {
  readonly engine: EngineVerdict | undefined;
  readonly found: readonly Problem[];
  /** With what the engine complains of, which is looked for in every version of the query. */
  readonly looked: FixContext;
}

type FixContext = ReturnType<typeof diagnosisContextOf>;

/** What is wrong by the checks, which look more closely where the engine, asked here or elsewhere, says what for. */
async function findAll(sql: string, context: FixContext, engineError: string | undefined): Promise<Found> {
  const told = { sql, schema: context.schema };
  const { problems } = await diagnoseSql(sql, context);
  const engine = engineError === undefined ? undefined : engineVerdict(engineError, told);
  const refused = problems.find(({ kind }) => kind === 'refused')?.text;
  const heard = engine ?? (refused === undefined ? undefined : engineVerdict(wordsOfEngine(refused), told));
  const complaint = heard && complaintOf(heard);
  if (complaint === undefined) return { engine, found: problems, looked: context };
  const looked = { ...context, complaint };
  return { engine, found: (await diagnoseSql(sql, looked)).problems, looked };
}

interface Standing {
  readonly sql: string;
  readonly problems: readonly Problem[];
  readonly changes: readonly FixChange[];
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
