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
import { inOwnWords, type Restricted, withOwnHeaders } from './guard/own-words.ts';
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
      const { text, restricted } = pass(sql, gate, below.dialect);
      if (restricted === undefined) {
        if (hasCaps(caps)) checkPlan(await below.explain(text, signal), caps, { tellsEstimate: true });
        return below.query(text, limits, signal);
      }
      return inOwnWords(restricted, async () => {
        if (hasCaps(caps)) checkPlan(await below.explain(text, signal), caps, { tellsEstimate: false });
        return withOwnHeaders(await below.query(text, limits, signal), restricted, { below, limits, signal });
      });
    },
    explain: async (sql, signal) => {
      const { text, restricted } = pass(sql, gate, below.dialect);
      if (restricted === undefined) return below.explain(text, signal);
      await inOwnWords(restricted, () => below.explain(text, signal));
      // The engine's estimates come from all rows.
      return {};
    },
  }));
}

interface Passed {
  /** What the engine gets. */
  readonly text: string;
  /** Absent where that is what was written. */
  readonly restricted?: Restricted;
}

function pass(sql: string, gate: Gate, dialect: DialectName): Passed {
  const tree = readGuarded(sql, dialect);
  const { text, root } = gate.restrict(tree);
  if (root === tree.root) return { text: sql };
  // A policy is text too: what it made is read once more from its first token.
  readAgain(text, gate, dialect);
  return { text, restricted: { sql, text, dialect, isKnown: gate.isKnown, hidesErrors: gate.hidesErrors } };
}

/** What is wrong with a text that the policy made is told without a word of it. */
function readAgain(text: string, gate: Gate, dialect: DialectName): void {
  try {
    gate.recheck(readGuarded(text, dialect));
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    throw new CandorError(
      'database.not-restrictable',
      'The SQL reads tables that are restricted for you, and what your access policy makes of it cannot be read again.',
    );
  }
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
