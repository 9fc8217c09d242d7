import type { StateFile } from '../../../store/index.ts';
import { PIECE_TABLES, toNumbers } from './segment-writer.ts';

export interface Segment {
  readonly key: number;
  /** Number of its first text. */
  readonly first: number;
  readonly count: number;
}

/** What ranking holds in memory of a lake file: some 20 bytes a table, read again where it has changed. */
export class LakeMemory {
  /** Of every text, by number; see `text-terms.ts`. */
  facts = new Uint32Array(0);
  /** The text of every table, by the key of the table; 0: none. */
  places = new Uint32Array(0);
  /** Newest first does not matter: a text is in one of them. */
  segments: readonly Segment[] = [];
  texts = 0;
  tokens = 0;
  generation = -1;

  /** Brings it to the state of the file. Within a snapshot. */
  load(file: StateFile): void {
    const totals = file.statement('SELECT generation, texts, tokens, next_text FROM totals').get();
    const generation = Number(totals?.generation);
    if (generation === this.generation) return;
    this.texts = Number(totals?.texts);
    this.tokens = Number(totals?.tokens);
    this.facts = grown(this.facts, Number(totals?.next_text));
    const last = file.statement('SELECT max(piece) AS piece FROM places').get();
    this.places = grown(this.places, (Number(last?.piece ?? 0) + 1) * PIECE_TABLES);
    for (const { first, facts } of file
      .statement('SELECT first, facts FROM segments WHERE generation > ?')
      .iterate(this.generation))
      this.facts.set(toNumbers(facts), Number(first));
    for (const { piece, texts } of file
      .statement('SELECT piece, texts FROM places WHERE generation > ?')
      .iterate(this.generation))
      this.places.set(toNumbers(texts), Number(piece) * PIECE_TABLES);
    this.#readSegments(file);
    this.generation = generation;
  }

  /** A segment that is gone has left its texts behind: they are dead. */
  #readSegments(file: StateFile): void {
    const rows = file.statement('SELECT key, first, count FROM segments ORDER BY first').all();
    this.segments = rows.map(({ key, first, count }) => ({
      ...{ key: Number(key), first: Number(first), count: Number(count) },
    }));
    let next = 1;
    for (const { first, count } of this.segments) {
      this.facts.fill(0, next, first);
      next = first + count;
    }
    this.facts.fill(0, next);
  }
}

/** With room for more in steps, so that a refresh seldom copies. */
function grown(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  if (numbers.length >= length) return numbers as Uint32Array<ArrayBuffer>;
  const larger = new Uint32Array(Math.ceil(length * 1.1) + 1);
  larger.set(numbers);
  return larger;
}
