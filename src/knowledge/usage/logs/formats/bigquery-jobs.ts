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
