import {
  type ComparedResult,
  encodePair,
  type MatchOptions,
  matchColumns,
  type Verdict,
} from '../../../results/index.ts';

/**
 * Spider's execution match: the same bag of rows under one order of the columns for all rows; the order of rows
 * counts only where `orderMatters`. A number never equals a text. Two empty results are equal, whatever their columns.
 */
export function compareSpider(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: MatchOptions,
): Verdict {
  return comparePermuted(gold, predicted, { ...options, textEqualsNumber: false });
}

/** The common part of the policies that let columns be permuted. */
export function comparePermuted(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: MatchOptions & { readonly textEqualsNumber: boolean },
): Verdict {
  if (gold.rows.length === 0 && predicted.rows.length === 0) return 'equal';
  const hasSameShape =
    gold.rows.length === predicted.rows.length && gold.columns.length === predicted.columns.length;
  return hasSameShape ? matchColumns(encodePair(gold, predicted, options), options) : 'different';
}
