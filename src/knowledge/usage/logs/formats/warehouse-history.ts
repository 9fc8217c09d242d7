/**
 * Exports of BigQuery's INFORMATION_SCHEMA.JOBS, by `bq query --format=json` or as CSV. Source: BigQuery
 * documentation, JOBS view.
 */
import type { LogInput } from '../lines/log-entry.ts';
import {
  entryOf,
  hasAll,
  isRecord,
  type LogRow,
  listIn,
  type RowFormat,
  type RowReading,
  rejected,
  rowOfObject,
  SKIPPED,
  textIn,
} from '../lines/log-row.ts';
import { readDay } from '../lines/read-day.ts';

export const BIGQUERY_JOBS: RowFormat = {
  recognises: (fields) => hasAll(fields, 'query') && (fields.has('job_id') || fields.has('user_email')),
  read: readJob,
};

function readJob(row: LogRow): RowReading {
  const jobType = textIn(row, 'job_type');
  if (jobType !== undefined && jobType.toUpperCase() !== 'QUERY') return SKIPPED;
  // A script's parts are jobs of their own.
  if (textIn(row, 'statement_type')?.toUpperCase() === 'SCRIPT') return SKIPPED;
  const sql = textIn(row, 'query');
  if (sql === undefined) return rejected('missing-field');
  const day = readDay(row.get('creation_time') ?? row.get('start_time'));
  if (day === undefined) return rejected('no-time');
  const state = textIn(row, 'state')?.toUpperCase();
  if (state !== undefined && state !== 'DONE') return SKIPPED;
  const id = textIn(row, 'job_id');
  return entryOf({
    sql,
    user: textIn(row, 'user_email'),
    day,
    runs: 1,
    isSuccess: !hasError(row),
    inputs: listIn(row, 'referenced_tables').flatMap(inputOf),
    // Job ids are told apart by project only.
    id: id === undefined ? undefined : `bigquery ${textIn(row, 'project_id') ?? ''} ${id}`,
  });
}

/** NULL, an empty field and a record of NULLs all mean that nothing failed. */
function hasError(row: LogRow): boolean {
  const error = row.get('error_result');
  if (isRecord(error)) return Object.values(error).some((value) => value !== null && value !== '');
  const text = textIn(row, 'error_result', 'error_result.reason', 'error_result_reason');
  return text !== undefined && text !== 'null';
}

function inputOf(table: unknown): LogInput[] {
  if (!isRecord(table)) return [];
  const fields = rowOfObject(table);
  const path = [
    textIn(fields, 'project_id', 'projectid'),
    textIn(fields, 'dataset_id', 'datasetid'),
    textIn(fields, 'table_id', 'tableid'),
  ].filter((part) => part !== undefined);
  return path.length === 0 ? [] : [{ path, columns: [] }];
}

/**
 * Exports of Snowflake's QUERY_HISTORY, view and table function. Source: Snowflake, SQL reference, ACCOUNT_USAGE
 * QUERY_HISTORY.
 */
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
