/** Rows to learn from: all that are needed, and a share of the others with the weight of those left out. */
import type { TrainingData } from '../../boosting/index.ts';

export class SampledRows {
  readonly #names: readonly string[];
  readonly #share: number;
  readonly #random: () => number;
  readonly #values: Float32Array[] = [];
  readonly #labels: number[] = [];
  readonly #weights: number[] = [];
  readonly #folds: number[] = [];

  /** `share` of the rows that are not needed is kept. */
  constructor(names: readonly string[], share: number, random: () => number) {
    this.#names = names;
    this.#share = share;
    this.#random = random;
  }

  add(
    row: Float32Array,
    isNeeded: boolean,
    { fold, weight }: { readonly fold: number; readonly weight: number },
  ): void {
    if (!isNeeded && this.#random() >= this.#share) return;
    this.#values.push(row.slice());
    this.#labels.push(isNeeded ? 1 : 0);
    this.#weights.push(isNeeded ? weight : weight / this.#share);
    this.#folds.push(fold);
  }

  get size(): number {
    return this.#labels.length;
  }

  /** Column after column; without the rows of one fold, when it is given. */
  data(without?: number): TrainingData {
    const kept = this.#folds.flatMap((fold, row) => (fold === without ? [] : [row]));
    const rows = kept.length;
    const features = this.#names.map((_, column) => {
      const values = new Float32Array(rows);
      for (const [at, row] of kept.entries()) values[at] = this.#values[row]?.[column] ?? 0;
      return values;
    });
    return {
      names: this.#names,
      rows,
      features,
      labels: Uint8Array.from(kept, (row) => this.#labels[row] ?? 0),
      weights: Float32Array.from(kept, (row) => this.#weights[row] ?? 1),
    };
  }
}
