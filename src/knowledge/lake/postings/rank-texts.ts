/** The texts of a lake that fit a question best, by their words and by those of their titles. */

import { kthLargest } from '../../../lib/index.ts';
import type { StateFile } from '../../../store/index.ts';
import { BM25, TITLE_WEIGHT } from '../../search/search-terms.ts';
import type { LakeMemory } from './lake-memory.ts';
import { readBytes } from './segment-writer.ts';
import { titlesOf, tokensOf } from './text-terms.ts';

interface RankedText {
  readonly text: number;
  /** BM25 of words; of names about the share of the title that the question has. */
  readonly score: number;
}

export interface TextRanking {
  readonly words: readonly RankedText[];
  readonly names: readonly RankedText[];
}

export interface RankOptions {
  readonly memory: LakeMemory;
  /** 1 at the number of each text that may be found. */
  readonly accepted: Uint8Array;
  /** Texts of each list. */
  readonly limit: number;
}

interface AskedTerm {
  readonly key: number;
  readonly idf: number;
  /** How much it tells in a title. */
  readonly rarity: number;
}

/** One array after the other grows with the lake and is used again: a search allocates nothing large. */
export class TextRanker {
  #scores = new Float32Array(0);
  #covers = new Float32Array(0);
  #touched = new Int32Array(0);

  rank(file: StateFile, terms: readonly string[], { memory, accepted, limit }: RankOptions): TextRanking {
    this.#grow(memory.facts.length);
    const asked = terms.flatMap((term) => findTerm(file, term, memory.texts) ?? []);
    // Those without an accepted text are not even read: a scope is mostly a few schemas, which lie together.
    const open = memory.segments.filter(({ first, count }) => {
      const next = accepted.indexOf(1, first);
      return next >= 0 && next < first + count;
    });
    const read = file.statement('SELECT bytes FROM postings WHERE term = ? AND segment = ?');
    let count = 0;
    const average = memory.texts === 0 ? 1 : memory.tokens / memory.texts;
    for (const term of asked)
      for (const { key, first } of open) {
        const row = read.get(term.key, key);
        if (row !== undefined)
          count = this.#add(readBytes(row.bytes), term, { first, memory, accepted, average, count });
      }
    const touched = this.#touched.subarray(0, count);
    const words = best(touched, this.#scores, limit);
    this.#coverTitles(touched, memory.facts);
    const names = best(touched, this.#covers, limit);
    for (const text of touched) {
      this.#scores[text] = 0;
      this.#covers[text] = 0;
    }
    return { words, names };
  }

  /** One list of postings, read in place: a million of them take some milliseconds. */
  #add(
    bytes: Uint8Array,
    { idf, rarity }: AskedTerm,
    { first, memory, accepted, average, count }: Adding,
  ): number {
    const { facts } = memory;
    const scores = this.#scores;
    const length = bytes.length;
    const flat = BM25.k1 * (1 - BM25.b);
    const perToken = (BM25.k1 * BM25.b) / average;
    let found = count;
    let text = first - 1;
    let at = 0;
    while (at < length) {
      let byte = bytes[at++]!;
      let step = byte & 127;
      for (let shift = 7; byte >= 128; shift += 7) {
        byte = bytes[at++]!;
        step |= (byte & 127) << shift;
      }
      text += step;
      const counts = bytes[at++]!;
      if (accepted[text] !== 1) continue;
      const inTitle = counts >> 5;
      const weight = inTitle * TITLE_WEIGHT + (counts & 31);
      if (scores[text] === 0) this.#touched[found++] = text;
      scores[text]! += (idf * weight * (BM25.k1 + 1)) / (weight + flat + perToken * tokensOf(facts[text]!));
      if (inTitle > 0) this.#covers[text]! += rarity;
    }
    return found;
  }

  /** From the sum of rarities to a share, as if the terms of a title told equally much. */
  #coverTitles(touched: Int32Array, facts: Uint32Array): void {
    for (const text of touched) this.#covers[text]! /= Math.max(1, titlesOf(facts[text]!));
  }

  #grow(length: number): void {
    if (this.#scores.length >= length) return;
    this.#scores = new Float32Array(length);
    this.#covers = new Float32Array(length);
    this.#touched = new Int32Array(length);
  }
}

interface Adding {
  readonly first: number;
  readonly memory: LakeMemory;
  readonly accepted: Uint8Array;
  readonly average: number;
  readonly count: number;
}

function findTerm(file: StateFile, term: string, texts: number): AskedTerm | undefined {
  const row = file.statement('SELECT key, texts, titles FROM terms WHERE term = ?').get(term);
  if (row === undefined) return undefined;
  const having = Number(row.texts);
  return {
    key: Number(row.key),
    idf: Math.max(BM25.leastIdf, Math.log((texts - having + 0.5) / (having + 0.5))),
    rarity: rarityOf(texts, Number(row.titles)),
  };
}

/** How much a term tells in a name: the rarer, the more. */
export function rarityOf(texts: number, titles: number): number {
  return Math.log(1 + texts / (1 + titles));
}

/** The texts of the highest scores above 0, best first, ties by number. */
function best(touched: Int32Array, scores: Float32Array, limit: number): RankedText[] {
  const own = new Float32Array(touched.length);
  for (let at = 0; at < touched.length; at++) own[at] = scores[touched[at]!]!;
  const least = kthLargest(own, limit);
  const found: RankedText[] = [];
  for (let at = 0; at < touched.length; at++)
    if (own[at]! >= least && own[at]! > 0) found.push({ text: touched[at]!, score: own[at]! });
  return found.sort((a, b) => b.score - a.score || a.text - b.text).slice(0, limit);
}
