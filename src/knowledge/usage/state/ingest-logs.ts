/** Query logs into the usage file: what was read before is not read again, and what is cut off goes on. */

import { createHash } from 'node:crypto';
import { CandorError } from '../../../errors.ts';
import type { StateFile } from '../../../store/index.ts';
import { containerFor, detectFormat } from '../logs/detect-format.ts';
import type {
  LogEntry,
  LogLine,
  LogPlace,
  LogReader,
  LogSink,
  RejectReason,
} from '../logs/lines/log-entry.ts';
import { parseObject } from '../logs/lines/row-reader.ts';
import {
  createLogReader,
  type DetectedLog,
  isLogFormat,
  LOG_FORMATS,
  type LogContainer,
  type LogFormatName,
} from '../logs/log-formats.ts';
import { type OpenedLog, openLog, readChunks } from '../logs/open-log.ts';
import { LineSplitter, ObjectSplitter } from '../logs/split-bytes.ts';
import { type CountingRules, EntryCounter, type LogCounts, LogTally } from './entry-counter.ts';

export interface IngestOptions extends CountingRules {
  /** Of all the logs; absent: each is recognised from its first lines. */
  readonly format?: LogFormatName;
  readonly onProgress?: (progress: IngestProgress) => void;
  readonly signal?: AbortSignal;
}

interface IngestProgress {
  readonly path: string;
  /** Bytes on disk, of all the logs. */
  readonly done: number;
  readonly total: number;
  readonly etaSeconds?: number;
}

export interface IngestedLog {
  readonly path: string;
  /** Absent where the log is empty. */
  readonly format?: LogFormatName;
  /** What came of its entries, in this run. */
  readonly counts: LogCounts;
  /** Bytes (unpacked) that earlier runs had read. */
  readonly knownBytes: number;
  readonly readBytes: number;
  /** Bytes at the end that may not be written to their end: the next run reads them. */
  readonly leftBytes: number;
  /** It is shorter than what was read of it before, so nothing was read. */
  readonly isShorter: boolean;
}

/** Lines between two transactions, and their characters. */
const LINES_AT_ONCE = 5_000;
const CHARACTERS_AT_ONCE = 8_000_000;

/**
 * Reads logs in the order given, each from where the last run stopped. After a crash at any point the counts are those
 * of the last transaction, and the next run goes on behind it. Memory does not grow with the logs. Throws
 * `usage.unreadable-log`, `usage.unknown-format`, `usage.busy`, `usage.cancelled`; what was counted before stays.
 */
export async function ingestLogs(
  file: StateFile,
  paths: readonly string[],
  options: IngestOptions,
): Promise<readonly IngestedLog[]> {
  const logs: OpenedLog[] = [];
  for (const path of paths) logs.push(await openLog(path));
  // All are recognised before the first is read: a wrong name at the end costs no hour.
  const formats = logs.map((log) =>
    log.head.length === 0 ? undefined : formatOf(file, log, options.format),
  );
  const counter = new EntryCounter(file, options);
  const report = progressOf(
    logs.reduce((sum, { size }) => sum + size, 0),
    options,
  );
  const ingested: IngestedLog[] = [];
  let before = 0;
  for (const [index, log] of logs.entries()) {
    const format = formats[index];
    const start = before;
    before += log.size;
    if (format === undefined) {
      ingested.push({
        path: log.path,
        counts: {},
        knownBytes: 0,
        readBytes: 0,
        leftBytes: 0,
        isShorter: false,
      });
      continue;
    }
    const ingestion = new Ingestion({ file, counter, log, known: takeUp(file, log, format) });
    ingested.push(await ingestion.run(options.signal, (done) => report(log.path, start + done)));
  }
  return ingested;
}

/** The format that was named, that of an earlier run, or the one that the first lines are of. */
function formatOf(file: StateFile, log: OpenedLog, named: LogFormatName | undefined): DetectedLog {
  const head = log.head.toString('utf8').replace(/^\uFEFF/, '');
  if (named !== undefined) return { format: named, container: containerFor(named, head) };
  const detected = findKnownLog(file, log.head) ?? detectFormat(head);
  if (detected !== undefined) return detected;
  const names = Object.keys(LOG_FORMATS).join(', ');
  throw new CandorError(
    'usage.unknown-format',
    `${log.path} looks like none of the logs that are read: ${names}`,
  );
}

