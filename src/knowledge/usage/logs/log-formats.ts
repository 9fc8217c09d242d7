/** Every format of query logs that is read: its reader and how it is known again. */
import { CandorError } from '../../../errors.ts';
import { MysqlGeneralReader } from './formats/mysql-general.ts';
import { MysqlSlowReader } from './formats/mysql-slow.ts';
import { PostgresCsvReader, PostgresJsonReader } from './formats/postgres-logs.ts';
import { POSTGRES_STATEMENTS } from './formats/postgres-statements.ts';
import { TRINO_EVENTS } from './formats/trino-events.ts';
import { TRINO_QUERIES } from './formats/trino-queries.ts';
import { BIGQUERY_JOBS, SNOWFLAKE_HISTORY } from './formats/warehouse-history.ts';
import type { LogReader } from './lines/log-entry.ts';
import {
  countIn,
  entryOf,
  type LogRow,
  type RowFormat,
  type RowReading,
  rejected,
  textIn,
} from './lines/log-row.ts';
import { readDay } from './lines/read-day.ts';
import { CsvRowReader, JsonRowReader } from './lines/row-reader.ts';

export const LOG_FORMATS = {
  'postgres-csvlog': 'PostgreSQL, log_destination = csvlog',
  'postgres-jsonlog': 'PostgreSQL 15 and newer, log_destination = jsonlog',
  'postgres-statements': 'PostgreSQL, rows of pg_stat_statements as CSV or JSON',
  'mysql-general': 'MySQL and MariaDB, general log',
  'mysql-slow': 'MySQL and MariaDB, slow query log',
  'trino-queries': 'Trino, rows of system.runtime.queries as CSV or JSON',
  'trino-events': 'Trino, events of an event listener as JSON lines',
  snowflake: 'Snowflake, rows of QUERY_HISTORY as CSV or JSON',
  bigquery: 'BigQuery, rows of INFORMATION_SCHEMA.JOBS as CSV or JSON',
  json: 'JSON lines of our own: {"sql": …, "user"?, "at"?, "runs"?, "success"?}',
} as const;

export type LogFormatName = keyof typeof LOG_FORMATS;
/** `text`: lines of a server log; the others hold rows. */
export type LogContainer = 'text' | 'json' | 'json-array' | 'csv';

export interface DetectedLog {
  readonly format: LogFormatName;
  readonly container: LogContainer;
}

/** Our own plain form: `{"sql": …, "user"?: …, "at"?: …, "runs"?: …, "success"?: …, "file"?: …}`. */
const PLAIN: RowFormat = {
  recognises: (fields) => fields.has('sql'),
  read: readPlain,
};

/** In order: the first that recognises the fields of a row. */
export const ROW_FORMATS: Readonly<Partial<Record<LogFormatName, RowFormat>>> = {
  'trino-events': TRINO_EVENTS,
  snowflake: SNOWFLAKE_HISTORY,
  'postgres-statements': POSTGRES_STATEMENTS,
  bigquery: BIGQUERY_JOBS,
  'trino-queries': TRINO_QUERIES,
  json: PLAIN,
};

/** Lines of server logs, each with a grammar of its own. */
const TEXT_READERS: Readonly<Partial<Record<LogFormatName, (state: unknown) => LogReader>>> = {
  'postgres-csvlog': (state) => new PostgresCsvReader(state),
  'postgres-jsonlog': (state) => new PostgresJsonReader(state),
  'mysql-general': (state) => new MysqlGeneralReader(state),
  'mysql-slow': (state) => new MysqlSlowReader(state),
};

/** A reader that begins at the start of a log or, with the state that another one left, where that one stopped. */
export function createLogReader({ format, container }: DetectedLog, state?: unknown): LogReader {
  const rows = ROW_FORMATS[format];
  if (rows !== undefined)
    return container === 'csv' ? new CsvRowReader(rows, state) : new JsonRowReader(rows);
  const create = TEXT_READERS[format];
  if (create === undefined) throw new CandorError('internal.bug', `nothing reads ${format}`);
  return create(state);
}

export function isLogFormat(name: string): name is LogFormatName {
  return Object.hasOwn(LOG_FORMATS, name);
}

function readPlain(row: LogRow): RowReading {
  const sql = textIn(row, 'sql');
  if (sql === undefined) return rejected('missing-field');
  const at = row.get('at') ?? undefined;
  const day = readDay(at);
  if (at !== undefined && at !== '' && day === undefined) return rejected('no-time');
  const isCounted = row.get('runs') !== undefined && row.get('runs') !== null && row.get('runs') !== '';
  const runs = isCounted ? countIn(row, 'runs') : 1;
  if (runs === undefined) return rejected('missing-field');
  const success = row.get('success');
  return entryOf({
    sql,
    user: textIn(row, 'user'),
    day,
    runs,
    isSuccess: success !== false && success !== 'false',
    database: textIn(row, 'database'),
    schema: textIn(row, 'schema'),
    name: textIn(row, 'file', 'name'),
    id: textIn(row, 'id'),
  });
}
