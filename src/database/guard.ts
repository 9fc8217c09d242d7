/** Nothing reaches an engine that has not been read and found to be one reading statement. Fails closed. */
import { CandorError } from '../errors.ts';
import type { DialectName } from '../sql/dialect.ts';
import { checkReadOnly, checkTokens, lexSql, parse, type ReadOnlyVerdict } from '../sql/index.ts';
import type { Database } from './database.ts';

/** Passes silently or throws `sql.parse-failed` or `database.not-read-only` with the place or the offending part. */
export function guard(sql: string, dialect: DialectName): void {
  // PRAGMA, COPY and their like are often no SQL to the parser; they deserve the true reason.
  refuseUnless(checkTokens(lexSql(sql, dialect), dialect) ?? { readOnly: true });
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
}

/** The same database, where `query` and `explain` go through the guard first. */
export function guarded(database: Database): Database {
  return {
    dialect: database.dialect,
    name: database.name,
    url: database.url,
    stamp: (signal) => database.stamp(signal),
    readSchema: (signal) => database.readSchema(signal),
    query: async (sql, limits, signal) => {
      guard(sql, database.dialect);
      return database.query(sql, limits, signal);
    },
    explain: async (sql, signal) => {
      guard(sql, database.dialect);
      return database.explain(sql, signal);
    },
    describe: (signal) => database.describe(signal),
    close: () => database.close(),
  };
}

function refuseUnless(verdict: ReadOnlyVerdict): void {
  if (verdict.readOnly) return;
  throw new CandorError('database.not-read-only', `The SQL is refused: ${verdict.reason}.`, {
    data: { offending: verdict.offending },
  });
}
