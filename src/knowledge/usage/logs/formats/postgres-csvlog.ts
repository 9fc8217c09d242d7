/** PostgreSQL's `log_destination = csvlog`. Source: PostgreSQL documentation, 20.8.4 Using CSV-Format Log Output. */
import { CsvLines } from '../lines/csv-lines.ts';
import {
  type LogLine,
  type LogPlace,
  type LogReader,
  type LogSink,
  MAX_STATEMENT,
} from '../lines/log-entry.ts';
import { readDay } from '../lines/read-day.ts';
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
