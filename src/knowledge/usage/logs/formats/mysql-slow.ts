/**
 * The slow query log of MySQL and MariaDB: statements that have ended, each below comment lines that say whose it was.
 * Source: MySQL Reference Manual, 7.4.5; MariaDB, log.cc (MYSQL_QUERY_LOG::write).
 */

import { readUse } from '../../statements/statement-parts.ts';
import {
  type LogLine,
  type LogPlace,
  type LogReader,
  type LogSink,
  MAX_STATEMENT,
} from '../lines/log-entry.ts';
import { readDay, readShortDay } from '../lines/read-day.ts';
import { GENERAL_BANNER, reasonOf } from './mysql-general.ts';

interface OpenStatement extends LogPlace {
  user: string;
  schema: string | undefined;
  day: string | undefined;
  isSuccess: boolean;
  /** Whether the statement has begun, behind the comment lines. */
  isBegun: boolean;
  readonly lines: string[];
  length: number;
}

export class MysqlSlowReader implements LogReader {
  /** MariaDB writes the time only where its second changes, and `use` only where the database does. */
  #day: string | undefined;
  #schema: string | undefined;
  #open: OpenStatement | undefined;
  /** Behind the beginning of a statement that was too long. */
  #isSkipping: boolean;

  constructor(state: unknown) {
    const [day, schema, isSkipping] = Array.isArray(state) ? state : [];
    this.#isSkipping = isSkipping === true;
    this.#day = typeof day === 'string' ? day : undefined;
    this.#schema = typeof schema === 'string' ? schema : undefined;
  }

  get open(): LogPlace | undefined {
    return this.#open;
  }

  read(line: LogLine, sink: LogSink): void {
    const { text } = line;
    if (GENERAL_BANNER.test(text)) return this.#finish(sink);
    const isHeader = text.startsWith('# Time: ') || text.startsWith('# User@Host: ');
    if (isHeader && this.#open?.isBegun) this.#finish(sink);
    if (isHeader && this.#open === undefined) this.#begin(line);
    const open = this.#open;
    if (open === undefined) {
      if (text !== '' && !this.#isSkipping) sink.reject(line.line, reasonOf(text), text);
      return;
    }
    if (!open.isBegun && text.startsWith('#')) return this.#readComment(open, text);
    this.#readStatement(open, line, sink);
  }

  /** A statement is whole once its semicolon is written. */
  end(sink: LogSink): void {
    const last = this.#open?.lines.at(-1);
    if (last?.trimEnd().endsWith(';')) this.#finish(sink);
  }

  /** As it was before the open statement. */
  state(): unknown {
    return [this.#day ?? null, this.#schema ?? null, this.#isSkipping];
  }

  #begin({ offset, line }: LogLine): void {
    this.#isSkipping = false;
    this.#open = {
      ...{ offset, line, user: 'unknown', schema: this.#schema, day: this.#day, isSuccess: true },
      ...{ isBegun: false, lines: [], length: 0 },
    };
  }

  #readComment(open: OpenStatement, text: string): void {
    const [, time] = /^# Time: (.+)$/.exec(text) ?? [];
    if (time !== undefined) open.day = readShortDay(time) ?? readDay(time);
    const [, user] = /^# User@Host: ([^[\s]*)\[/.exec(text) ?? [];
    if (user !== undefined) open.user = user || 'unknown';
    const [, schema] = /\bSchema: (\S*)/.exec(text) ?? [];
    if (schema !== undefined) open.schema = schema || undefined;
    const [, errno = '0'] = /\b(?:Errno|Last_errno): (\d+)/.exec(text) ?? [];
    if (errno !== '0') open.isSuccess = false;
  }

  #readStatement(open: OpenStatement, { text, isTooLong }: LogLine, sink: LogSink): void {
    if (!open.isBegun) {
      const schema = readUse(text);
      const [, seconds] = /^SET timestamp=(\d+)(?:\.\d+)?;\s*$/.exec(text) ?? [];
      if (schema !== undefined) open.schema = schema;
      if (seconds !== undefined) open.day = readDay(Number(seconds));
      if (schema !== undefined || seconds !== undefined || text === '') return;
    }
    open.isBegun = true;
    open.lines.push(text);
    open.length += text.length + 1;
    if (!isTooLong && open.length <= MAX_STATEMENT) return;
    this.#keepContext(open);
    this.#open = undefined;
    this.#isSkipping = true;
    sink.reject(open.line, 'too-long', open.lines[0] ?? '');
  }

  #keepContext(open: OpenStatement): void {
    this.#day = open.day;
    this.#schema = open.schema;
  }

  #finish(sink: LogSink): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    this.#keepContext(open);
    const { user, schema, day, isSuccess, line } = open;
    const sql = open.lines.join('\n');
    // `# administrator command: Quit;` is a comment in the place of a statement.
    if (!open.isBegun || sql.startsWith('#')) return sink.skip();
    if (day === undefined) return sink.reject(line, 'no-time', sql);
    sink.entry({ sql, user, day, runs: 1, isSuccess, ...(schema === undefined ? {} : { schema }), line });
  }
}
