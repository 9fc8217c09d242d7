/** PostgreSQL's `log_destination = csvlog`. Source: PostgreSQL documentation, 20.8.4 Using CSV-Format Log Output. */
import { CsvLines } from '../lines/csv-lines.ts';
import {
  type LogLine,
  type LogPlace,
  type LogReader,
  type LogSink,
  MAX_STATEMENT,
} from '../lines/log-entry.ts';
import { rowOfObject, textIn } from '../lines/log-row.ts';
import { readDay } from '../lines/read-day.ts';
import { parseObject } from '../lines/row-reader.ts';
import { PostgresSessions } from './postgres-sessions.ts';

/** Places of the columns; later versions have more behind them. */
const COLUMN = {
  time: 0,
  user: 1,
  database: 2,
  session: 5,
  number: 6,
  severity: 11,
  message: 13,
  query: 19,
  application: 22,
} as const;
const FEWEST_COLUMNS = 22;

export class PostgresCsvReader implements LogReader {
  readonly #sessions: PostgresSessions;
  readonly #lines = new CsvLines((fields, place, sink) => this.#readRecord(fields, place, sink));

  constructor(state: unknown) {
    this.#sessions = new PostgresSessions(state);
  }

  get open(): LogPlace | undefined {
    return this.#lines.open;
  }

  read(line: LogLine, sink: LogSink): void {
    this.#lines.read(line, sink);
  }

  /** The server may not have written the last record to its end. */
  end(sink: LogSink): void {
    this.#lines.end(sink, true);
  }

  state(): unknown {
    return this.#sessions.state();
  }

  #readRecord(fields: readonly string[], { line }: LogPlace, sink: LogSink): void {
    if (fields.length < FEWEST_COLUMNS) return sink.reject(line, 'not-csv', fields.join(','));
    const day = readDay(fields[COLUMN.time]);
    if (day === undefined) return sink.reject(line, 'no-time', fields.join(','));
    const message = fields[COLUMN.message] ?? '';
    if (message.length > MAX_STATEMENT) return sink.reject(line, 'too-long', message);
    const session = fields[COLUMN.session] ?? '';
    this.#sessions.read(
      {
        severity: fields[COLUMN.severity] ?? '',
        message,
        query: fields[COLUMN.query] || undefined,
        user: fields[COLUMN.user] || 'unknown',
        database: fields[COLUMN.database] || undefined,
        application: fields[COLUMN.application],
        session,
        number: session === '' ? undefined : fields[COLUMN.number] || undefined,
        day,
        line,
      },
      sink,
    );
  }
}

/** PostgreSQL's `log_destination = jsonlog`, from version 15. Source: PostgreSQL documentation, 20.8.5. */
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
