/** Candidates by MinHash and locality-sensitive hashing, as CHESS and ThothAI build them (thoth.md, section 6.2). */

import { mixBits } from '../../../lib/index.ts';
import { BestCandidates, type Candidate, type CandidateSearch, GrowingNumbers } from './candidates.ts';
import { gramsOf, type TextGrams } from './grams.ts';

export interface LshSections {
  /** What the texts of each bucket have in common in its band, ascending within a band. */
  readonly bucketKeys: Uint32Array;
  /** Band `b` has the buckets `bandStart[b] … bandStart[b + 1] - 1`. */
  readonly bandStart: Uint32Array;
  /** Bucket `k` of band `b` holds `members[b · texts + bucketStart[k + b]] …`: each band counts from 0. */
  readonly bucketStart: Uint32Array;
  readonly members: Uint32Array;
  /** Components of all signatures, text after text, where a band has several rows: 1 row needs none. */
  readonly signatures: Uint32Array;
}

export interface LshOptions extends Bands {
  readonly permutations: number;
  readonly seed: number;
}

export function buildLshSections(textGrams: TextGrams, options: LshOptions): LshSections {
  const orders = makeGramOrders(options.permutations, options.seed);
  const places = placesWithGrams(textGrams);
  const keepsSignatures = options.rows > 1;
  const signatures = new Uint32Array(
    keepsSignatures ? (textGrams.start.length - 1) * options.permutations : 0,
  );
  const hashes = Uint32Array.from(textGrams.keys, hashGram);
  const bucketKeys = new GrowingNumbers();
  const bucketStart = new GrowingNumbers();
  const bandStart = new Uint32Array(options.bands + 1);
  const members = new Uint32Array(places.length * options.bands);
  for (let band = 0; band < options.bands; band += 1) {
    const keys = new Uint32Array(places.length);
    for (let row = 0; row < options.rows; row += 1) {
      const order = band * options.rows + row;
      const least = leastRanks(textGrams, places, rankAll(hashes, order, orders));
      for (let at = 0; at < least.length; at += 1) {
        const rank = least[at] ?? 0;
        keys[at] = joinRow(keys[at] ?? 0, rank, row);
        if (keepsSignatures) signatures[(places[at] ?? 0) * options.permutations + order] = rank;
      }
    }
    const sorted = sortByKey(keys);
    const offset = band * places.length;
    let last = -1;
    for (let at = 0; at < sorted.length; at += 1) {
      const place = sorted[at] ?? 0;
      const key = keys[place] ?? 0;
      if (key !== last) {
        bucketKeys.push(key);
        bucketStart.push(at);
        last = key;
      }
      members[offset + at] = places[place] ?? 0;
    }
    bucketStart.push(places.length);
    bandStart[band + 1] = bucketKeys.length;
  }
  return { bucketKeys: bucketKeys.view(), bandStart, bucketStart: bucketStart.view(), members, signatures };
}

function placesWithGrams({ start }: TextGrams): Uint32Array {
  const places = new GrowingNumbers();
  for (let text = 0; text < start.length - 1; text += 1)
    if ((start[text + 1] ?? 0) > (start[text] ?? 0)) places.push(text);
  return places.view();
}

/** The rank of every gram once, not once for every text that has it. */
function rankAll(hashes: Uint32Array, order: number, orders: GramOrders): Uint32Array {
  const ranks = new Uint32Array(hashes.length);
  for (let gram = 0; gram < hashes.length; gram += 1)
    ranks[gram] = rankInOrder(hashes[gram] ?? 0, order, orders);
  return ranks;
}

function leastRanks({ start, grams }: TextGrams, places: Uint32Array, ranks: Uint32Array): Uint32Array {
  const least = new Uint32Array(places.length);
  for (let at = 0; at < places.length; at += 1) {
    const text = places[at] ?? 0;
    const end = start[text + 1] ?? 0;
    let smallest = 0xffffffff;
    for (let place = start[text] ?? 0; place < end; place += 1) {
      const rank = ranks[grams[place] ?? 0] ?? 0;
      if (rank < smallest) smallest = rank;
    }
    least[at] = smallest;
  }
  return least;
}

