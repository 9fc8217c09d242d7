import {
  type ComparedResult,
  encodePair,
  type MatchOptions,
  matchColumns,
  type Verdict,
} from '../../../results/index.ts';
import type { Cell } from '../../../sql/cell.ts';

/**
 * defog's rule: the gold columns stand somewhere among the predicted ones, row by row; columns too many do not count.
 * Where both have the same number of columns, repeated rows do not count either. As in the official script, which sorts
 * both results by the ORDER BY of their queries, rows that tie in the ordered column may stand in any order.
 */
export function compareDefog(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: MatchOptions,
): Verdict {
  if (gold.rows.length === 0 && predicted.rows.length === 0) return 'equal';
  const asGiven = matchWithin(gold, predicted, options);
  if (asGiven !== 'different' || gold.columns.length !== predicted.columns.length) return asGiven;
  return matchWithin(withoutRepeats(gold), withoutRepeats(predicted), options);
}

function matchWithin(gold: ComparedResult, predicted: ComparedResult, options: MatchOptions): Verdict {
  if (gold.rows.length !== predicted.rows.length || gold.columns.length > predicted.columns.length)
    return 'different';
  return matchColumns(encodePair(gold, predicted, { textEqualsNumber: false }), options);
}

/** Keeps the first of equal rows. */
function withoutRepeats({ columns, rows }: ComparedResult): ComparedResult {
  const seen = new Set<string>();
  return { columns, rows: rows.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row))) };
}

function keyOf(row: readonly Cell[]): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
}
