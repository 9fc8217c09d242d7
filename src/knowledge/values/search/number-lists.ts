/** Many numbers in flat arrays. */

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
