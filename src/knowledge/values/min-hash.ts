/** MinHash: a text as the least of its grams under each of many orders (Broder 1997). */
import { mixBits } from './hash-text.ts';

/**
 * Orders of the grams, one a permutation: that of a·h + b modulo 2^32 over well mixed 32-bit hashes h, with odd a. It
 * is a bijection, so no two grams share a rank; datasketch has had it since version 2 as `affine32`.
 */
export interface GramOrders {
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
export function hashGram(gram: number): number {
  return mixBits(Math.imul(gram >>> 0, 0x9e3779b1) ^ mixBits(Math.floor(gram / 2 ** 32)));
}

/** Where a gram of this hash stands in one of the orders. */
export function rankInOrder(hash: number, order: number, { factors, shifts }: GramOrders): number {
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
