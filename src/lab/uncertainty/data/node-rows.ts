/** Rows of nodes to learn from and to measure on, with the queries and questions they belong to. */
import {
  type CategoryCodes,
  type FeatureGroupName,
  type FeatureSpace,
  type FeatureValue,
  featureSpace,
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
  /** Who wrote it. */
  readonly tag: string;
  /** Of a prediction: the systems that wrote it. */
  readonly writers?: readonly string[];
  readonly sql?: string;
  /** Equal for queries of one canonical form. */
  readonly form?: string;
  /** How many set-ups wrote it. */
  readonly times?: number;
}

export interface AddedQuery extends Omit<RowQuery, 'start' | 'end'> {
  readonly types: readonly string[];
  readonly labels: Uint8Array;
  /** As the paper words it, where both are wanted. */
  readonly publishedLabels?: Uint8Array;
  /** Row after row. */
  readonly values: readonly FeatureValue[];
}

/** Rows as training and measuring see them. */
export interface LabelledNodes {
  readonly space: FeatureSpace;
  readonly count: number;
  readonly queries: readonly RowQuery[];
  typeAt(row: number): string;
  labelAt(row: number): number;
  /** The order of categories as these rows have it. */
  learnCodes(rows: Int32Array): CategoryCodes;
  /** One array a column, categories by their places in `codes`. */
  columns(rows: Int32Array, codes: CategoryCodes): readonly Float32Array[];
  /** Fills `into` with one row after another, for a scorer. */
  rowReader(codes: CategoryCodes): (row: number, into: Float32Array) => void;
}

export interface RowsPart {
  /** Groups of features to see; all where absent. */
  readonly groups?: readonly FeatureGroupName[];
  readonly labels?: 'tolerant' | 'published';
}

/** Grows while queries are added; categories are kept as numbers in the order they were met. */
export class NodeRows implements LabelledNodes {
  readonly space: FeatureSpace;
  readonly queries: RowQuery[] = [];
  /** By code. */
  readonly categories: string[] = [];
  readonly #codes = new Map<string, number>();
  #data: Float32Array;
  #labels: Uint8Array;
  #published: Uint8Array;
  #types: Uint16Array;
  #count = 0;

  constructor(space: FeatureSpace, expectedRows = 1 << 16) {
    this.space = space;
    this.#data = new Float32Array(expectedRows * space.features.length);
    this.#labels = new Uint8Array(expectedRows);
    this.#published = new Uint8Array(expectedRows);
    this.#types = new Uint16Array(expectedRows);
  }

  get count(): number {
    return this.#count;
  }

  add({ types, labels, publishedLabels = labels, values, ...query }: AddedQuery): void {
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
      this.#published[start + node] = publishedLabels[node] ?? 0;
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

  /** As they were added, but for the rounding of numbers to 32 bits. */
  valuesOf({ start, end }: RowQuery): readonly FeatureValue[] {
    const width = this.space.features.length;
    return Array.from({ length: (end - start) * width }, (_, at) => {
      const value = this.#data[start * width + at] ?? Number.NaN;
      return this.space.features[at % width]?.kind === 'category' ? (this.categories[value] ?? '') : value;
    });
  }

  learnCodes(rows: Int32Array): CategoryCodes {
    return this.#learnCodes(rows, this.space, (row) => this.labelAt(row));
  }

  columns(rows: Int32Array, codes: CategoryCodes): readonly Float32Array[] {
    return this.#columns(rows, codes, this.space);
  }

  rowReader(codes: CategoryCodes): (row: number, into: Float32Array) => void {
    return this.#rowReader(codes, this.space);
  }

  /** The same rows with fewer features or other labels; nothing is copied. */
  part({ groups, labels = 'tolerant' }: RowsPart): LabelledNodes {
    const space = groups === undefined ? this.space : featureSpace(groups);
    const labelAt = (row: number): number =>
      (labels === 'tolerant' ? this.#labels[row] : this.#published[row]) ?? 0;
    return {
      space,
      labelAt,
      count: this.#count,
      queries: this.queries,
      typeAt: (row) => this.typeAt(row),
      learnCodes: (rows) => this.#learnCodes(rows, space, labelAt),
      columns: (rows, codes) => this.#columns(rows, codes, space),
      rowReader: (codes) => this.#rowReader(codes, space),
    };
  }

  /** Where the features of a part stand in the rows. */
  #placesOf(space: FeatureSpace): readonly number[] {
    const { names, groups, features } = space;
    if (space === this.space) return [...features.keys()];
    return names.flatMap((name, at) => {
      const start = this.space.startOf(name);
      return Array.from({ length: groups[at]?.features.length ?? 0 }, (_, index) => start + index);
    });
  }

  #learnCodes(rows: Int32Array, space: FeatureSpace, labelAt: (row: number) => number): CategoryCodes {
    const codes: Record<string, readonly string[]> = {};
    const stored = this.#placesOf(space);
    for (const [at, { name, kind }] of space.features.entries()) {
      const column = stored[at] ?? 0;
      if (kind !== 'category') continue;
      const counts = new Map<string, { rows: number; wrong: number }>();
      for (const row of rows) {
        const category = this.categories[this.#valueAt(row, column)] ?? '';
        const known = counts.get(category) ?? { rows: 0, wrong: 0 };
        counts.set(category, known);
        known.rows += 1;
        known.wrong += labelAt(row);
      }
      codes[name] = orderCategories(counts);
    }
    return codes;
  }

  #columns(rows: Int32Array, codes: CategoryCodes, space: FeatureSpace): readonly Float32Array[] {
    const stored = this.#placesOf(space);
    return space.features.map(({ name, kind }, at) => {
      const column = stored[at] ?? 0;
      const values = new Float32Array(rows.length);
      const places = kind === 'category' ? this.#placesIn(codes[name] ?? []) : undefined;
      for (let index = 0; index < rows.length; index += 1) {
        const value = this.#valueAt(rows[index] ?? 0, column);
        values[index] = places === undefined ? value : (places[value] ?? Number.NaN);
      }
      return values;
    });
  }

  #rowReader(codes: CategoryCodes, space: FeatureSpace): (row: number, into: Float32Array) => void {
    const { features } = space;
    const stored = this.#placesOf(space);
    const places = features.map(({ name, kind }) =>
      kind === 'category' ? this.#placesIn(codes[name] ?? []) : undefined,
    );
    return (row, into) => {
      for (let column = 0; column < features.length; column += 1) {
        const value = this.#valueAt(row, stored[column] ?? 0);
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
    const published = new Uint8Array(room);
    published.set(this.#published);
    const types = new Uint16Array(room);
    types.set(this.#types);
    [this.#data, this.#labels, this.#published, this.#types] = [data, labels, published, types];
  }
}