/** The log as it was left by the last run, or a new one. */
function takeUp(file: StateFile, { head, path }: OpenedLog, format: DetectedLog): KnownLog {
  return file.transaction(() => {
    const known = findKnownLog(file, head);
    if (known === undefined) return addLog(file, path, head, format);
    renewHead(file, known.id, head);
    if (known.format === format.format) return known;
    if (known.counts.counted === undefined) return restartLog(file, known, format);
    throw new CandorError(
      'usage.unknown-format',
      `${path} was read as ${known.format} before; what was counted of it cannot be read again as ${format.format}`,
    );
  });
}

/** Says how far it is, and from the second part on how long it will take. */
function progressOf(total: number, { onProgress }: IngestOptions): (path: string, done: number) => void {
  const started = performance.now();
  let first: number | undefined;
  return (path, done) => {
    const from = first ?? done;
    first = from;
    const seconds = (performance.now() - started) / 1000;
    const etaSeconds = done > from ? (seconds * (total - done)) / (done - from) : undefined;
    onProgress?.({ path, done, total, ...(etaSeconds === undefined ? {} : { etaSeconds }) });
  };
}

interface IngestionParts {
  readonly file: StateFile;
  readonly counter: EntryCounter;
  readonly log: OpenedLog;
  readonly known: KnownLog;
}

/** One log, from where it was left to its end. */
class Ingestion {
  readonly #file: StateFile;
  readonly #counter: EntryCounter;
  readonly #log: OpenedLog;
  readonly #known: KnownLog;
  readonly #reader: LogReader;
  /** Of this run, and of all runs together. */
  readonly #tally = new LogTally();
  #lines: LogLine[] = [];
  #characters = 0;
  /** Behind the last line that was read, and where that is saved. */
  #place: LogPlace;
  #saved: number;

  constructor({ file, counter, log, known }: IngestionParts) {
    this.#file = file;
    this.#counter = counter;
    this.#log = log;
    this.#known = known;
    this.#reader = createLogReader(known, known.readerState);
    this.#place = { offset: known.offset, line: known.line };
    this.#saved = known.offset;
  }

