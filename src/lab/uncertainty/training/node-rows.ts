/** Rows of nodes to learn from and to measure on, with the queries and questions they belong to. */
import {
  type CategoryCodes,
  type FeatureSpace,
  type FeatureValue,
  orderCategories,
} from '../../../uncertainty/index.ts';

export interface RowQuery {
  readonly question: string;
  readonly database: string;
  /** Rows of its nodes: from `start` up to `end`. */
  readonly start: number;
  readonly end: number;
  /** Whether the query answers its question; undefined: not known. */
  readonly isRight?: boolean;
  /** Who wrote it and whatever else a measurement asks for. */
  readonly tag: string;
}

export interface AddedQuery extends Omit<RowQuery, 'start' | 'end'> {
  readonly types: readonly string[];
  readonly labels: Uint8Array;
  /** Row after row. */
  readonly values: readonly FeatureValue[];
}

/** Grows while queries are added; categories are kept as numbers in the order they were met. */
export class NodeRows {
  readonly space: FeatureSpace;
  readonly queries: RowQuery[] = [];
  /** By code. */
  readonly categories: string[] = [];
  readonly #codes = new Map<string, number>();
  #data: Float32Array;
  #labels: Uint8Array;
  #types: Uint16Array;
  #count = 0;

  constructor(space: FeatureSpace, expectedRows = 1 << 16) {
    this.space = space;
    this.#data = new Float32Array(expectedRows * space.features.length);
    this.#labels = new Uint8Array(expectedRows);
    this.#types = new Uint16Array(expectedRows);
  }

  get count(): number {
    return this.#count;
  }

  add({ types, labels, values, ...query }: AddedQuery): void {
    const width = this.space.features.length;
    const start = this.#count;
    this.#makeRoom(start + types.length);
    for (let at = 0; at < types.length * width; at += 1) {
      const value = values[at];
      this.#data[start * width + at] = typeof value === 'number' ? value : this.#codeOf(value ?? '');
    }
    for (const [node, type] of types.entries()) {
      this.#types[start + node] = this.#codeOf(type);
      this.#labels[start + node] = labels[node] ?? 0;
    }
    this.#count += types.length;
    this.queries.push({ ...query, start, end: this.#count });
  }

  typeAt(row: number): string {
    return this.categories[this.#types[row] ?? 0] ?? '';
  }

  labelAt(row: number): number {
    return this.#labels[row] ?? 0;
  }

  /** The order of categories as these rows have it. */
  learnCodes(rows: Int32Array): CategoryCodes {
    const codes: Record<string, readonly string[]> = {};
    for (const [column, { name, kind }] of this.space.features.entries()) {
      if (kind !== 'category') continue;
      const counts = new Map<string, { rows: number; wrong: number }>();
      for (const row of rows) {
        const category = this.categories[this.#valueAt(row, column)] ?? '';
        const known = counts.get(category) ?? { rows: 0, wrong: 0 };
        counts.set(category, known);
        known.rows += 1;
        known.wrong += this.labelAt(row);
      }
      codes[name] = orderCategories(counts);
    }
    return codes;
  }

  /** One array a column, categories by their places in `codes`. */
  columns(rows: Int32Array, codes: CategoryCodes): readonly Float32Array[] {
    return this.space.features.map(({ name, kind }, column) => {
      const values = new Float32Array(rows.length);
      const places = kind === 'category' ? this.#placesIn(codes[name] ?? []) : undefined;
      for (let at = 0; at < rows.length; at += 1) {
        const value = this.#valueAt(rows[at] ?? 0, column);
        values[at] = places === undefined ? value : (places[value] ?? Number.NaN);
      }
      return values;
    });
  }

  /** Fills `into` with one row after another, for a scorer. */
  rowReader(codes: CategoryCodes): (row: number, into: Float32Array) => void {
    const { features } = this.space;
    const places = features.map(({ name, kind }) =>
      kind === 'category' ? this.#placesIn(codes[name] ?? []) : undefined,
    );
    return (row, into) => {
      for (let column = 0; column < features.length; column += 1) {
        const value = this.#valueAt(row, column);
        const own = places[column];
        into[column] = own === undefined ? value : (own[value] ?? Number.NaN);
      }
    };
  }

  #valueAt(row: number, column: number): number {
    return this.#data[row * this.space.features.length + column] ?? Number.NaN;
  }

  #placesIn(categories: readonly string[]): Float32Array {
    const places = new Map(categories.map((category, place) => [category, place]));
    return Float32Array.from(this.categories, (category) => places.get(category) ?? Number.NaN);
  }

  #codeOf(category: string): number {
    const known = this.#codes.get(category);
    if (known !== undefined) return known;
    this.#codes.set(category, this.categories.length);
    this.categories.push(category);
    return this.categories.length - 1;
  }

  #makeRoom(rows: number): void {
    if (rows <= this.#labels.length) return;
    const room = Math.max(rows, Math.ceil(this.#labels.length * 1.5));
    const data = new Float32Array(room * this.space.features.length);
    data.set(this.#data.subarray(0, this.#count * this.space.features.length));
    const labels = new Uint8Array(room);
    labels.set(this.#labels);
    const types = new Uint16Array(room);
    types.set(this.#types);
    [this.#data, this.#labels, this.#types] = [data, labels, types];
  }
}
