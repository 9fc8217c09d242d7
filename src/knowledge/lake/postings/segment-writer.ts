import { CandorError } from '../../../errors.ts';
import type { StateFile } from '../../../store/index.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { packFacts, type TextTerms, tokensOf } from './text-terms.ts';

/** A term of a text: its key and how often it stands there. */
export interface TextTerm {
  readonly key: number;
  readonly inTitle: number;
  readonly inBody: number;
}

interface OpenSegment {
  readonly key: number;
  readonly first: number;
  readonly facts: Uint32Array;
  died: number;
}

/** The texts that one change of a lake file adds, as a segment of their own, and those that it takes out of others. */
export class SegmentWriter {
  readonly #file: StateFile;
  readonly #terms: TermDictionary;
  readonly #first: number;
  readonly #facts: number[] = [];
  readonly #postings = new Map<number, PostingsWriter>();
  readonly #open = new Map<number, OpenSegment>();
  #tokens = 0;
  #living = 0;

  constructor(file: StateFile, terms: TermDictionary) {
    this.#file = file;
    this.#terms = terms;
    this.#first = Number(file.statement('SELECT next_text AS n FROM totals').get()?.n);
  }

  /** Texts of the new segment so far. */
  get count(): number {
    return this.#facts.length;
  }

  /** Indexes a new text; returns its number. */
  add(hash: Uint8Array, { counts, tokens, titles }: TextTerms): number {
    const terms = [...counts].map(([term, { inTitle, inBody }]) => ({
      key: this.#terms.take(term, inTitle > 0),
      ...{ inTitle, inBody },
    }));
    return this.place(hash, terms, packFacts(tokens, titles));
  }

  /** Gives a text, whose terms are counted already, a number in the new segment. */
  place(hash: Uint8Array, terms: readonly TextTerm[], facts: number): number {
    const number = this.#first + this.#facts.length;
    this.#facts.push(facts);
    this.#tokens += tokensOf(facts);
    this.#living += 1;
    const own = new PostingsWriter();
    for (const { key, inTitle, inBody } of [...terms].sort((a, b) => a.key - b.key)) {
      own.add(key, inTitle, inBody);
      let list = this.#postings.get(key);
      if (list === undefined) {
        list = new PostingsWriter();
        this.#postings.set(key, list);
      }
      list.add(this.#facts.length, inTitle, inBody);
    }
    this.#file
      .statement('INSERT INTO texts (number, hash, terms) VALUES (?, ?, ?)')
      .run(number, hash, own.bytes());
    return number;
  }

  /** Takes out the text if no table has it any more. */
  dropUnused(number: number): void {
    if (this.#file.statement('SELECT 1 AS one FROM tables WHERE text = ? LIMIT 1').get(number) !== undefined)
      return;
    const row = this.#file.statement('SELECT terms FROM texts WHERE number = ?').get(number);
    if (row === undefined) return;
    readPostings(readBytes(row.terms), (key, inTitle) => this.#terms.leave(key, inTitle > 0));
    this.forget(number);
  }

  /** Takes a text out of its segment, whatever becomes of its terms; returns what was known of it. */
  forget(number: number): number {
    this.#file.statement('DELETE FROM texts WHERE number = ?').run(number);
    const at = number - this.#first;
    const segment = at >= 0 ? undefined : this.#segmentOf(number);
    const facts = segment?.facts[number - segment.first] ?? this.#facts[at] ?? 0;
    if (segment === undefined) this.#facts[at] = 0;
    else {
      segment.facts[number - segment.first] = 0;
      segment.died += 1;
    }
    this.#tokens -= tokensOf(facts);
    this.#living -= 1;
    return facts;
  }

  write(generation: number): void {
    this.#writeOpen(generation);
    if (this.#facts.length > 0) this.#writeNew(generation);
    this.#file
      .statement(
        'UPDATE totals SET generation = ?, texts = texts + ?, tokens = tokens + ?, next_text = next_text + ?',
      )
      .run(generation, this.#living, this.#tokens, this.#facts.length);
  }

  #writeOpen(generation: number): void {
    const change = this.#file.statement(
      'UPDATE segments SET facts = ?, living = living - ?, generation = ? WHERE key = ?',
    );
    for (const { key, facts, died } of this.#open.values()) change.run(toBytes(facts), died, generation, key);
    this.#file.exec(`
      DELETE FROM postings WHERE segment IN (SELECT key FROM segments WHERE living = 0);
      DELETE FROM segments WHERE living = 0`);
  }

  #writeNew(generation: number): void {
    const living = this.#facts.reduce((count, facts) => count + (facts === 0 ? 0 : 1), 0);
    const { lastInsertRowid } = this.#file
      .statement('INSERT INTO segments (first, count, living, facts, generation) VALUES (?, ?, ?, ?, ?)')
      .run(this.#first, this.#facts.length, living, toBytes(Uint32Array.from(this.#facts)), generation);
    const put = this.#file.statement('INSERT INTO postings (segment, term, bytes) VALUES (?, ?, ?)');
    for (const [term, list] of this.#postings) put.run(Number(lastInsertRowid), term, list.bytes());
  }

  #segmentOf(number: number): OpenSegment | undefined {
    for (const segment of this.#open.values())
      if (number >= segment.first && number < segment.first + segment.facts.length) return segment;
    const row = this.#file
      .statement('SELECT key, first, facts FROM segments WHERE first <= ? ORDER BY first DESC LIMIT 1')
      .get(number);
    if (row === undefined) return undefined;
    const segment = { key: Number(row.key), first: Number(row.first), facts: toNumbers(row.facts), died: 0 };
    this.#open.set(segment.key, segment);
    return segment;
  }
}

// Lists of numbers in growing order, each with how often a term stands in a title (at most 7) and in a body (at most
// 31), in two bytes where neighbours are near: a step, seven bits a byte, and one byte of both counts.

const MOST_IN_TITLE = 7;
const MOST_IN_BODY = 31;
const BODY_BITS = 5;

/** Grows by appending. */
export class PostingsWriter {
  #bytes = new Uint8Array(64);
  #length = 0;
  #last = 0;

  /** `number` is above all before it. */
  add(number: number, inTitle: number, inBody: number): void {
    if (this.#length + 6 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let step = number - this.#last;
    this.#last = number;
    while (step >= 128) {
      this.#bytes[this.#length++] = (step & 127) | 128;
      step >>>= 7;
    }
    this.#bytes[this.#length++] = step;
    const title = Math.min(inTitle, MOST_IN_TITLE);
    this.#bytes[this.#length++] = (title << BODY_BITS) | Math.min(inBody, MOST_IN_BODY);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

export type OnPosting = (number: number, inTitle: number, inBody: number) => void;

export function readPostings(bytes: Uint8Array, onPosting: OnPosting): void {
  let number = 0;
  let at = 0;
  while (at < bytes.length) {
    let byte = bytes[at++] ?? 0;
    let step = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      step |= (byte & 127) << shift;
    }
    number += step;
    const counts = bytes[at++] ?? 0;
    onPosting(number, counts >> BODY_BITS, counts & MOST_IN_BODY);
  }
}

/** Numbers of 32 bits as the bytes that a file keeps. */
export function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** A copy, since bytes of a file need not lie where numbers may. Throws `store.unusable`. */
export function toNumbers(bytes: unknown): Uint32Array {
  const known = readBytes(bytes);
  if (known.length % 4 !== 0) throw new CandorError('store.unusable', 'a stored list of numbers was cut');
  return new Uint32Array(known.slice().buffer);
}

export function readBytes(bytes: unknown): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  throw new CandorError('store.unusable', 'a stored list of numbers is none');
}

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
