/** Rows of Trino's `system.runtime.queries`, live or exported. Source: Trino, system connector; seen on Trino 476. */
import { type LogRow, textIn } from './log-row.ts';
import { readDay } from './read-day.ts';
import { entryOf, hasAll, type RowFormat, type RowReading, rejected, SKIPPED } from './row-format.ts';

export const TRINO_QUERIES: RowFormat = {
  recognises: (fields) => hasAll(fields, 'query_id', 'query') && (fields.has('user') || fields.has('state')),
  read: readQuery,
};

function readQuery(row: LogRow): RowReading {
  const sql = textIn(row, 'query');
  if (sql === undefined) return rejected('missing-field');
  if (textIn(row, 'source') === 'candor') return SKIPPED;
  const day = readDay(row.get('created') ?? row.get('started'));
  if (day === undefined) return rejected('no-time');
  const state = textIn(row, 'state')?.toUpperCase();
  // A later look shows how the others ended.
  if (state !== undefined && state !== 'FINISHED' && state !== 'FAILED') return SKIPPED;
  const id = textIn(row, 'query_id');
  return entryOf({
    sql,
    user: textIn(row, 'user'),
    day,
    runs: 1,
    isSuccess: state !== 'FAILED',
    database: textIn(row, 'catalog'),
    schema: textIn(row, 'schema'),
    id: id === undefined ? undefined : `trino ${id}`,
  });
}
