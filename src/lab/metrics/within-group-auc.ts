import { checkLabelledRows, checkLength, rankRows } from '../../uncertainty/index.ts';
import { codeGroups } from './group-codes.ts';

/** The chance that a wrong row scores above a correct one of the same group, ties counted half. */
export interface WithinGroupAuc {
  /** Over all such pairs: groups of many pairs count more. NaN without a pair. */
  readonly overPairs: number;
  /** The mean over groups that have a pair. NaN without a group. */
  readonly overGroups: number;
  readonly pairs: number;
  /** Groups with both labels; the others say nothing. */
  readonly groups: number;
}

/**
 * How well scores tell wrong nodes from correct ones within a query, where base rates of queries do not help.
 * `groups` names the query of each row.
 */
export function withinGroupAuc(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  groups: ArrayLike<string | number>,
): WithinGroupAuc {
  return makeWithinGroupAuc(scores, labels, groups)();
}

/** Counts pairs once; `weights` of a call give one weight to all rows of a group, as drawing groups does. */
export function makeWithinGroupAuc(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  groups: ArrayLike<string | number>,
): (weights?: Float64Array) => WithinGroupAuc {
  checkLabelledRows({ scores, labels });
  checkLength('groups', groups.length, scores.length);
  const { codes, count } = codeGroups(groups);
  const { above, pairs } = countPairs(scores, labels, { codes, count });
  const firstRow = new Int32Array(count);
  for (let row = codes.length - 1; row >= 0; row--) firstRow[codes[row]!] = row;
  return (weights) => {
    let [aboveAll, pairsAll, shares, groupsAll] = [0, 0, 0, 0];
    for (let group = 0; group < count; group++) {
      const own = pairs[group]!;
      const weight = weights === undefined ? 1 : weights[firstRow[group]!]!;
      if (own === 0 || weight === 0) continue;
      aboveAll += weight * above[group]!;
      pairsAll += weight * own;
      shares += (weight * above[group]!) / own;
      groupsAll += weight;
    }
    return {
      overPairs: aboveAll / pairsAll,
      overGroups: shares / groupsAll,
      pairs: pairsAll,
      groups: groupsAll,
    };
  };
}

/** Pairs of a wrong and a correct row in each group, and how many of them stand in the right order. */
function countPairs(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  { codes, count }: { readonly codes: Int32Array; readonly count: number },
): { above: Float64Array; pairs: Float64Array } {
  const { order, runEnds } = rankRows(scores);
  const above = new Float64Array(count);
  const correctBelow = new Float64Array(count);
  const wrongSoFar = new Float64Array(count);
  let from = 0;
  for (const end of runEnds) {
    const run = order.subarray(from, end);
    // Half of a tie is counted as below and half as above: wrong rows meet the correct ones of their run once each way.
    for (const row of run) if (labels[row] === 1) above[codes[row]!]! += correctBelow[codes[row]!]! / 2;
    for (const row of run) if (labels[row] === 0) correctBelow[codes[row]!]! += 1;
    for (const row of run) if (labels[row] === 1) above[codes[row]!]! += correctBelow[codes[row]!]! / 2;
    for (const row of run) if (labels[row] === 1) wrongSoFar[codes[row]!]! += 1;
    from = end;
  }
  return { above, pairs: wrongSoFar.map((wrong, group) => wrong * correctBelow[group]!) };
}
