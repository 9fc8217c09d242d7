const NONE = -1;
const SEVERAL = -2;

/** Ids of the clusters that the table of each row is in: most are in one, and one number each is quickly looked up. */
export class RowClusters {
  readonly #only: Int32Array;
  readonly #several = new Map<number, number[]>();

  constructor(rows: number) {
    this.#only = new Int32Array(rows).fill(NONE);
  }

  add(row: number, id: number): void {
    const only = this.#only[row]!;
    if (only === NONE) this.#only[row] = id;
    else if (only === SEVERAL) this.#several.get(row)?.push(id);
    else {
      this.#several.set(row, [only, id]);
      this.#only[row] = SEVERAL;
    }
  }

  forEach(row: number, visit: (id: number) => void): void {
    const only = this.#only[row]!;
    if (only >= 0) visit(only);
    else if (only === SEVERAL) for (const id of this.#several.get(row) ?? []) visit(id);
  }

  /** Whether the table is in one of these. */
  isIn(row: number, ids: readonly number[]): boolean {
    const only = this.#only[row]!;
    if (only !== SEVERAL) return ids.includes(only);
    return this.#several.get(row)?.some((id) => ids.includes(id)) ?? false;
  }
}
