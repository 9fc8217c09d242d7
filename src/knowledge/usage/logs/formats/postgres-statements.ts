/**
 * Rows of `pg_stat_statements`, live or exported: no runs but counters, which only grow until somebody resets them.
 * Source: PostgreSQL documentation, F.32 pg_stat_statements.
 */
import { createHash } from 'node:crypto';
import {
  countIn,
  entryOf,
  hasAll,
  type LogRow,
  type RowFormat,
  type RowReading,
  rejected,
  SKIPPED,
  textIn,
} from '../lines/log-row.ts';

export const POSTGRES_STATEMENTS: RowFormat = {
  recognises: (fields) => hasAll(fields, 'query', 'calls'),
  read: readCounter,
};

function readCounter(row: LogRow): RowReading {
  const sql = textIn(row, 'query');
  const calls = countIn(row, 'calls');
  if (sql === undefined || calls === undefined) return rejected('missing-field');
  if (sql === '<insufficient privilege>') return rejected('hidden-text');
  // Statements inside functions are counted beside the one that called the function.
  const isTop = row.get('toplevel');
  if (isTop === false || isTop === 'f' || isTop === 'false') return SKIPPED;
  const user = textIn(row, 'rolname', 'usename', 'user_name', 'user', 'userid');
  const database = textIn(row, 'datname', 'database', 'database_name');
  const statement = textIn(row, 'queryid') ?? createHash('sha256').update(sql).digest('base64');
  return entryOf({
    sql,
    user,
    runs: calls,
    isSuccess: true,
    database,
    counter: `${database ?? textIn(row, 'dbid') ?? ''} ${textIn(row, 'userid') ?? user ?? ''} ${statement}`,
  });
}
