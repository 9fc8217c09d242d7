/** Bytes to lines, in constant memory: a line that is too long is cut and the rest of it passed over. */
import type { LogLine, LogPlace } from './log-entry.ts';
import { MAX_LINE_BYTES } from './log-entry.ts';

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
