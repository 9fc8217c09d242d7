/** Days of a log that an engine holds, into the usage file: each day once, whole or not at all. */
import type { Database } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import type { StateFile } from '../../../store/index.ts';
import { daysBefore } from '../logs/read-day.ts';
import { type CountingRules, EntryCounter, type EntrySource } from '../state/entry-counter.ts';
import { type LogCounts, LogTally } from '../state/log-counts.ts';
import type { EngineLog } from './engine-log.ts';
import { type LogGroup, rangeOfDay, readGroups } from './read-groups.ts';

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
