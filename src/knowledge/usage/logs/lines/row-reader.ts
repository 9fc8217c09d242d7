/** Reads a log whose entries are rows, whatever holds them: JSON lines, a JSON array or CSV with a header. */
import { CsvLines } from './csv-lines.ts';
import type { LogLine, LogPlace, LogReader, LogSink } from './log-entry.ts';
import { isRecord, type LogRow, type RowFormat, rowOfFields, rowOfObject } from './log-row.ts';

export class JsonRowReader implements LogReader {
  readonly open = undefined;
  readonly #format: RowFormat;

  constructor(format: RowFormat) {
    this.#format = format;
  }

  read({ text, line, isTooLong }: LogLine, sink: LogSink): void {
    if (isTooLong) return sink.reject(line, 'too-long', text);
    const json = text.trim();
    // Brackets of an array and commas between its objects, where each stands on a line of its own.
    if (json === '' || json === '[' || json === ']' || json === ',') return;
    const object = parseObject(json.endsWith(',') ? json.slice(0, -1) : json);
    if (object === undefined) return sink.reject(line, text.includes('\0') ? 'nul-bytes' : 'not-json', text);
    tell(this.#format, rowOfObject(object), { line, text }, sink);
  }

  end(): void {}

  state(): unknown {
    return null;
  }
}

/** The header is what must be remembered: a later run begins behind it. */
export class CsvRowReader implements LogReader {
  readonly #format: RowFormat;
  readonly #lines: CsvLines;
  #header: readonly string[] | undefined;

  constructor(format: RowFormat, state: unknown) {
    this.#format = format;
    this.#header = Array.isArray(state) ? state.map(String) : undefined;
    this.#lines = new CsvLines((fields, place, sink) => this.#readRecord(fields, place, sink));
  }

  get open(): LogPlace | undefined {
    return this.#lines.open;
  }

  read(line: LogLine, sink: LogSink): void {
    this.#lines.read(line, sink);
  }

  end(sink: LogSink): void {
    this.#lines.end(sink, false);
  }

  state(): unknown {
    return this.#header ?? null;
  }

  #readRecord(fields: readonly string[], { line }: LogPlace, sink: LogSink): void {
    if (this.#header === undefined) {
      const header = fields.map((name) => name.trim().toLowerCase());
      if (this.#format.recognises(new Set(header))) this.#header = header;
      else sink.reject(line, 'no-header', fields.join(','));
      return;
    }
    const text = fields.join(',');
    if (fields.length !== this.#header.length) return sink.reject(line, 'not-csv', text);
    tell(this.#format, rowOfFields(this.#header, fields), { line, text }, sink);
  }
}

function tell(
  format: RowFormat,
  row: LogRow,
  { line, text }: { readonly line: number; readonly text: string },
  sink: LogSink,
): void {
  const reading = format.read(row);
  switch (reading.kind) {
    case 'entry':
      return sink.entry({ ...reading.entry, line });
    case 'reject':
      return sink.reject(line, reading.reason, text);
    case 'skip':
      return sink.skip();
  }
}

/** The object of a JSON text, or undefined for all else. */
export function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
