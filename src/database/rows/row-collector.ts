/** Keeps rows while they fit the limits, so that no engine ever holds a whole large result. */

import type { Notice } from '../../results/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { QueryLimits, QueryResult } from '../interface/database.ts';

export class RowCollector {
  readonly #limits: QueryLimits;
  readonly #rows: (readonly Cell[])[] = [];
  #bytes = 0;
  #cutCells = 0;
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
    const { cells, cut } = this.#cut(row);
    let bytes = 0;
    for (const cell of cells) bytes += cellBytes(cell);
    if (this.#bytes + bytes > this.#limits.bytes) {
      this.#truncatedBy = 'bytes';
      return false;
    }
    this.#bytes += bytes;
    this.#cutCells += cut;
    this.#rows.push(cells);
    return true;
  }

  toResult(columns: readonly string[], ms: number, notices: readonly Notice[] = []): QueryResult {
    const cutCells = this.#cutCells === 0 ? {} : { cutCells: this.#cutCells };
    const said = notices.length === 0 ? {} : { notices };
    return { columns, rows: this.#rows, truncatedBy: this.#truncatedBy, ...cutCells, ...said, ms };
  }

  #cut(row: readonly Cell[]): { readonly cells: readonly Cell[]; readonly cut: number } {
    const { cellSize } = this.#limits;
    if (cellSize === undefined) return { cells: row, cut: 0 };
    let cut = 0;
    const cells = row.map((cell) => {
      if (!(typeof cell === 'string' || cell instanceof Uint8Array) || cell.length <= cellSize) return cell;
      cut += 1;
      return typeof cell === 'string' ? cutText(cell, cellSize) : cell.slice(0, cellSize);
    });
    return { cells, cut };
  }
}

/** Never between the two halves of a character beyond the basic plane. */
function cutText(text: string, size: number): string {
  const last = text.charCodeAt(size - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? size - 1 : size);
}

function cellBytes(cell: Cell): number {
  if (typeof cell === 'string') return Buffer.byteLength(cell);
  if (cell instanceof Uint8Array) return cell.byteLength;
  return 8;
}
