/** Nothing reaches an engine that has not been read and found to be one reading statement. Fails closed. */
import { CandorError } from '../errors.ts';
import type { DialectName } from '../sql/dialect.ts';
import {
  checkDisguisedCalls,
  checkReadOnly,
  checkTokens,
  lexSql,
  NO_SCHEMA,
  parse,
  type SqlTree,
} from '../sql/index.ts';
import type { Database } from './database.ts';
import { decorate } from './decorate.ts';
import { checkPlan, hasCaps } from './guard/check-plan.ts';
import { createGate, type Gate } from './guard/create-gate.ts';
import type { GuardOptions } from './guard/guard-options.ts';
import { refuseUnless } from './guard/refuse-unless.ts';

/** Passes silently or throws `sql.parse-failed` or `database.not-read-only` with the place or the offending part. */
export function guard(sql: string, dialect: DialectName): void {
  refuseUnless(checkDisguisedCalls(readGuarded(sql, dialect), NO_SCHEMA));
}

/**
 * The same database, where `query` and `explain` take the one door to the engine: the statement is read and found to
 * be reading, every name in it is visible to the caller, the access policy is written into it, the result is checked
 * again, and the engine's plan stays below the caps. Throws `database.policy-invalid` for a policy that does not fit
 * the catalog; the queries throw what `guard` throws, `database.not-visible`, `database.not-restrictable`,
 * `database.policy-invalid`, `database.too-expensive`.
 */
export function guarded(database: Database, options: GuardOptions): Database {
  const gate = createGate(options, database.dialect);
  const caps = options.planCaps ?? {};
  return decorate(database, (below) => ({
    // Whose rights hold is decided below the guard, and the list of tables knows no policy.
    withholds: ['as', 'listTables'],
    readSchema: async (signal) => gate.showSchema(await below.readSchema(signal)),
    query: async (sql, limits, signal) => {
      const { text, isRestricted, hidesErrors } = pass(sql, gate, below.dialect);
      if (hasCaps(caps)) checkPlan(await below.explain(text, signal), caps, { tellsEstimate: !isRestricted });
      return hidesErrors
        ? withoutEngineWords(() => below.query(text, limits, signal))
        : below.query(text, limits, signal);
    },
    explain: async (sql, signal) => {
      const { text, isRestricted, hidesErrors } = pass(sql, gate, below.dialect);
      const plan = await (hidesErrors
        ? withoutEngineWords(() => below.explain(text, signal))
        : below.explain(text, signal));
      // The engine's estimates come from all rows.
      return isRestricted ? {} : plan;
    },
  }));
}

interface Passed {
  /** What the engine gets. */
  readonly text: string;
  readonly isRestricted: boolean;
  readonly hidesErrors: boolean;
}

function pass(sql: string, gate: Gate, dialect: DialectName): Passed {
  const tree = readGuarded(sql, dialect);
  const restricted = gate.restrict(tree);
  if (restricted === tree) return { text: sql, isRestricted: false, hidesErrors: false };
  // A policy is text too: what it made is read once more from its first token.
  gate.recheck(readGuarded(restricted.text, dialect));
  return { text: restricted.text, isRestricted: true, hidesErrors: gate.hidesErrors };
}

function readGuarded(sql: string, dialect: DialectName): SqlTree {
  // PRAGMA, COPY and their like are often no SQL to the parser; they deserve the true reason.
  refuseUnless(checkTokens(lexSql(sql, dialect), dialect));
  const parsed = parse(sql, dialect);
  if (!parsed.ok) {
    const { message, line, column, excerpt } = parsed.error;
    throw new CandorError(
      'sql.parse-failed',
      `The SQL cannot be read at line ${line}, column ${column}: ${message}.\n${excerpt}`,
      { data: { line, column } },
    );
  }
  refuseUnless(checkReadOnly(parsed.tree));
  return parsed.tree;
}

/** An engine that may try a condition on rows that the policy takes out tells of them in its error messages. */
async function withoutEngineWords<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CandorError) || error.code !== 'database.query-failed') throw error;
    // Neither the message nor the cause goes on: both quote values.
    throw new CandorError(
      'database.query-failed',
      'The engine could not run the SQL; its message is kept back since it may tell of rows you may not see.',
    );
  }
}
