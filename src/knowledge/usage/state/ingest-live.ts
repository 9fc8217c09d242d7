/** What a server itself remembers of its statements: PostgreSQL's pg_stat_statements, Trino's runtime queries. */
import type { Database } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import type { StateFile } from '../../../store/index.ts';
import { POSTGRES_STATEMENTS } from '../logs/formats/postgres-statements.ts';
import { TRINO_QUERIES } from '../logs/formats/trino-queries.ts';
import { type RowFormat, rowOfFields } from '../logs/lines/log-row.ts';
import type { LogFormatName } from '../logs/log-formats.ts';
import { type CountingRules, EntryCounter, type LogCounts, LogTally } from './entry-counter.ts';

export interface LiveOptions extends CountingRules {
  /** Today, YYYY-MM-DD: the counters of PostgreSQL do not say when a statement ran. */
  readonly day: string;
  readonly signal?: AbortSignal;
}

export interface LiveIngested {
  readonly source: LogFormatName;
  readonly counts: LogCounts;
  /** The server knows more than was read. */
  readonly isCut: boolean;
}

interface LiveSource {
  readonly source: LogFormatName;
  readonly format: RowFormat;
  readonly sql: string;
  readonly about: string;
}

/** The account of this connection reads tables for Candor, so its statements are no one's use. */
const SOURCES: Readonly<Partial<Record<Database['dialect'], LiveSource>>> = {
  postgres: {
    source: 'postgres-statements',
    format: POSTGRES_STATEMENTS,
    about: 'the extension pg_stat_statements',
    sql: `SELECT CAST(s.queryid AS text) AS queryid, CAST(s.userid AS text) AS userid, r.rolname, d.datname, s.query, s.calls
      FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid LEFT JOIN pg_roles r ON r.oid = s.userid
      WHERE d.datname = current_database() AND r.rolname IS DISTINCT FROM current_user`,
  },
  trino: {
    source: 'trino-queries',
    format: TRINO_QUERIES,
    about: 'system.runtime.queries',
    sql: `SELECT query_id, "user", source, query, state, CAST(created AS varchar) AS created FROM system.runtime.queries`,
  },
};

const LIMITS = { rows: 200_000, bytes: 256_000_000, timeoutMs: 120_000 };

/**
 * Counts what the server remembers and was not counted before, as one transaction. `database` is asked with a query of
 * our own, so it must be the connection itself and not one with a guard for other people's queries. Throws
 * `usage.no-live-source` and what the connection throws.
 */
export async function ingestLive(
  file: StateFile,
  database: Database,
  options: LiveOptions,
): Promise<LiveIngested> {
  const live = SOURCES[database.dialect];
  if (live === undefined) {
    throw new CandorError(
      'usage.no-live-source',
      `a ${database.dialect} database does not remember its statements`,
    );
  }
  const { columns, rows, truncatedBy } = await ask(database, live, options.signal);
  const tally = new LogTally();
  const source = { name: database.name, day: options.day, tally };
  const counter = new EntryCounter(file, options);
  const header = columns.map((name) => name.toLowerCase());
  file.transaction(() => {
    for (const [index, cells] of rows.entries()) {
      const fields = cells.map((cell) => (cell === null ? '' : String(cell)));
      const reading = live.format.read(rowOfFields(header, fields));
      const line = index + 1;
      if (reading.kind === 'entry') counter.count({ ...reading.entry, line }, source);
      else if (reading.kind === 'reject') counter.reject(source, line, reading.reason, '');
      else tally.add('noRun');
    }
    counter.flush();
  });
  return { source: live.source, counts: tally.counts(), isCut: truncatedBy !== null };
}

async function ask(database: Database, { sql, about }: LiveSource, signal: AbortSignal | undefined) {
  try {
    return await database.query(sql, LIMITS, signal);
  } catch (error) {
    const isRefused = error instanceof CandorError && error.code === 'database.query-failed';
    if (!isRefused) throw error;
    throw new CandorError('usage.no-live-source', `${about} cannot be read: ${error.message}`, {
      cause: error,
    });
  }
}
