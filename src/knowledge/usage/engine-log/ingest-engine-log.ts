/** Days of a log that an engine holds, into the usage file: each day once, whole or not at all. */

import type { UsageLogSettings } from '../../../config/index.ts';
import type { Database, QueryLimits } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { type Cell, quoteText, writeName } from '../../../sql/dialects/index.ts';
import type { DialectName } from '../../../sql/index.ts';
import type { StateFile } from '../../../store/index.ts';
import { daysBefore } from '../logs/lines/read-day.ts';
import {
  type CountingRules,
  EntryCounter,
  type EntrySource,
  type LogCounts,
  LogTally,
} from '../state/entry-counter.ts';

export interface EngineLogOptions extends CountingRules {
  /** Today, YYYY-MM-DD: the first day that is not over. */
  readonly today: string;
  /** Days back at most; those before the first one read stay unread. */
  readonly days?: number;
  readonly onProgress?: (progress: {
    readonly day: string;
    readonly done: number;
    readonly total: number;
  }) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface IngestedDays {
  readonly log: string;
  /** What came of the runs, in this run. */
  readonly counts: LogCounts;
  readonly readDays: number;
  /** Of the window, those that earlier runs had read. */
  readonly knownDays: number;
  /** Rows that came from the engine: what was grouped is not among them. */
  readonly groups: number;
}

const DAYS = 90;
/** Pages of the file kept in memory while much is written to places far apart. */
const CACHE_KB = 256 * 1024;

/**
 * Reads the days that are over and were not read before, oldest first, so that time grows with the new days. Each is one
 * transaction with the note that it was read: after a crash the next run goes on with that day, and a day read twice
 * counts once. `database` is the engine that holds the log, with a guard for our own queries but for histories of its own. Throws
 * `usage.cancelled`, `usage.too-many-groups`, `usage.no-live-source` and what the connection throws; days read before
 * stay.
 */
export async function ingestEngineLog(
  file: StateFile,
  database: Database,
  log: EngineLog,
  options: EngineLogOptions,
): Promise<IngestedDays> {
  const { today, days = DAYS, since, signal } = options;
  const first = [since ?? '', daysBefore(today, days)].sort().at(-1) ?? today;
  const all = daysFrom(first, today);
  const isRead = file.prepare('SELECT 1 FROM log_days WHERE log = ? AND day = ?');
  const open = all.filter((day) => isRead.get(log.name, day) === undefined);
  const tally = new LogTally();
  const counter = new EntryCounter(file, options);
  let groups = 0;
  file.exec(`PRAGMA cache_size = -${CACHE_KB}`);
  for (const [done, day] of open.entries()) {
    options.onProgress?.({ day, done, total: open.length });
    groups += await ingestDay(file, database, { log, day, counter, tally, signal }).catch(
      (error: unknown) => {
        if (!signal?.aborted) throw error;
        throw new CandorError('usage.cancelled', `reading ${log.name} was cancelled`, { cause: error });
      },
    );
  }
  options.onProgress?.({ day: today, done: open.length, total: open.length });
  return {
    log: log.name,
    counts: tally.counts(),
    readDays: open.length,
    knownDays: all.length - open.length,
    groups,
  };
}

interface DayParts {
  readonly log: EngineLog;
  readonly day: string;
  readonly counter: EntryCounter;
  readonly tally: LogTally;
  readonly signal: AbortSignal | undefined;
}

/** Gives the number of groups. */
async function ingestDay(
  file: StateFile,
  database: Database,
  { log, day, counter, tally, signal }: DayParts,
): Promise<number> {
  const source: EntrySource = { name: log.name, day, tally, unit: 'runs' };
  let groups = 0;
  await file.longTransaction(async () => {
    const noted = file
      .prepare('INSERT INTO log_days VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(log.name, day);
    // Another process has read it since we looked.
    if (Number(noted.changes) === 0) return;
    for await (const read of readGroups(database, log, rangeOfDay(day), { signal })) {
      groups += read.length;
      if (namesTables(log))
        for (const group of read) counter.countTable(group.what, { ...group, day }, source);
      else countStatements(counter, read, source);
      counter.flush();
    }
  }, signal);
  return groups;
}

/** Those with the same text one after the other: each is parsed once. */
function countStatements(counter: EntryCounter, groups: readonly LogGroup[], source: EntrySource): void {
  const byText = new Map<string, LogGroup[]>();
  for (const group of groups) {
    const same = byText.get(group.what);
    if (same === undefined) byText.set(group.what, [group]);
    else same.push(group);
  }
  let line = 0;
  for (const [sql, same] of byText)
    for (const { what: _sql, ...group } of same) {
      line += 1;
      counter.count({ ...group, sql, day: source.day, isSuccess: true, line }, source);
    }
}

function namesTables({ kind }: EngineLog): boolean {
  return kind === 'tables' || kind === 'snowflake-access-history' || kind === 'bigquery-jobs';
}

function daysFrom(first: string, before: string): string[] {
  const days: string[] = [];
  for (let day = first; day < before; day = daysBefore(day, -1)) days.push(day);
  return days;
}

/** Runs of one statement, or of one table, by one user. */
interface LogGroup {
  readonly user: string;
  /** A statement, or the name of a table. */
  readonly what: string;
  readonly database?: string;
  readonly schema?: string;
  readonly runs: number;
}

/** Groups that come at once; memory holds one answer. */
const GROUP_LIMITS: QueryLimits = { rows: 400_000, bytes: 256_000_000, timeoutMs: 1_800_000 };
const SHORTEST_MS = 1_000;

/**
 * The groups of a range of time, in as few answers as hold them: a range with more than fits is asked for in two halves,
 * so that a user and a statement may come several times. Throws `usage.too-many-groups` where one second has more, and
 * what the connection throws.
 */
export async function* readGroups(
  database: Database,
  log: EngineLog,
  range: TimeRange,
  {
    limits = GROUP_LIMITS,
    signal,
  }: { readonly limits?: QueryLimits; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<readonly LogGroup[]> {
  const { rows, truncatedBy } = await database.query(groupLog(log, database.dialect, range), limits, signal);
  if (truncatedBy === null) {
    yield rows.map(groupOf);
    return;
  }
  const [from, to] = [timeOf(range.from), timeOf(range.to)];
  const middle = from + Math.floor((to - from) / 2 / SHORTEST_MS) * SHORTEST_MS;
  if (middle === from)
    throw new CandorError(
      'usage.too-many-groups',
      `${log.name}: more than ${limits.rows} groups at ${range.from}`,
    );
  yield* readGroups(database, log, { from: range.from, to: textOf(middle) }, { limits, signal });
  yield* readGroups(database, log, { from: textOf(middle), to: range.to }, { limits, signal });
}

/** A day as a range of time. */
export function rangeOfDay(day: string): TimeRange {
  const from = Date.parse(`${day}T00:00:00Z`);
  return { from: textOf(from), to: textOf(from + 86_400_000) };
}

function groupOf([user, what, database, schema, runs]: readonly Cell[]): LogGroup {
  return {
    user: String(user),
    what: String(what),
    ...(database == null ? {} : { database: String(database) }),
    ...(schema == null ? {} : { schema: String(schema) }),
    runs: Number(runs),
  };
}

function timeOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

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
  const name = (column: string): string => `l.${writeName(column, dialect)}`;
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
    `${dialect === 'sqlite' ? '' : 'TIMESTAMP '}${quoteText(at, dialect)}`;
  return [`${time} >= ${literal(from)}`, `${time} < ${literal(to)}`];
}

function tableOf({ table }: EngineLog, dialect: DialectName): string {
  return table.map((name) => writeName(name, dialect)).join('.');
}

function needDialect({ name, kind }: EngineLog, dialect: DialectName, wanted: DialectName): void {
  if (dialect !== wanted)
    throw new CandorError('usage.no-live-source', `${name} is ${kind}, and its connection is to ${dialect}`);
}

// Query logs that are tables or views of an engine: the engine groups their rows, and only the groups come here.

/** As `candor.yml` names it; columns are those of `statements` and `tables`, the other kinds know theirs. */
export type EngineLog = Omit<UsageLogSettings, 'url'>;

/** Times without a zone, from and to before: `2025-01-31 00:00:00`. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether the rows are a history of the engine's own: then the guard, which keeps queries away from such tables, must not
 * stand before the connection.
 */
export function isOfEngine({ kind }: EngineLog): boolean {
  return kind !== 'statements' && kind !== 'tables';
}
