/**
 * SQLite stores texts with a NUL in them, and its driver takes a text for over there. Bytes it brings whole: so the statement is
 * asked for such a text as bytes behind a mark, and for every other value as it is.
 */
import { randomBytes } from 'node:crypto';
import { TextDecoder } from 'node:util';
import type { Cell } from '../../sql/cell.ts';

/** What a file says of how its texts are stored, and how bytes of them are read. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'UTF-8': 'utf-8',
  'UTF-16le': 'utf-16le',
  'UTF-16be': 'utf-16be',
};

export class WholeTexts {
  /** No bytes of a database begin with it. */
  readonly #mark = randomBytes(16).toString('hex');
  readonly #markBytes: Uint8Array;
  readonly #decoder: TextDecoder;

  /** `encoding` is what `PRAGMA encoding` says. */
  constructor(encoding: string) {
    this.#decoder = new TextDecoder(ENCODINGS[encoding] ?? 'utf-8', { ignoreBOM: true });
    const bytes = Buffer.from(this.#mark, encoding === 'UTF-8' ? 'utf8' : 'utf16le');
    this.#markBytes = encoding === 'UTF-16be' ? bytes.swap16() : bytes;
  }

  /**
   * The statement around `sql`, which must not end in a comment or a semicolon. It runs as it stands, once and row by row: the
   * limit without a bound and the join keep SQLite from folding it into what surrounds it, and from dropping its order.
   */
  around(sql: string, columns: number): string {
    const result = `result_${this.#mark}`;
    const names = Array.from({ length: columns }, (_, at) => `c${at}`);
    const cells = names.map(
      (name) =>
        `CASE WHEN typeof(${name}) = 'text' AND instr(${name}, char(0)) > 0 THEN CAST('${this.#mark}' || ${name} AS BLOB) ELSE ${name} END`,
    );
    return `WITH ${result} (${names.join(', ')}) AS (${sql}\n) SELECT ${cells.join(', ')}
      FROM (SELECT * FROM ${result} LIMIT -1) CROSS JOIN (SELECT 1)`;
  }

  read(cell: Cell): Cell {
    if (!(cell instanceof Uint8Array) || cell.length < this.#markBytes.length) return cell;
    const head = cell.subarray(0, this.#markBytes.length);
    if (Buffer.compare(head, this.#markBytes) !== 0) return cell;
    return this.#decoder.decode(cell.subarray(this.#markBytes.length));
  }
}
