/**
 * Exports of Snowflake's QUERY_HISTORY, view and table function. Source: Snowflake, SQL reference, ACCOUNT_USAGE
 * QUERY_HISTORY.
 */
import {
  entryOf,
  hasAll,
  type LogRow,
  type RowFormat,
  type RowReading,
  rejected,
  SKIPPED,
  textIn,
} from '../lines/log-row.ts';
import { readDay } from '../lines/read-day.ts';

export const SNOWFLAKE_HISTORY: RowFormat = {
  recognises: (fields) => hasAll(fields, 'query_text') && (fields.has('query_id') || fields.has('user_name')),
  read: readQuery,
};

function readQuery(row: LogRow): RowReading {
  const sql = textIn(row, 'query_text');
  if (sql === undefined) return rejected('missing-field');
  // What Snowflake hides from the account that made the export.
  if (sql === '<redacted>') return rejected('hidden-text');
  if (textIn(row, 'query_tag') === 'candor') return SKIPPED;
  const day = readDay(row.get('start_time') ?? row.get('end_time'));
  if (day === undefined) return rejected('no-time');
  const status = textIn(row, 'execution_status')?.toUpperCase();
  if (status === 'RUNNING' || status === 'QUEUED' || status === 'BLOCKED') return SKIPPED;
  const id = textIn(row, 'query_id');
  return entryOf({
    sql,
    user: textIn(row, 'user_name'),
    day,
    runs: 1,
    isSuccess: status === undefined || status === 'SUCCESS',
    database: textIn(row, 'database_name'),
    schema: textIn(row, 'schema_name'),
    id: id === undefined ? undefined : `snowflake ${id}`,
  });
}
