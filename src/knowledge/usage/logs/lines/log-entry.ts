/** What readers of query logs give: one entry for each run of a statement, or for what is no entry why not. */

/** A statement somebody ran, once or several times. */
export interface LogEntry {
  readonly sql: string;
  /** As the log spells it; `unknown` where the log does not say. */
  readonly user: string;
  /** Day of the run, YYYY-MM-DD, in UTC where the log tells its zone; absent where the log has no time. */
  readonly day?: string;
  /** Below zero where an earlier entry turns out to have failed. */
  readonly runs: number;
  readonly isSuccess: boolean;
  /** The connected database: where the engine has databases around schemas, that; MySQL's goes to `schema`. */
  readonly database?: string;
  /** Where names without a schema are looked up; absent where the log does not say. */
  readonly schema?: string;
  /** What the engine itself says it read, where the log tells. */
  readonly inputs?: readonly LogInput[];
  /** Tells this run from all others, in every log that mentions it. */
  readonly id?: string;
  /** `runs` is the state of a counter with this name, which only grows until it is reset. */
  readonly counter?: string;
  /** File or title that the statement was saved under. */
  readonly name?: string;
  /** Line of the log, from 1. */
  readonly line: number;
}

/** A table and, where they are known, its columns; names as the engine spells them. */
export interface LogInput {
  readonly path: readonly string[];
  readonly columns: readonly string[];
}

/** Why a part of a log is no entry; `not-sql` is found later, by the parser. */
export type RejectReason =
  | 'too-long'
  | 'nul-bytes'
  | 'not-json'
  | 'not-csv'
  | 'missing-field'
  | 'no-time'
  | 'no-header'
  | 'hidden-text'
  | 'older-counter'
  | 'not-sql';

/** Where a reader puts what it finds. */
export interface LogSink {
  entry(entry: LogEntry): void;
  /** Malformed: counted by reason and set aside. */
  reject(line: number, reason: RejectReason, text: string): void;
  /** In order, but no run of a statement: a connection, a failure that nothing was counted for, our own query. */
  skip(): void;
}

/** A place in a log that reading can start at. */
export interface LogPlace {
  /** Bytes before it, of the unpacked log. */
  readonly offset: number;
  /** Line it begins, from 1. */
  readonly line: number;
}

/** One line of a log, or one object of a JSON array. */
export interface LogLine extends LogPlace {
  /** Without its line break; what is no UTF-8 has become U+FFFD. */
  readonly text: string;
  /** Offset behind its line break, and the line that begins there. */
  readonly end: number;
  readonly endLine: number;
  /** Longer than we keep: `text` is its beginning. */
  readonly isTooLong: boolean;
  /** False for a last line that nothing ends. */
  readonly isEnded: boolean;
}

/** Reads one log, line by line. What it must remember is `state`, so that a later run can go on. */
export interface LogReader {
  read(line: LogLine, sink: LogSink): void;
  /** The end of the file: what is still open is told or, where it may not be written to its end, left. */
  end(sink: LogSink): void;
  /** Where the lines begin that nothing was told of yet; absent: behind the last one. */
  readonly open: LogPlace | undefined;
  /** JSON data; with it and from `open` on, another reader goes on as this one would. */
  state(): unknown;
}

/** Longest statement, in UTF-16 units, as the parser takes it. */
export const MAX_STATEMENT = 1_000_000;
/** Longest line in bytes; a JSON line has escapes and more than the statement. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