/** A band of one row is its component; of several, their hash. */
function joinRow(key: number, rank: number, row: number): number {
  return row === 0 ? rank : mixBits(Math.imul(key, 31) ^ rank);
}

/** The places of the keys in ascending order, by two passes of 16 bits each. */
function sortByKey(keys: Uint32Array): Uint32Array {
  let places = new Uint32Array(keys.length);
  for (let place = 0; place < places.length; place += 1) places[place] = place;
  for (const shift of [0, 16]) {
    const next = new Uint32Array(65_537);
    for (const key of keys) next[((key >>> shift) & 0xffff) + 1]! += 1;
    for (let digit = 0; digit < 65_536; digit += 1) next[digit + 1]! += next[digit] ?? 0;
    const sorted = new Uint32Array(keys.length);
    for (const place of places) {
      const digit = ((keys[place] ?? 0) >>> shift) & 0xffff;
      sorted[next[digit]!] = place;
      next[digit]! += 1;
    }
    places = sorted;
  }
  return places;
}

export class LshSearch implements CandidateSearch {
  readonly #sections: LshSections;
  readonly #options: LshOptions;
  readonly #orders: GramOrders;
  /** Bands in which each text was met; all zero between searches. */
  readonly #hits: Uint8Array;
  readonly #members: number;

  constructor(sections: LshSections, options: LshOptions, texts: number) {
    this.#sections = sections;
    this.#options = options;
    this.#orders = makeGramOrders(options.permutations, options.seed);
    this.#hits = new Uint8Array(texts);
    this.#members = sections.members.length / options.bands;
  }

