import { CandorError } from '../../../errors.ts';
import { DIALECTS, type DialectName, quoteName, quoteText } from '../../../sql/index.ts';
import type { EngineLog, TimeRange } from './engine-log.ts';

const QUERY_HISTORY: NonNullable<EngineLog['columns']> = {
  ...{ user: 'USER_NAME', time: 'START_TIME', sql: 'QUERY_TEXT' },
  ...{ error: 'ERROR_CODE', database: 'DATABASE_NAME', schema: 'SCHEMA_NAME' },
};

/**
 * SQL that groups the rows of a log in a range of time: who, what (a statement, or the name of a table), where its names
 * are looked up, and how often. Runs that failed, Candor's own and rows without a user or a text are left out. Text that
 * the guard takes as a query of our own, but for histories of the engine (`isOfEngine`). Throws `usage.no-live-source` for a kind that the engine does not have.
 */
export function groupLog(log: EngineLog, dialect: DialectName, range: TimeRange): string {
  switch (log.kind) {
    case 'statements':
      return groupRows(log, dialect, { range, what: 'sql' });
    case 'tables':
      return groupRows(log, dialect, { range, what: 'table' });
    case 'snowflake-query-history':
      needDialect(log, dialect, 'snowflake');
      return groupRows({ ...log, columns: QUERY_HISTORY }, dialect, {
        ...{ range, what: 'sql' },
        conditions: [`l.EXECUTION_STATUS = 'SUCCESS'`, `(l.QUERY_TAG IS NULL OR l.QUERY_TAG <> 'candor')`],
      });
    case 'snowflake-access-history':
      needDialect(log, dialect, 'snowflake');
      return groupAccessHistory(log, range);
    case 'bigquery-jobs':
      needDialect(log, dialect, 'bigquery');
      return groupJobs(log, range);
  }
}

function groupRows(
  log: EngineLog,
  dialect: DialectName,
  {
    range,
    what,
    conditions = [],
  }: { readonly range: TimeRange; readonly what: 'sql' | 'table'; readonly conditions?: readonly string[] },
): string {
  const { columns } = log;
  const text = columns?.[what];
  if (columns === undefined || text === undefined)
    throw new CandorError('config.invalid', `usage.logs: ${log.name} names no column ${what}`);
  const name = (column: string): string => `l.${quoteName(column, DIALECTS[dialect])}`;
  const nameOf = (column: string | undefined): string => (column === undefined ? 'NULL' : name(column));
  const places = [columns.database, columns.schema];
  const keys = [columns.user, text, ...places].flatMap((column) =>
    column === undefined ? [] : [name(column)],
  );
  const where = [
    ...inRange(name(columns.time), dialect, range),
    `${name(columns.user)} IS NOT NULL`,
    `${name(text)} IS NOT NULL`,
    ...(columns.success === undefined ? [] : [name(columns.success)]),
    ...(columns.error === undefined ? [] : [`${name(columns.error)} IS NULL`]),
    ...conditions,
  ];
  const [home, place] = places.map(nameOf);
  return `SELECT ${name(columns.user)} AS reader, ${name(text)} AS what, ${home} AS home, ${place} AS place, COUNT(*) AS runs
FROM ${tableOf(log, dialect)} l
WHERE ${where.join(' AND ')}
GROUP BY ${keys.join(', ')}`;
}

/** Every table or view that a query read directly, once for each query. */
function groupAccessHistory(log: EngineLog, range: TimeRange): string {
  const where = inRange('l.QUERY_START_TIME', 'snowflake', range);
  return `SELECT l.USER_NAME AS reader, f.value:objectName::VARCHAR AS what, NULL AS home, NULL AS place, COUNT(*) AS runs
FROM ${tableOf(log, 'snowflake')} l, LATERAL FLATTEN(input => l.DIRECT_OBJECTS_ACCESSED) f
WHERE ${where.join(' AND ')} AND f.value:objectDomain::VARCHAR IN ('Table', 'View', 'Materialized view', 'External table')
GROUP BY 1, 2`;
}

function groupJobs(log: EngineLog, range: TimeRange): string {
  const where = inRange('l.creation_time', 'bigquery', range);
  return `SELECT l.user_email AS reader, CONCAT(r.project_id, '.', r.dataset_id, '.', r.table_id) AS what, NULL AS home, NULL AS place, COUNT(*) AS runs
FROM ${tableOf(log, 'bigquery')} AS l, UNNEST(l.referenced_tables) AS r
WHERE ${where.join(' AND ')} AND l.job_type = 'QUERY' AND l.state = 'DONE' AND l.error_result IS NULL AND (l.statement_type IS NULL OR l.statement_type <> 'SCRIPT')
GROUP BY l.user_email, what`;
}

function inRange(time: string, dialect: DialectName, { from, to }: TimeRange): string[] {
  // SQLite has no type for times: texts in this form are in order.
  const literal = (at: string): string =>
    `${dialect === 'sqlite' ? '' : 'TIMESTAMP '}${quoteText(at, DIALECTS[dialect])}`;
  return [`${time} >= ${literal(from)}`, `${time} < ${literal(to)}`];
}

function tableOf({ table }: EngineLog, dialect: DialectName): string {
  return table.map((name) => quoteName(name, DIALECTS[dialect])).join('.');
}

function needDialect({ name, kind }: EngineLog, dialect: DialectName, wanted: DialectName): void {
  if (dialect !== wanted)
    throw new CandorError('usage.no-live-source', `${name} is ${kind}, and its connection is to ${dialect}`);
}
