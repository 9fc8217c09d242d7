/** Which of several results are the same. */
import type { ComparedResult } from './encode-results.ts';
import { type EncodedResult, encodeResults } from './encode-results.ts';
import { matchColumns } from './match-columns.ts';

/** When two results count as one. */
export interface ResultPolicy {
  /** `any`: columns may stand in any order. */
  readonly columns: 'any' | 'given';
  /** `bag`: rows in any order; `set`: repeated rows count once; `list`: rows in their order. */
  readonly rows: 'bag' | 'set' | 'list';
  /** Numbers this close, relative to the larger one, are equal; whole numbers always are exact. */
  readonly tolerance: number;
  /** `'3'` equals `3`. */
  readonly textEqualsNumber: boolean;
}

/**
 * The number of its group for each result, from 0 in the order of the first members. Names of columns never count, and
 * results without rows are one group. Which results share a group does not depend on their order.
 */
export function groupResults(results: readonly ComparedResult[], policy: ResultPolicy): readonly number[] {
  const { tolerance, textEqualsNumber } = policy;
  const encoded = encodeResults(results, { tolerance, textEqualsNumber, numbers: 'anchored' });
  const firsts: { readonly encoded: EncodedResult; readonly key: string }[] = [];
  return results.map(({ rows }, at) => {
    const own = policy.rows === 'set' ? withoutRepeats(encoded[at] ?? []) : (encoded[at] ?? []);
    const key = rows.length === 0 ? 'no rows' : shapeKey(own, policy);
    const known = firsts.findIndex((first) => first.key === key && isSame(first.encoded, own, policy));
    return known === -1 ? firsts.push({ encoded: own, key }) - 1 : known;
  });
}

/** Equal for equal results; with columns as given it is all there is to compare. */
function shapeKey(columns: EncodedResult, { columns: order, rows }: ResultPolicy): string {
  if (order === 'given') {
    const keys = rowKeys(columns);
    return (rows === 'list' ? keys : keys.toSorted()).join(';');
  }
  return `${columns[0]?.length ?? 0}|${columns
    .map((column) => column.toSorted().join())
    .sort()
    .join('|')}`;
}

function isSame(left: EncodedResult, right: EncodedResult, { columns, rows }: ResultPolicy): boolean {
  if (columns === 'given' || (left[0]?.length ?? 0) === 0) return true;
  return matchColumns({ left, right }, { orderMatters: rows === 'list' }) === 'equal';
}

/** Keeps the first of equal rows. */
function withoutRepeats(columns: EncodedResult): EncodedResult {
  const seen = new Set<string>();
  const kept = rowKeys(columns).flatMap((key, row) => {
    if (seen.has(key)) return [];
    seen.add(key);
    return [row];
  });
  return columns.map((column) => Int32Array.from(kept, (row) => column[row] ?? -1));
}

function rowKeys(columns: EncodedResult): readonly string[] {
  return Array.from(columns[0] ?? [], (_, row) => columns.map((column) => column[row]).join());
}
