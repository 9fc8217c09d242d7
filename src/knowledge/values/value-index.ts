/** Finds the columns that hold a value named in a question. */
import type { ColumnValues } from '../../catalog/index.ts';

export interface ValueHit {
  readonly columnId: string;
  /** As stored, so that `column = value` finds it. */
  readonly value: string;
  /** `exact`: the same text; `folded`: but for case, accents and punctuation; `stem`: but for a plural ending. */
  readonly match: 'exact' | 'folded' | 'stem';
  /** Rows that hold it. */
  readonly count: number;
}

export interface ValueIndex {
  /** Best match first, then the most frequent value. */
  lookup(text: string): readonly ValueHit[];
  /** Values in the index, one per column and text. */
  readonly size: number;
  /** Words of the longest value: no longer run of words of a question can be one. */
  readonly maxWords: number;
  /** Distinct values of each column and how many of them are in the index. */
  columns(): ReadonlyMap<string, { readonly distinct: number; readonly kept: number }>;
  toJSON(): StoredValueIndex;
}

/** The index as it is stored; keys are computed again on loading, which is faster than reading them. */
export interface StoredValueIndex {
  readonly columns: readonly StoredColumn[];
}

export interface StoredColumn {
  readonly id: string;
  readonly distinct: number;
  readonly values: readonly string[];
  readonly counts: readonly number[];
}

/** Values in all columns together: about 100 MB in memory. */
export const MAX_VALUES = 500_000;
const MATCH_ORDER = { exact: 0, folded: 1, stem: 2 } as const;

/** Builds the index; beyond 500,000 values further columns keep fewer, which `columns()` tells. */
export function buildValueIndex(columns: readonly ColumnValues[]): ValueIndex {
  let room = MAX_VALUES;
  const stored = columns.map((column): StoredColumn => {
    const kept = column.values.slice(0, room);
    room -= kept.length;
    return {
      id: column.columnId,
      distinct: column.distinctCount,
      values: kept.map(([value]) => value),
      counts: kept.map(([, count]) => count),
    };
  });
  return loadValueIndex({ columns: stored });
}

/** Makes the index usable again from its stored form. */
export function loadValueIndex(stored: StoredValueIndex): ValueIndex {
  return new FoldedValueIndex(stored);
}

class FoldedValueIndex implements ValueIndex {
  readonly size: number;
  readonly maxWords: number;
  readonly #stored: StoredValueIndex;
  /** From a fold or a stem to the places of values: `column * 2^20 + position`. */
  readonly #places = new Map<string, number | number[]>();

  constructor(stored: StoredValueIndex) {
    this.#stored = stored;
    let size = 0;
    let maxWords = 0;
    for (const [columnIndex, column] of stored.columns.entries()) {
      size += column.values.length;
      for (const [position, value] of column.values.entries()) {
        const place = columnIndex * POSITIONS + position;
        const fold = foldValue(value);
        if (fold === '') continue;
        this.#add(fold, place);
        const stem = stemValue(value);
        if (stem !== fold) this.#add(stem, place);
        maxWords = Math.max(maxWords, countWords(value));
      }
    }
    this.size = size;
    this.maxWords = maxWords;
  }

  lookup(text: string): readonly ValueHit[] {
    const fold = foldValue(text);
    if (fold === '') return [];
    const stem = stemValue(text);
    const places = new Set([...this.#at(fold), ...(stem === fold ? [] : this.#at(stem))]);
    const hits: ValueHit[] = [];
    for (const place of places) {
      const column = this.#stored.columns[Math.floor(place / POSITIONS)];
      const value = column?.values[place % POSITIONS];
      if (column === undefined || value === undefined) continue;
      const match = value === text ? 'exact' : foldValue(value) === fold ? 'folded' : 'stem';
      hits.push({ columnId: column.id, value, match, count: column.counts[place % POSITIONS] ?? 0 });
    }
    return hits.sort(
      (a, b) =>
        MATCH_ORDER[a.match] - MATCH_ORDER[b.match] ||
        b.count - a.count ||
        compareText(a.columnId, b.columnId) ||
        compareText(a.value, b.value),
    );
  }

  columns(): ReadonlyMap<string, { readonly distinct: number; readonly kept: number }> {
    return new Map(
      this.#stored.columns.map(({ id, distinct, values }) => [id, { distinct, kept: values.length }]),
    );
  }

  toJSON(): StoredValueIndex {
    return this.#stored;
  }

  #add(key: string, place: number): void {
    const known = this.#places.get(key);
    if (known === undefined) this.#places.set(key, place);
    else if (typeof known === 'number') this.#places.set(key, [known, place]);
    else known.push(place);
  }

  #at(key: string): readonly number[] {
    const found = this.#places.get(key);
    if (found === undefined) return [];
    return typeof found === 'number' ? [found] : found;
  }
}

/** More than the values that one column may hold. */
const POSITIONS = 2 ** 20;

/** Letters and digits only, lower case, without accents: `foldValue('AC/DC – Déjà')` → `acdcdeja`. */
export function foldValue(text: string): string {
  // Most values are plain; normalising them all would cost ten times as much.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The fold with the last word in the singular: `Italians'` → `italian`, `North countries` → `northcountry`. */
function stemValue(text: string): string {
  const fold = foldValue(text.replace(/['’]s?\s*$/u, ''));
  if (fold.length <= 3 || !fold.endsWith('s') || /(ss|us|is)$/.test(fold)) return fold;
  if (fold.endsWith('ies') && fold.length > 4) return `${fold.slice(0, -3)}y`;
  if (/(x|z|ch|sh|ss)es$/.test(fold)) return fold.slice(0, -2);
  return fold.slice(0, -1);
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
