/** PostgreSQL's `log_destination = jsonlog`, from version 15. Source: PostgreSQL documentation, 20.8.5. */
import type { LogLine, LogReader, LogSink } from '../lines/log-entry.ts';
import { rowOfObject, textIn } from '../lines/log-row.ts';
import { readDay } from '../lines/read-day.ts';
import { parseObject } from '../lines/row-reader.ts';
import { PostgresSessions } from './postgres-sessions.ts';

export class PostgresJsonReader implements LogReader {
  readonly open = undefined;
  readonly #sessions: PostgresSessions;

  constructor(state: unknown) {
    this.#sessions = new PostgresSessions(state);
  }

  read({ text, line, isTooLong }: LogLine, sink: LogSink): void {
    if (isTooLong) return sink.reject(line, 'too-long', text);
    if (text.trim() === '') return;
    const object = parseObject(text);
    if (object === undefined) return sink.reject(line, text.includes('\0') ? 'nul-bytes' : 'not-json', text);
    const row = rowOfObject(object);
    const day = readDay(row.get('timestamp'));
    if (day === undefined) return sink.reject(line, 'no-time', text);
    this.#sessions.read(
      {
        severity: textIn(row, 'error_severity') ?? '',
        message: textIn(row, 'message') ?? '',
        query: textIn(row, 'statement'),
        user: textIn(row, 'user') ?? 'unknown',
        database: textIn(row, 'dbname'),
        application: textIn(row, 'application_name'),
        session: textIn(row, 'session_id') ?? '',
        number: row.has('session_id') ? textIn(row, 'line_num') : undefined,
        day,
        line,
      },
      sink,
    );
  }

  end(): void {}

  state(): unknown {
    return this.#sessions.state();
  }
}
