import type { StateFile } from '../../../store/index.ts';
import { toBytes, toNumbers } from './blob.ts';

/** Tables whose texts lie in one piece. */
export const PIECE_TABLES = 8_192;

/** Which text every table has, by the key of the table: what one change of a lake file does to it. */
export class PlaceWriter {
  readonly #file: StateFile;
  readonly #pieces = new Map<number, Uint32Array>();

  constructor(file: StateFile) {
    this.#file = file;
  }

  /** 0: the table is gone. */
  set(table: number, text: number): void {
    const piece = Math.floor(table / PIECE_TABLES);
    let texts = this.#pieces.get(piece);
    if (texts === undefined) {
      const row = this.#file.statement('SELECT texts FROM places WHERE piece = ?').get(piece);
      texts = row === undefined ? new Uint32Array(PIECE_TABLES) : toNumbers(row.texts);
      this.#pieces.set(piece, texts);
    }
    texts[table % PIECE_TABLES] = text;
  }

  write(generation: number): void {
    const put = this.#file.statement(
      `INSERT INTO places (piece, texts, generation) VALUES (?, ?, ?)
       ON CONFLICT (piece) DO UPDATE SET texts = excluded.texts, generation = excluded.generation`,
    );
    for (const [piece, texts] of this.#pieces) put.run(piece, toBytes(texts), generation);
  }
}