  async run(signal: AbortSignal | undefined, onDone: (bytes: number) => void): Promise<IngestedLog> {
    const { offset, line, container } = this.#known;
    const isShorter = !this.#log.isGzip && this.#log.size < offset;
    const splitter =
      container === 'json-array' ? new ObjectSplitter({ offset, line }) : new LineSplitter({ offset, line });
    if (!isShorter) {
      for await (const { bytes, done } of readChunks(this.#log, offset, signal)) {
        for (const line of splitter.push(bytes)) this.#take(line);
        onDone(done);
        if (!signal?.aborted) continue;
        this.#flush(false);
        throw new CandorError('usage.cancelled', `reading ${this.#log.path} was cancelled`);
      }
      for (const line of splitter.end()) if (isWhole(line, container)) this.#take(line);
      this.#flush(true);
    }
    return {
      path: this.#log.path,
      format: this.#known.format,
      counts: this.#tally.counts(),
      knownBytes: offset,
      readBytes: this.#saved - offset,
      leftBytes: isShorter || this.#log.isGzip ? 0 : Math.max(0, this.#log.size - this.#saved),
      isShorter,
    };
  }

  #take(line: LogLine): void {
    this.#lines.push(line);
    this.#characters += line.text.length;
    if (this.#lines.length >= LINES_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE) this.#flush(false);
  }

  /** Counts what was read since the last time, and that it was read, as one. */
  #flush(isEnd: boolean): void {
    const sink = this.#sink();
    this.#file.transaction(() => {
      for (const line of this.#lines) {
        this.#reader.read(line, sink);
        this.#place = { offset: line.end, line: line.endLine };
      }
      if (isEnd) this.#reader.end(sink);
      this.#counter.flush();
      const { offset, line } = this.#reader.open ?? this.#place;
      const all = new LogTally(this.#known.counts);
      all.addAll(this.#tally.counts());
      saveProgress(
        this.#file,
        { id: this.#known.id, offset: this.#saved },
        { offset, line, readerState: this.#reader.state(), counts: all.counts() },
      );
      this.#saved = offset;
    });
    this.#lines = [];
    this.#characters = 0;
  }

  #sink(): LogSink {
    const source = { name: this.#log.path, day: this.#log.writtenDay, tally: this.#tally };
    return {
      entry: (entry: LogEntry) => this.#counter.count(entry, source),
      reject: (line: number, reason: RejectReason, text: string) =>
        this.#counter.reject(source, line, reason, text),
      skip: () => this.#tally.add('noRun'),
    };
  }
}

/**
 * Whether a last line without a line break is written to its end. A server writes both in one go; an object that can be
 * read is whole; an export as CSV is made once.
 */
function isWhole({ text }: LogLine, container: LogContainer): boolean {
  if (container === 'json') return parseObject(text) !== undefined;
  return container === 'csv';
}

/** How far a log was read, whatever it is called now. */
interface KnownLog extends DetectedLog, LogPlace {
  readonly id: number;
  readonly readerState: unknown;
  readonly counts: LogCounts;
}

/** The log that begins with these bytes: its own beginning is the longest of those known. */
function findKnownLog(file: StateFile, head: Buffer): KnownLog | undefined {
  const lengths = file
    .prepare('SELECT DISTINCT head_bytes AS n FROM logs WHERE head_bytes <= ? ORDER BY 1 DESC')
    .all(head.length);
  const find = file.prepare('SELECT * FROM logs WHERE head_hash = ? AND head_bytes = ?');
  for (const { n } of lengths) {
    const row = find.get(hashOf(head.subarray(0, Number(n))), Number(n));
    const format = String(row?.format);
    if (row === undefined || !isLogFormat(format)) continue;
    return {
      id: Number(row.id),
      format,
      container: containerOf(row.container),
      offset: Number(row.offset),
      line: Number(row.line),
      readerState: JSON.parse(String(row.reader_state)),
      counts: JSON.parse(String(row.counts)),
    };
  }
  return undefined;
}

/** Takes up a log that was never read. */
function addLog(file: StateFile, name: string, head: Buffer, { format, container }: DetectedLog): KnownLog {
  const added = file
    .prepare(
      `INSERT INTO logs (head_bytes, head_hash, name, format, container, offset, line, reader_state, counts)
       VALUES (?, ?, ?, ?, ?, 0, 1, 'null', '{}')`,
    )
    .run(head.length, hashOf(head), name, format, container);
  const id = Number(added.lastInsertRowid);
  return { id, format, container, offset: 0, line: 1, readerState: null, counts: {} };
}

/** A short log that has grown is known by more of its beginning from now on. */
function renewHead(file: StateFile, id: number, head: Buffer): void {
  const update = file.prepare(
    'UPDATE logs SET head_bytes = ?, head_hash = ? WHERE id = ? AND head_bytes < ?',
  );
  update.run(head.length, hashOf(head), id, head.length);
}

/** Reads a log once more from its start, in another format: nothing of it was counted in the first. */
function restartLog(file: StateFile, { id }: KnownLog, { format, container }: DetectedLog): KnownLog {
  file
    .prepare(
      "UPDATE logs SET format = ?, container = ?, offset = 0, line = 1, reader_state = 'null', counts = '{}' WHERE id = ?",
    )
    .run(format, container, id);
  return { id, format, container, offset: 0, line: 1, readerState: null, counts: {} };
}

interface Progressed extends LogPlace {
  readonly readerState: unknown;
  readonly counts: LogCounts;
}

/** Notes how far a log is read. Throws `usage.busy` when somebody else has read on in the meantime. */
function saveProgress(
  file: StateFile,
  { id, offset }: Pick<KnownLog, 'id' | 'offset'>,
  to: Progressed,
): void {
  const changed = file
    .prepare('UPDATE logs SET offset = ?, line = ?, reader_state = ?, counts = ? WHERE id = ? AND offset = ?')
    .run(to.offset, to.line, JSON.stringify(to.readerState), JSON.stringify(to.counts), id, offset);
  if (Number(changed.changes) === 0)
    throw new CandorError('usage.busy', 'the same log is being ingested by another process');
}

function containerOf(value: unknown): LogContainer {
  return value === 'json' || value === 'json-array' || value === 'csv' ? value : 'text';
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
