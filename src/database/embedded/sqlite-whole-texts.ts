/**
 * SQLite stores texts with a NUL in them, and its driver takes a text for over there. Bytes it brings whole: so the statement is
 * asked for such a text as bytes behind a mark, and for every other value as it is.
 */
import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import type { Cell } from '../../sql/cell.ts';

/** What a file says of how its texts are stored, and how bytes of them are read. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'UTF-8': 'utf-8',
  'UTF-16le': 'utf-16le',
  'UTF-16be': 'utf-16be',
};

export interface WholeStatement {
  readonly sql: string;
  /** From the driver's value to the one that is stored. */
  read(cell: Cell): Cell;
}

/**
 * The statement around `sql`, which must not end in a comment or a semicolon; `encoding` is what `PRAGMA encoding` says. It runs as
 * it stands, once and row by row: the limit without a bound and the join keep SQLite from folding it into what surrounds it, and
 * from dropping its order.
 */
export function withWholeTexts(sql: string, columns: number, encoding: string): WholeStatement {
  // No bytes of a database begin with the hash of what is asked of it.
  const mark = createHash('sha256').update(sql).digest('hex').slice(0, 32);
  const result = `result_${mark}`;
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const cells = names.map(
    (name) =>
      `CASE WHEN typeof(${name}) = 'text' AND instr(${name}, char(0)) > 0 THEN CAST('${mark}' || ${name} AS BLOB) ELSE ${name} END`,
  );
  return {
    sql: `WITH ${result} (${names.join(', ')}) AS (${sql}\n) SELECT ${cells.join(', ')}
      FROM (SELECT * FROM ${result} LIMIT -1) CROSS JOIN (SELECT 1)`,
    read: readMarked(mark, encoding),
  };
}

function readMarked(mark: string, encoding: string): (cell: Cell) => Cell {
  const decoder = new TextDecoder(ENCODINGS[encoding] ?? 'utf-8', { ignoreBOM: true });
  const bytes = Buffer.from(mark, encoding === 'UTF-8' ? 'utf8' : 'utf16le');
  const head = encoding === 'UTF-16be' ? bytes.swap16() : bytes;
  return (cell) => {
    if (!(cell instanceof Uint8Array) || cell.length < head.length) return cell;
    if (Buffer.compare(cell.subarray(0, head.length), head) !== 0) return cell;
    return decoder.decode(cell.subarray(head.length));
  };
}
