/**
 * What a message of PostgreSQL's log says of a statement. With `log_statement` a statement is told before it runs; when
 * it then fails, the error comes behind it, and the run is taken back. Source: PostgreSQL documentation, 20.8 Error
 * Reporting and Logging; postgres.c (check_log_statement, check_log_duration).
 */

import { textKey } from '../../statements/read-statement.ts';
import type { LogSink } from '../lines/log-entry.ts';

export interface PostgresRecord {
  /** LOG, ERROR, FATAL, … */
  readonly severity: string;
  readonly message: string;
  /** The statement an error is about. */
  readonly query: string | undefined;
  readonly user: string;
  readonly database: string | undefined;
  readonly application: string | undefined;
  readonly session: string;
  /** Number of the record in its session; with it a record is known again in another log. */
  readonly number: string | undefined;
  readonly day: string;
  readonly line: number;
}

/** Statements that were told before they ran: the last one of each session. */
export interface ToldStatement {
  readonly hash: string;
  readonly day: string;
}

/** Sessions whose last statement is remembered; the one that was silent longest is forgotten first. */
const MAX_SESSIONS = 1_000;

/** Follows the sessions of one log. */
export class PostgresSessions {
  readonly #told: Map<string, ToldStatement>;

  constructor(state: unknown) {
    this.#told = new Map(readState(state));
  }

  state(): unknown {
    return [...this.#told].map(([session, { hash, day }]) => [session, hash, day]);
  }

  read(record: PostgresRecord, sink: LogSink): void {
    // Our own queries are no one's use.
    if (record.application === 'candor') return sink.skip();
    if (record.severity === 'LOG') this.#readMessage(record, sink);
    else if (FAILURES.has(record.severity)) this.#readFailure(record, sink);
    else sink.skip();
  }

  #readMessage(record: PostgresRecord, sink: LogSink): void {
    const [, text = record.message] = /^duration: [\d.]+ ms {2}([\s\S]*)$/.exec(record.message) ?? [];
    const sql = statementOf(text);
    if (sql === undefined) return sink.skip();
    // With a duration it has ended well.
    if (text === record.message) this.#remember(record.session, { hash: textKey(sql), day: record.day });
    sink.entry(entryOf(record, sql, { day: record.day, runs: 1, isSuccess: true }));
  }

  #readFailure(record: PostgresRecord, sink: LogSink): void {
    const told = this.#told.get(record.session);
    if (record.query === undefined || told?.hash !== textKey(record.query)) return sink.skip();
    this.#told.delete(record.session);
    sink.entry(entryOf(record, record.query, { day: told.day, runs: -1, isSuccess: false }));
  }

  #remember(session: string, told: ToldStatement): void {
    this.#told.delete(session);
    this.#told.set(session, told);
    if (this.#told.size <= MAX_SESSIONS) return;
    for (const oldest of this.#told.keys()) {
      this.#told.delete(oldest);
      return;
    }
  }
}

const FAILURES: ReadonlySet<string> = new Set(['ERROR', 'FATAL', 'PANIC']);

/** `parse` and `bind` come before `execute` and are no runs; a fetch goes on with one. */
function statementOf(message: string): string | undefined {
  if (message.startsWith('statement: ')) return message.slice('statement: '.length);
  const [, sql] = /^execute (?!fetch from )[^:]*: ([\s\S]*)$/.exec(message) ?? [];
  return sql;
}

function entryOf(
  { user, database, session, number, line }: PostgresRecord,
  sql: string,
  run: { readonly day: string; readonly runs: number; readonly isSuccess: boolean },
) {
  return {
    sql,
    user,
    ...run,
    ...(database === undefined ? {} : { database }),
    ...(number === undefined ? {} : { id: `postgres ${session} ${number}` }),
    line,
  };
}

function readState(state: unknown): [string, ToldStatement][] {
  if (!Array.isArray(state)) return [];
  return state.flatMap((item): [string, ToldStatement][] => {
    if (!Array.isArray(item)) return [];
    const [session, hash, day] = item;
    return [[String(session), { hash: String(hash), day: String(day) }]];
  });
}
