/** What one gold query takes of the memory for all of them, in cells, beside the cells of its result. */
const OWN_CELLS = 100;

export interface Kept {
  readonly cells: number;
}

/**
 * Results of gold queries, so that the many outputs for one question run its gold once: also while it runs. The ones
 * used longest ago go when all have more than `most` cells. What fails is asked for anew.
 */
export class GoldCache<Result extends Kept> {
  readonly #most: number;
  /** The one used last comes last. */
  readonly #kept = new Map<string, { readonly result: Promise<Result>; cells: number }>();
  #cells = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, run: () => Promise<Result>): Promise<Result> {
    const known = this.#kept.get(key);
    const entry = known ?? { result: run(), cells: OWN_CELLS };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    if (known !== undefined) return known.result;
    this.#cells += entry.cells;
    entry.result.then(
      ({ cells }) => {
        if (this.#kept.get(key) !== entry) return;
        entry.cells += cells;
        this.#cells += cells;
        this.#shrink(key);
      },
      () => this.#drop(key, entry),
    );
    return entry.result;
  }

  clear(): void {
    this.#kept.clear();
    this.#cells = 0;
  }

  get size(): number {
    return this.#kept.size;
  }

  #shrink(spared: string): void {
    for (const [key, entry] of this.#kept) {
      if (this.#cells <= this.#most) return;
      if (key !== spared) this.#drop(key, entry);
    }
  }

  #drop(key: string, entry: { readonly cells: number }): void {
    if (this.#kept.get(key) !== entry) return;
    this.#kept.delete(key);
    this.#cells -= entry.cells;
  }
}