  /** Texts that share a band, by the estimated Jaccard similarity. */
  nearest(text: string, limit: number, accepts: (text: number) => boolean): readonly Candidate[] {
    const grams = gramsOf(text);
    if (grams.length === 0) return [];
    const signature = signatureOf(grams, this.#orders);
    const best = new BestCandidates(limit, accepts);
    for (const place of this.#meet(signature)) best.offer(place, this.#estimate(place, signature));
    this.#hits.fill(0);
    return best.list();
  }

  /** Every text that shares a band, whatever its similarity: what the recall of LSH is measured by. */
  meeting(text: string): Uint32Array {
    const met = this.#meet(signatureOf(gramsOf(text), this.#orders));
    this.#hits.fill(0);
    return met;
  }

  #meet(signature: Uint32Array): Uint32Array {
    const { bands, rows } = this.#options;
    const { bucketStart, members } = this.#sections;
    const met = new GrowingNumbers();
    for (let band = 0; band < bands; band += 1) {
      let key = 0;
      for (let row = 0; row < rows; row += 1) key = joinRow(key, signature[band * rows + row] ?? 0, row);
      const bucket = this.#bucketOf(key, band);
      if (bucket < 0) continue;
      const from = band * this.#members + (bucketStart[bucket + band] ?? 0);
      const to = band * this.#members + (bucketStart[bucket + band + 1] ?? 0);
      for (let at = from; at < to; at += 1) {
        const place = members[at] ?? 0;
        const hits = this.#hits[place] ?? 0;
        if (hits === 0) met.push(place);
        this.#hits[place] = hits + 1;
      }
    }
    return met.view();
  }

  #estimate(place: number, signature: Uint32Array): number {
    const { permutations, bands, rows } = this.#options;
    // With one row a band, the bands in which two texts met are their equal components.
    if (rows === 1) return (this.#hits[place] ?? 0) / bands;
    let equal = 0;
    const offset = place * permutations;
    for (let at = 0; at < bands * rows; at += 1)
      if (this.#sections.signatures[offset + at] === signature[at]) equal += 1;
    return equal / (bands * rows);
  }

  #bucketOf(key: number, band: number): number {
    const { bucketKeys, bandStart } = this.#sections;
    let low = bandStart[band] ?? 0;
    let high = (bandStart[band + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = bucketKeys[middle] ?? 0;
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

// MinHash: a text as the least of its grams under each of many orders (Broder 1997).

/**
 * Orders of the grams, one a permutation: that of a·h + b modulo 2^32 over well mixed 32-bit hashes h, with odd a. It
 * is a bijection, so no two grams share a rank; datasketch has had it since version 2 as `affine32`.
 */
interface GramOrders {
  readonly factors: Uint32Array;
  readonly shifts: Uint32Array;
}

export function makeGramOrders(permutations: number, seed: number): GramOrders {
  const factors = new Uint32Array(permutations);
  const shifts = new Uint32Array(permutations);
  let state = mixBits(seed);
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    return mixBits(state);
  };
  for (let at = 0; at < permutations; at += 1) {
    factors[at] = next() | 1;
    shifts[at] = next();
  }
  return { factors, shifts };
}

/** 32 bits of a gram. */
function hashGram(gram: number): number {
  return mixBits(Math.imul(gram >>> 0, 0x9e3779b1) ^ mixBits(Math.floor(gram / 2 ** 32)));
}

/** Where a gram of this hash stands in one of the orders. */
function rankInOrder(hash: number, order: number, { factors, shifts }: GramOrders): number {
  return (Math.imul(hash, factors[order] ?? 1) + (shifts[order] ?? 0)) >>> 0;
}

/** One number for each order: the least rank among the grams. Without grams all are the largest number. */
export function signatureOf(grams: readonly number[], orders: GramOrders): Uint32Array {
  const signature = new Uint32Array(orders.factors.length).fill(0xffffffff);
  const hashes = grams.map(hashGram);
  for (let order = 0; order < signature.length; order += 1) {
    let least = 0xffffffff;
    for (const hash of hashes) least = Math.min(least, rankInOrder(hash, order, orders));
    signature[order] = least;
  }
  return signature;
}

/** The share of equal components, which estimates the Jaccard similarity of the grams. */
export function estimateJaccard(a: Uint32Array, b: Uint32Array): number {
  let equal = 0;
  for (let at = 0; at < a.length; at += 1) if (a[at] === b[at]) equal += 1;
  return equal / a.length;
}

/** How a signature is cut into bands so that texts above a similarity are likely to meet. */
interface Bands {
  readonly bands: number;
  /** Components of the signature in each band. */
  readonly rows: number;
}

const STEP = 0.001;

/**
 * The bands and rows with the least 0.5·FP + 0.5·FN over all that fit the permutations, as datasketch chooses them:
 * FP is the area under the chance to meet below the threshold, FN the one above it to miss.
 * `chooseBands(100, 0.01)` → 100 bands of 1 row.
 */
export function chooseBands(permutations: number, threshold: number): Bands {
  let best = { bands: 1, rows: 1 };
  let least = Number.POSITIVE_INFINITY;
  for (let bands = 1; bands <= permutations; bands += 1) {
    for (let rows = 1; rows * bands <= permutations; rows += 1) {
      const cut = { bands, rows };
      const falsePositive = integral((s) => chanceToMeet(s, cut), 0, threshold);
      const falseNegative = integral((s) => 1 - chanceToMeet(s, cut), threshold, 1);
      const error = 0.5 * falsePositive + 0.5 * falseNegative;
      if (error < least) {
        least = error;
        best = cut;
      }
    }
  }
  return best;
}

/** How likely two texts of a Jaccard similarity share a band: 1 − (1 − s^rows)^bands. */
export function chanceToMeet(similarity: number, { bands, rows }: Bands): number {
  return 1 - (1 - similarity ** rows) ** bands;
}

function integral(of: (x: number) => number, from: number, to: number): number {
  let area = 0;
  for (let x = from; x < to; x += STEP) area += of(x + STEP / 2) * STEP;
  return area;
}
