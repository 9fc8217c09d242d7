/**
 * The general log of MySQL and MariaDB: every statement as it arrives, so that nothing tells how it ended. An entry
 * goes on until the next one begins. Source: MySQL Reference Manual, 7.4.3; MariaDB, log.cc (MYSQL_QUERY_LOG::write).
 */

import { readUse, splitStatements } from '../../statements/statement-parts.ts';
import {
  type LogLine,
  type LogPlace,
  type LogReader,
  type LogSink,
  MAX_STATEMENT,
} from '../lines/log-entry.ts';
import { readDay, readShortDay } from '../lines/read-day.ts';

/** MariaDB writes the time only where its second changes. */
export const GENERAL_ENTRY =
  /^(?:(\d{6} {1,2}\d{1,2}:\d\d:\d\d)\t|(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))\t|\t\t) *(\d{1,20}) ([A-Z][A-Za-z ]{2,30})\t(.*)$/s;
/** What a server writes when it opens the log. */
export const GENERAL_BANNER = /^Time\s+Id Command\s+Argument\s*$|, Version: .* started with:$|^Tcp port: /;

interface OpenEntry extends LogPlace {
  readonly thread: string;
  readonly command: string;
  readonly lines: string[];
  readonly day: string | undefined;
  length: number;
}

export class MysqlGeneralReader implements LogReader {
  readonly #connections: MysqlConnections;
  #day: string | undefined;
  #open: OpenEntry | undefined;
  /** The day before the open entry: what a later run begins with. */
  #dayBefore: string | undefined;
  /** Behind the beginning of an entry that was too long. */
  #isSkipping: boolean;

  constructor(state: unknown) {
    const [day, connections, isSkipping] = Array.isArray(state) ? state : [];
    this.#isSkipping = isSkipping === true;
    this.#day = typeof day === 'string' ? day : undefined;
    this.#dayBefore = this.#day;
    this.#connections = new MysqlConnections(connections);
  }

  get open(): LogPlace | undefined {
    return this.#open;
  }

  read(line: LogLine, sink: LogSink): void {
    const match = GENERAL_ENTRY.exec(line.text);
    if (match === null && GENERAL_BANNER.test(line.text)) return this.#finish(sink);
    if (match === null) return this.#goOn(line, sink);
    this.#finish(sink);
    const [, short, long, thread = '', command = '', text = ''] = match;
    this.#dayBefore = this.#day;
    this.#isSkipping = false;
    if (short !== undefined) this.#day = readShortDay(short);
    if (long !== undefined) this.#day = readDay(long);
    const { offset, line: number } = line;
    this.#open = {
      thread,
      command,
      lines: [text],
      offset,
      line: number,
      day: this.#day,
      length: text.length,
    };
    if (line.isTooLong) this.#drop(sink);
  }

  /** The last entry ends where the next one begins: until then it may not be written to its end. */
  end(): void {}

  state(): unknown {
    const day = this.#open === undefined ? this.#day : this.#dayBefore;
    return [day ?? null, this.#connections.state(), this.#isSkipping];
  }

  #goOn(line: LogLine, sink: LogSink): void {
    if (this.#open === undefined) {
      if (line.text !== '' && !this.#isSkipping) sink.reject(line.line, reasonOf(line.text), line.text);
      return;
    }
    this.#open.lines.push(line.text);
    this.#open.length += line.text.length + 1;
    if (line.isTooLong || this.#open.length > MAX_STATEMENT) this.#drop(sink);
  }

  #drop(sink: LogSink): void {
    const open = this.#open;
    this.#open = undefined;
    this.#isSkipping = true;
    if (open !== undefined) sink.reject(open.line, 'too-long', open.lines[0] ?? '');
  }

  #finish(sink: LogSink): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { thread, command, day, line } = open;
    const text = open.lines.join('\n');
    if (command !== 'Query' && command !== 'Execute') {
      this.#connections.follow(thread, command, text);
      return sink.skip();
    }
    if (day === undefined) return sink.reject(line, 'no-time', text);
    const connection = this.#connections.get(thread);
    this.#connections.followUse(thread, text);
    sink.entry({ sql: text, ...connection, day, runs: 1, isSuccess: true, line });
  }
}

/** A line that stands where an entry should begin. */
export function reasonOf(text: string): 'nul-bytes' | 'no-header' {
  return text.includes('\0') ? 'nul-bytes' : 'no-header';
}

/** Who is on which connection of a MySQL log, and in which database: told once, when the connection begins. */
interface MysqlConnection {
  readonly user: string;
  /** MySQL's databases are what others call schemas. */
  readonly schema?: string;
}

/** Connections remembered; the one that was opened first is forgotten first. */
const MAX_CONNECTIONS = 1_000;
const UNKNOWN: MysqlConnection = { user: 'unknown' };

class MysqlConnections {
  readonly #known = new Map<string, MysqlConnection>();

  constructor(state: unknown) {
    if (!Array.isArray(state)) return;
    for (const item of state) {
      if (!Array.isArray(item)) continue;
      const [thread, user, schema] = item;
      this.#known.set(
        String(thread),
        connectionOf(String(user), schema === null ? undefined : String(schema)),
      );
    }
  }

  state(): unknown {
    return [...this.#known].map(([thread, { user, schema }]) => [thread, user, schema ?? null]);
  }

  get(thread: string): MysqlConnection {
    return this.#known.get(thread) ?? UNKNOWN;
  }

  /** `Connect root@localhost on shop using Socket`, `Init DB shop`, `Change user …`, `Quit`. */
  follow(thread: string, command: string, text: string): void {
    if (command === 'Connect' || command === 'Change user') {
      const [, user, schema] = /^(\S*?)@\S*(?: as \S+)?(?: on (\S*))?(?: using .*)?$/.exec(text.trim()) ?? [];
      if (user !== undefined) this.#set(thread, connectionOf(user, schema));
    } else if (command === 'Init DB') this.#set(thread, connectionOf(this.get(thread).user, text.trim()));
    else if (command === 'Quit') this.#known.delete(thread);
  }

  /** `USE shop` as a statement, or as one of several in a text. */
  followUse(thread: string, sql: string): void {
    if (!/\buse\s/i.test(sql)) return;
    const schema = splitStatements(sql, 'mysql')
      .map(readUse)
      .findLast((name) => name !== undefined);
    if (schema !== undefined) this.#set(thread, connectionOf(this.get(thread).user, schema));
  }

  #set(thread: string, connection: MysqlConnection): void {
    this.#known.delete(thread);
    this.#known.set(thread, connection);
    if (this.#known.size <= MAX_CONNECTIONS) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}

function connectionOf(user: string, schema: string | undefined): MysqlConnection {
  return { user: user || 'unknown', ...(schema ? { schema } : {}) };
}
