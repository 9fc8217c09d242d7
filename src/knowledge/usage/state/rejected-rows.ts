/** What could not be read of logs: set aside in the usage file, and written beside it for people. */
import { type StateFile, writeWhole } from '../../../store/index.ts';

/** Rows kept in all; the counts go on. */
const MOST_ROWS = 10_000;
const TEXT_KEPT = 200;

export class RejectedRows {
  readonly #insert: ReturnType<StateFile['prepare']>;
  readonly #keepsText: boolean;
  #count: number;

  constructor(file: StateFile, keepsText: boolean) {
    this.#insert = file.prepare('INSERT INTO rejected (place, reason, text) VALUES (?, ?, ?)');
    this.#keepsText = keepsText;
    this.#count = Number(file.prepare('SELECT COUNT(*) AS n FROM rejected').get()?.n);
  }

  add(place: string, reason: string, text: string): void {
    if (this.#count >= MOST_ROWS) return;
    this.#insert.run(
      place,
      reason,
      this.#keepsText ? text.slice(0, TEXT_KEPT).replaceAll('\0', '\uFFFD') : null,
    );
    this.#count += 1;
  }
}

/** Writes the rows as JSON lines, whole or not at all; returns how many there are. */
export async function writeRejected(file: StateFile, path: string): Promise<number> {
  const rows = file.prepare('SELECT place, reason, text FROM rejected ORDER BY id').all();
  const lines = rows.map(({ place, reason, text }) =>
    JSON.stringify(text === null ? { place, reason } : { place, reason, text }),
  );
  await writeWhole(path, lines.map((line) => `${line}\n`).join(''));
  return rows.length;
}
