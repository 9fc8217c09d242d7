/** Lines to CSV records; after a broken record reading goes on with its second line. */
import { CsvRecord } from '../../../../lib/index.ts';
import { type LogLine, type LogPlace, type LogSink, MAX_STATEMENT } from './log-entry.ts';

/** Lines of one record; a statement of a person has fewer. */
const MAX_LINES = 10_000;
/** Strict, since a stray quote would swallow the lines behind it; and no log has as many columns. */
export const LOG_CSV = { isStrict: true, mostFields: 1_000 };

type OnRecord = (fields: readonly string[], place: LogPlace, sink: LogSink) => void;

/** Collects lines until they are a record. */
export class CsvLines {
  readonly #onRecord: OnRecord;
  #record = new CsvRecord(LOG_CSV);
  #lines: LogLine[] = [];
  #length = 0;

  constructor(onRecord: OnRecord) {
    this.#onRecord = onRecord;
  }

  /** The first line of a record that is not finished. */
  get open(): LogPlace | undefined {
    return this.#lines[0];
  }

  read(line: LogLine, sink: LogSink): void {
    // A list that grows while lines of a broken record come back to it.
    const waiting = [line];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const rest = this.#readOne(next, sink);
      for (let index = rest.length - 1; index >= 0; index -= 1) waiting.push(rest[index] as LogLine);
    }
  }

  /** What the end of the file cuts off is broken, unless the file is still written to. */
  end(sink: LogSink, isLive: boolean): void {
    while (!isLive && this.#lines.length > 0) {
      const rest = this.#breakOff(sink, 'not-csv');
      for (const line of rest) this.read(line, sink);
    }
  }

  /** Reads a line; gives back the lines that must be read again because the first of them was broken. */
  #readOne(line: LogLine, sink: LogSink): readonly LogLine[] {
    if (this.#lines.length === 0 && line.text === '') return [];
    this.#lines.push(line);
    this.#length += line.text.length;
    if (line.isTooLong) return this.#breakOff(sink, 'too-long');
    const progress = this.#record.pushLine(line.text);
    if (progress === 'broken') return this.#breakOff(sink, 'not-csv');
    if (progress === 'open') {
      const isTooLong = this.#length > 2 * MAX_STATEMENT || this.#lines.length > MAX_LINES;
      return isTooLong ? this.#breakOff(sink, 'too-long') : [];
    }
    const [first = line] = this.#lines;
    const { fields } = this.#record;
    this.#clear();
    this.#onRecord(fields, first, sink);
    return [];
  }

  #breakOff(sink: LogSink, reason: 'not-csv' | 'too-long'): readonly LogLine[] {
    const [first, ...rest] = this.#lines;
    this.#clear();
    if (first !== undefined) sink.reject(first.line, reason, first.text);
    return rest;
  }

  #clear(): void {
    this.#record = new CsvRecord(LOG_CSV);
    this.#lines = [];
    this.#length = 0;
  }
}
