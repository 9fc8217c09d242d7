/**
 * Candidates by posting lists: for every gram the texts that have it. Counting shared grams gives the exact Jaccard
 * similarity that MinHash estimates (docs/decisions/0012-value-index.md has the figures of both).
 */
import { BestCandidates, type Candidate, type CandidateSearch, groupByKey } from './candidates.ts';
import { gramsOf, type TextGrams } from './grams.ts';

export interface GramSections {
  /** Every gram, ascending. */
  readonly gramKeys: Float64Array;
  /** Gram `g` stands in the texts `postings[postingStart[g]] … postings[postingStart[g + 1] - 1]`, ascending. */
  readonly postingStart: Uint32Array;
  readonly postings: Uint32Array;
  /** Different grams of each text. */
  readonly gramCounts: Uint8Array;
}

/** Most different grams of one text; values are kept up to 80 characters. */
export const MAX_GRAMS = 255;
/** More than the error of a product, less than one gram. */
const ROUNDING = 1e-6;

export function buildGramSections({ keys, start, grams }: TextGrams): GramSections {
  const byKey = Uint32Array.from(keys.keys()).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  const rank = new Uint32Array(keys.length);
  for (const [place, gram] of byKey.entries()) rank[gram] = place;
  const texts = start.length - 1;
  const ranks = new Uint32Array(grams.length);
  const owner = new Uint32Array(grams.length);
  const gramCounts = new Uint8Array(texts);
  for (let text = 0; text < texts; text += 1) {
    const from = start[text] ?? 0;
    const to = start[text + 1] ?? 0;
    gramCounts[text] = to - from;
    for (let at = from; at < to; at += 1) {
      ranks[at] = rank[grams[at] ?? 0] ?? 0;
      owner[at] = text;
    }
  }
  const { start: postingStart, items } = groupByKey(ranks, keys.length);
  for (let at = 0; at < items.length; at += 1) items[at] = owner[items[at] ?? 0] ?? 0;
  return { gramKeys: keys.slice().sort(), postingStart, postings: items, gramCounts };
}

export class GramSearch implements CandidateSearch {
  readonly #sections: GramSections;
  /** Shared grams of each text with the one looked for; all zero between searches. */
  readonly #shared: Uint8Array;
  /** The texts that share any, in the order they were met; kept so that a search need not make it. */
  readonly #met: Uint32Array;

  constructor(sections: GramSections) {
    this.#sections = sections;
    this.#shared = new Uint8Array(sections.gramCounts.length);
    this.#met = new Uint32Array(sections.gramCounts.length);
  }

  /**
   * Exact: reads the lists of rare grams first and stops reading when a text of the remaining ones alone could not come
   * near enough; those already met are then looked up in the rest.
   */
  nearest(text: string, limit: number, accepts: (text: number) => boolean): readonly Candidate[] {
    const grams = gramsOf(text).slice(0, MAX_GRAMS);
    const lists = grams.flatMap((gram) => this.#listOf(gram) ?? []).sort((a, b) => a.length - b.length);
    const met = this.#met;
    const shared = this.#shared;
    let metCount = 0;
    let floor = 0;
    let read = 0;
    for (const list of lists) {
      const open = lists.length - read;
      // A text of the lists still to read only can share that many grams, of a union that is no smaller than ours.
      if (open / grams.length < floor) break;
      for (let at = 0; at < list.length; at += 1) {
        const place = list[at] ?? 0;
        const count = shared[place] ?? 0;
        if (count === 0) met[metCount++] = place;
        shared[place] = count + 1;
      }
      read += 1;
      // No text shares more grams than lists were read: before the half nothing can be good enough to stop.
      const next = lists[read];
      if (next !== undefined && read > open && next.length > metCount / 4)
        floor = this.#floorOf(met.subarray(0, metCount), {
          asked: grams.length,
          more: open - 1,
          limit,
          accepts,
        });
    }
    const rest = lists.slice(read);
    const best = new BestCandidates(limit, accepts);
    // Nothing is more alike than what it shares of the grams asked: most texts share one or two, and end here.
    const least = floor * grams.length - rest.length - ROUNDING;
    for (let at = 0; at < metCount; at += 1) {
      const place = met[at] ?? 0;
      const known = shared[place] ?? 0;
      shared[place] = 0;
      if (known < least) continue;
      if (this.#jaccard(place, known + rest.length, grams.length) < Math.max(floor, best.floor)) continue;
      const count = rest.reduce((sum, list) => sum + (has(list, place) ? 1 : 0), known);
      best.offer(place, this.#jaccard(place, count, grams.length));
    }
    return best.list();
  }

  /** How like the worst of the `limit` best is at least; only of texts that share more grams than are to come. */
  #floorOf(
    met: Uint32Array,
    {
      asked,
      more,
      limit,
      accepts,
    }: { asked: number; more: number; limit: number; accepts: (text: number) => boolean },
  ): number {
    const best = new BestCandidates(limit, accepts);
    for (let at = 0; at < met.length; at += 1) {
      const place = met[at] ?? 0;
      const shared = this.#shared[place] ?? 0;
      if (shared > more) best.offer(place, this.#jaccard(place, shared, asked));
    }
    return best.floor;
  }

  #jaccard(place: number, shared: number, asked: number): number {
    const own = this.#sections.gramCounts[place] ?? 0;
    const most = Math.min(shared, own, asked);
    return most / (asked + own - most);
  }

  #listOf(gram: number): Uint32Array | undefined {
    const { gramKeys, postingStart, postings } = this.#sections;
    let low = 0;
    let high = gramKeys.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const key = gramKeys[middle] ?? 0;
      if (key === gram) return postings.subarray(postingStart[middle], postingStart[middle + 1]);
      if (key < gram) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

function has(list: Uint32Array, place: number): boolean {
  let low = 0;
  let high = list.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const item = list[middle] ?? 0;
    if (item === place) return true;
    if (item < place) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
