/** From the text of a statement to what the engine may get. No database is asked: text, catalog and policy decide. */
import { CandorError } from '../../errors.ts';
import { checkTokens, findOwnCode, type OwnCode } from '../../sql/guard/index.ts';
import { checkReadOnly, type DialectName, lexSql, type ParseError, parse } from '../../sql/index.ts';
import type { SqlTree } from '../../sql/tree/index.ts';
import type { Gate } from './create-gate.ts';
import { refuseUnless } from './create-gate.ts';
import { refuseOwnCode } from './own-code.ts';

export interface AnalysedStatement {
  /** What the engine gets. */
  readonly text: string;
  readonly isRestricted: boolean;
}

/** What stands between a statement and the engine. */
export interface Door {
  readonly gate: Gate;
  readonly dialect: DialectName;
  /** What the database has defined itself, and nobody has allowed. */
  readonly own: OwnCode;
}

/** The statement as its caller may run it; throws what is said of `guarded`. */
export function analyseStatement(sql: string, { gate, dialect, own }: Door): AnalysedStatement {
  const tree = readStatement(sql, dialect);
  refuseOwnCode(tree, own, gate.schema);
  const restricted = gate.restrict(tree);
  if (restricted.root === tree.root) return { text: sql, isRestricted: false };
  judgeAgain(restricted, gate);
  if (findOwnCode(restricted, own, gate.schema) !== undefined) {
    throw new CandorError(
      'database.policy-invalid',
      'The access policy cannot be applied: its SQL uses a name that this database has defined itself.',
    );
  }
  return { text: restricted.text, isRestricted: true };
}

/**
 * A policy is text too: what it made was read again from its first token, and is judged like any other statement. What
 * is wrong with it is told without a word of it.
 */
function judgeAgain(restricted: SqlTree, gate: Gate): void {
  try {
    refuseUnless(checkReadOnly(restricted));
    gate.recheck(restricted);
  } catch (error) {
    if (!(error instanceof CandorError) || error.code === 'sql.too-large') throw error;
    throw new CandorError(
      'database.not-restrictable',
      'The SQL reads tables that are restricted for you, and what your access policy makes of it cannot be read again.',
    );
  }
}

/** The tree of one reading statement; throws `sql.too-large`, `sql.parse-failed` or `database.not-read-only`. */
export function readStatement(sql: string, dialect: DialectName): SqlTree {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw refusalOf(sql, dialect, parsed.error);
  refuseUnless(checkReadOnly(parsed.tree));
  return parsed.tree;
}

function refusalOf(sql: string, dialect: DialectName, error: ParseError): CandorError {
  const { message, line, column, excerpt, passed } = error;
  if (passed !== undefined) {
    return new CandorError('sql.too-large', `The SQL is not read: ${message}.`, { data: { ...passed } });
  }
  // PRAGMA, COPY and their like are often no SQL to the parser; they deserve the true reason.
  refuseUnless(checkTokens(lexSql(sql, dialect), dialect));
  return new CandorError(
    'sql.parse-failed',
    `The SQL cannot be read at line ${line}, column ${column}: ${message}.\n${excerpt}`,
    { data: { line, column } },
  );
}
