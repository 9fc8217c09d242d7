/** Keeps rows while they fit the limits, so that no engine ever holds a whole large result. */
import type { Cell } from '../sql/cell.ts';
import type { QueryLimits, QueryResult } from './database.ts';

export class RowCollector {
  readonly #limits: QueryLimits;
  readonly #rows: (readonly Cell[])[] = [];
  #bytes = 0;
  #truncatedBy: 'rows' | 'bytes' | null = null;

  constructor(limits: QueryLimits) {
    this.#limits = limits;
  }

  /** Keeps the row and says whether more are welcome; `false` means that this row was already too much. */
  add(row: readonly Cell[]): boolean {
    if (this.#rows.length >= this.#limits.rows) {
      this.#truncatedBy = 'rows';
      return false;
    }
    let bytes = 0;
    for (const cell of row) bytes += cellBytes(cell);
    if (this.#bytes + bytes > this.#limits.bytes) {
      this.#truncatedBy = 'bytes';
      return false;
    }
    this.#bytes += bytes;
    this.#rows.push(row);
    return true;
  }

  toResult(columns: readonly string[], ms: number): QueryResult {
    return { columns, rows: this.#rows, truncatedBy: this.#truncatedBy, ms };
  }
}

function cellBytes(cell: Cell): number {
  if (typeof cell === 'string') return Buffer.byteLength(cell);
  if (cell instanceof Uint8Array) return cell.byteLength;
  return 8;
}
