/** Bytes of a log cut into what is read one by one, in constant memory. */
import { type LogLine, type LogPlace, MAX_LINE_BYTES } from './lines/log-entry.ts';

const LINE_FEED = 0x0a;

/** Cuts the chunks of one log into lines; lives as long as the reading. */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #kept = 0;
  /** Bytes of the open line, also those not kept. */
  #length = 0;
  #offset: number;
  #line: number;

  constructor(start: LogPlace) {
    this.#offset = start.offset;
    this.#line = start.line;
  }

  /** The lines that end in this chunk. */
  *push(chunk: Buffer): Generator<LogLine> {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(LINE_FEED, from);
      if (at === -1) break;
      this.#keep(chunk, from, at);
      this.#length += 1;
      yield this.#take(true);
      from = at + 1;
    }
    this.#keep(chunk, from, chunk.length);
  }

  /** What is left behind the last line break. */
  *end(): Generator<LogLine> {
    if (this.#length > 0) yield this.#take(false);
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    this.#length += to - from;
    const room = MAX_LINE_BYTES - this.#kept;
    if (to === from || room <= 0) return;
    const piece = chunk.subarray(from, Math.min(to, from + room));
    this.#pieces.push(piece);
    this.#kept += piece.length;
  }

  #take(isEnded: boolean): LogLine {
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    const line = {
      text: cleaned(bytes.toString('utf8'), this.#offset === 0),
      offset: this.#offset,
      line: this.#line,
      end: this.#offset + this.#length,
      endLine: this.#line + 1,
      isTooLong: this.#length > MAX_LINE_BYTES,
      isEnded,
    };
    this.#offset = line.end;
    this.#line += 1;
    this.#pieces = [];
    this.#kept = 0;
    this.#length = 0;
    return line;
  }
}

/** Without the carriage return of Windows, and at the start of a file without the mark that it is UTF-8. */
function cleaned(text: string, isFirst: boolean): string {
  const from = isFirst && text.startsWith('\uFEFF') ? 1 : 0;
  const to = text.endsWith('\r') ? text.length - 1 : text.length;
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

// The objects of one large JSON array, in constant memory, whether it is written in one line or in many.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Takes the chunks of an array; gives every outermost `{…}` as if it were a line. */
export class ObjectSplitter {
  #pieces: Buffer[] = [];
  #kept = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Of the next byte. */
  #offset: number;
  #line: number;
  #start: LogPlace;

  constructor(start: LogPlace) {
    this.#offset = start.offset;
    this.#line = start.line;
    this.#start = start;
  }

  *push(chunk: Buffer): Generator<LogLine> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      this.#offset += 1;
      if (byte === LINE_FEED) this.#line += 1;
      if (this.#isInText) this.#readText(byte);
      else if (byte === OPEN) {
        if (this.#depth === 0) {
          this.#start = { offset: this.#offset - 1, line: this.#line };
          from = at;
        }
        this.#depth += 1;
      } else if (this.#depth > 0 && byte === QUOTE) this.#isInText = true;
      else if (this.#depth > 0 && byte === CLOSE) {
        this.#depth -= 1;
        if (this.#depth === 0) {
          this.#keep(chunk.subarray(from, at + 1));
          yield this.#take(true);
        }
      }
      // A quote that nothing closes would swallow the rest: what is too long ends at its line.
      if (byte === LINE_FEED && this.#depth > 0 && this.#offset - this.#start.offset > MAX_LINE_BYTES) {
        this.#keep(chunk.subarray(from, at + 1));
        yield this.#take(true);
      }
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(from));
  }

  /** An object that the end of the file cuts off. */
  *end(): Generator<LogLine> {
    if (this.#depth > 0) yield this.#take(false);
  }

  #readText(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }

  #keep(piece: Buffer): void {
    const room = MAX_LINE_BYTES - this.#kept;
    if (room <= 0) return;
    this.#pieces.push(piece.subarray(0, room));
    this.#kept += Math.min(room, piece.length);
  }

  #take(isEnded: boolean): LogLine {
    const line = {
      text: Buffer.concat(this.#pieces).toString('utf8'),
      ...this.#start,
      end: this.#offset,
      endLine: this.#line,
      isTooLong: this.#offset - this.#start.offset > MAX_LINE_BYTES,
      isEnded,
    };
    this.#pieces = [];
    this.#kept = 0;
    this.#depth = 0;
    this.#isInText = false;
    this.#isEscaped = false;
    return line;
  }
}
