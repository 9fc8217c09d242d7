/** A lexical embedding without a model: words and their character trigrams, hashed into unit vectors. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { breakWords } from '../../language/index.ts';
import { fnv1a, mixBits } from '../../lib/index.ts';
import { throwIfCancelled } from '../requests/retry-transient.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { embedPrepared, firstAxis } from './prepare-texts.ts';
import { toUnit } from './unit-vectors.ts';

const DIMENSIONS = 512;
/** More of a text than any other embedding reads. */
const MAX_CHARACTERS = 20_000;
const BATCH_SIZE = 256;
/** A word weighs as much as its trigrams together: the same word counts most, a similar one half. */
const WORD_WEIGHT = 1;
const GRAMS_WEIGHT = 1;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words, whose words are short. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Knows spelling, not meaning: "customer" is near "customers" and far from "client". The same everywhere and
 * at once, so it serves tests, and texts in languages that the built-in encoder does not know.
 *
 * Signed feature hashing after Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (2009), §2:
 * the sign makes what falls together cancel out on average.
 */
export function openHashedEmbedding(): EmbeddingModel {
  const closed = new AbortController();
  return {
    id: `hashed-words-trigrams-${DIMENSIONS}@2`,
    dimensions: DIMENSIONS,
    batchSize: BATCH_SIZE,
    embed: (texts, signal) =>
      embedPrepared(texts, { dimensions: DIMENSIONS, maxCharacters: MAX_CHARACTERS }, async (prepared) => {
        const vectors: Float32Array[] = [];
        for (const text of prepared) {
          // Others get a turn between batches: a warehouse has tens of thousands of names.
          if (vectors.length % BATCH_SIZE === 0) await nextTurn();
          throwIfCancelled(signal);
          throwIfCancelled(closed.signal);
          vectors.push(hashText(text));
        }
        return vectors;
      }),
    close: async () => closed.abort(),
  };
}

function hashText(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const [word, count] of countWords(text)) {
    // A word that comes ten times says a little more than one that comes once.
    const weight = 1 + Math.log(count);
    add(vector, `w${word}`, weight * WORD_WEIGHT);
    const grams = gramsOf(word);
    for (const gram of grams) add(vector, gram, (weight * GRAMS_WEIGHT) / Math.sqrt(grams.length));
  }
  if (vector.every((value) => value === 0)) return firstAxis(DIMENSIONS);
  return toUnit(rotate(vector), 'hashing');
}

/**
 * The Walsh-Hadamard transform, in place: a rotation, so that all cosines stay. A name fills a few places of hundreds;
 * after it all are filled, and their signs say something, by which a vector index chooses its candidates (after Ailon
 * and Chazelle, "Approximate Nearest Neighbors and the Fast Johnson-Lindenstrauss Transform", 2006, §1).
 */
function rotate(vector: Float32Array): Float32Array {
  for (let half = 1; half < vector.length; half *= 2) {
    for (let start = 0; start < vector.length; start += 2 * half) {
      for (let place = start; place < start + half; place++) {
        const left = vector[place] ?? 0;
        const right = vector[place + half] ?? 0;
        vector[place] = left + right;
        vector[place + half] = left - right;
      }
    }
  }
  return vector;
}

/** `customerName`, `customer_name` and "Customer name" are the same two words. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const spread = breakWords(text.normalize('NFKC'));
  for (const [word] of spread.toLowerCase().matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Trigrams of `^word$`; of a script without spaces the single characters and pairs too. */
function gramsOf(word: string): string[] {
  const characters = ['^', ...word, '$'];
  const grams = runsOf(characters, 3);
  if (!UNSPACED.test(word)) return grams;
  return [...grams, ...characters.slice(1, -1), ...runsOf(characters, 2)];
}

function runsOf(characters: readonly string[], size: number): string[] {
  const runs: string[] = [];
  for (let start = 0; start + size <= characters.length; start++)
    runs.push(characters.slice(start, start + size).join(''));
  return runs;
}

function add(vector: Float32Array, feature: string, weight: number): void {
  const hash = mixBits(fnv1a(feature));
  const place = hash % DIMENSIONS;
  const sign = (hash >>> 16) & 1 ? 1 : -1;
  vector[place] = (vector[place] ?? 0) + sign * weight;
}
