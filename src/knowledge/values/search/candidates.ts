/** What finds stored texts that look like another one. */

export interface Candidate {
  readonly text: number;
  /** Of the 3-grams: exact, or estimated where the search says so. */
  readonly jaccard: number;
}

export interface CandidateSearch {
  /** The accepted texts most like the given one, best first, equally good ones by number. */
  nearest(text: string, limit: number, accepts: (text: number) => boolean): readonly Candidate[];
}

/** Keeps the best of what is offered, at most `limit`. */
export class BestCandidates {
  readonly #limit: number;
  readonly #accepts: (text: number) => boolean;
  readonly #best: Candidate[] = [];

  constructor(limit: number, accepts: (text: number) => boolean) {
    this.#limit = limit;
    this.#accepts = accepts;
  }

  /** What a further candidate must at least be like to be kept; 0 while there is room. */
  get floor(): number {
    return this.#best.length < this.#limit ? 0 : (this.#best.at(-1)?.jaccard ?? 0);
  }

  offer(text: number, jaccard: number): void {
    const last = this.#best.at(-1);
    const isFull = this.#best.length >= this.#limit;
    if (isFull && last !== undefined && !isBetter(jaccard, text, last)) return;
    if (this.#limit === 0 || !this.#accepts(text)) return;
    if (isFull) this.#best.pop();
    let at = this.#best.length;
    while (at > 0 && isBetter(jaccard, text, this.#best[at - 1])) at -= 1;
    this.#best.splice(at, 0, { text, jaccard });
  }

  list(): readonly Candidate[] {
    return this.#best;
  }
}

function isBetter(jaccard: number, text: number, other: Candidate | undefined): boolean {
  if (other === undefined) return false;
  return jaccard > other.jaccard || (jaccard === other.jaccard && text < other.text);
}

// Many numbers in flat arrays.

/** Unsigned 32-bit numbers whose count is not known before: half the memory of a list, and no list of 2^27 is needed. */
export class GrowingNumbers {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  /** The numbers so far, without a copy. */
  view(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}

/** Lists of numbers in two flat arrays: list `k` is `items[start[k]] … items[start[k + 1] - 1]`. */
export interface Lists {
  readonly start: Uint32Array;
  readonly items: Uint32Array;
}

/** Sorts the places 0, 1, … into lists by their keys, each list ascending: one counting sort. */
export function groupByKey(keys: Uint32Array, keyCount: number): Lists {
  const start = new Uint32Array(keyCount + 1);
  for (const key of keys) start[key + 1] = (start[key + 1] ?? 0) + 1;
  for (let key = 0; key < keyCount; key += 1) start[key + 1] = (start[key + 1] ?? 0) + (start[key] ?? 0);
  const next = start.slice(0, keyCount);
  const items = new Uint32Array(keys.length);
  for (let place = 0; place < keys.length; place += 1) {
    const key = keys[place] ?? 0;
    const at = next[key] ?? 0;
    items[at] = place;
    next[key] = at + 1;
  }
  return { start, items };
}
