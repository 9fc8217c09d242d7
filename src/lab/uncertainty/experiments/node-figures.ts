/** How well wrong nodes are told from right ones: by type, within queries, beside a baseline that knows types only. */
import {
  type Calibrator,
  calibrate,
  checkLabelledRows,
  checkLength,
  rankRows,
} from '../../../uncertainty/index.ts';
import { auc, makeAuc } from '../../metrics/auc.ts';
import { bootstrapByGroup, codeGroups } from '../../metrics/bootstrap-by-group.ts';
import { brier, ece, type ReliabilityBin, reliabilityBins } from '../../metrics/reliability.ts';
import { typeOnlyScores } from '../../metrics/type-only-scores.ts';
import type { LabelledNodes, RowQuery } from '../data/node-rows.ts';
import { rowsOf } from '../training/train-uncertainty.ts';

export const SHOWN_TYPES = ['Identifier', 'Column', 'Literal', 'Table', 'TableAlias'] as const;

export interface NodeFigures {
  readonly queries: number;
  readonly nodes: number;
  /** In [0, 1]. */
  readonly wrongShare: number;
  readonly all: Figure;
  /** Scores that know nothing but the error rate of the node's type in the training rows. */
  readonly typeOnly: number;
  /** Pairs of nodes of one query only. */
  readonly withinQueries: number;
  readonly typeOnlyWithinQueries: number;
  readonly types: Readonly<Record<string, Figure & { readonly share: number; readonly wrongShare: number }>>;
  readonly calibration?: {
    readonly ece: number;
    readonly brier: number;
    readonly bins: readonly ReliabilityBin[];
  };
}

/** An AUC with its interval over resamples of questions. */
export interface Figure {
  readonly auc: number;
  readonly low: number;
  readonly high: number;
}

export interface NodeFigureOptions {
  readonly train: readonly RowQuery[];
  readonly calibrator?: Calibrator;
  readonly resamples?: number;
}

export function nodeFigures(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  logOdds: Float64Array,
  { train, calibrator, resamples = 500 }: NodeFigureOptions,
): NodeFigures {
  const nodes = readNodes(rows, queries, logOdds);
  const trainRows = rowsOf(train);
  const typeScores = typeOnlyScores(nodes.types, {
    types: Array.from(trainRows, (row) => rows.typeAt(row)),
    labels: Array.from(trainRows, (row) => rows.labelAt(row)),
  });
  const figure = (part: JudgedNodes): Figure => {
    const { value, low, high } = bootstrapByGroup(makeAuc(part.scores, part.labels), part.questions, {
      resamples,
      seed: 7,
    });
    return { auc: value, low, high };
  };
  return {
    queries: queries.length,
    nodes: nodes.labels.length,
    wrongShare: mean(nodes.labels),
    all: figure(nodes),
    typeOnly: auc(typeScores, nodes.labels),
    withinQueries: withinGroupAuc(nodes.scores, nodes.labels, nodes.queries).overPairs,
    typeOnlyWithinQueries: withinGroupAuc(typeScores, nodes.labels, nodes.queries).overPairs,
    types: Object.fromEntries(
      SHOWN_TYPES.map((type) => {
        const part = pickNodes(nodes, (at) => nodes.types[at] === type);
        const shares = { share: part.labels.length / nodes.labels.length, wrongShare: mean(part.labels) };
        return [type, { ...figure(part), ...shares }];
      }),
    ),
    ...(calibrator && { calibration: calibration(nodes, calibrator) }),
  };
}

interface JudgedNodes {
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  readonly types: readonly string[];
  readonly questions: readonly string[];
  readonly queries: readonly number[];
}

export function readNodes(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  logOdds: Float64Array,
): JudgedNodes {
  const chosen = rowsOf(queries);
  const spread = <Item>(of: (query: RowQuery, at: number) => Item): Item[] =>
    queries.flatMap((query, at) => new Array<Item>(query.end - query.start).fill(of(query, at)));
  return {
    scores: Float64Array.from(chosen, (row) => logOdds[row] ?? 0),
    labels: Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    types: Array.from(chosen, (row) => rows.typeAt(row)),
    questions: spread(({ question }) => question),
    queries: spread((_, at) => at),
  };
}

function pickNodes(nodes: JudgedNodes, test: (at: number) => boolean): JudgedNodes {
  const places = nodes.types.flatMap((_, at) => (test(at) ? [at] : []));
  return {
    scores: Float64Array.from(places, (at) => nodes.scores[at] ?? 0),
    labels: Uint8Array.from(places, (at) => nodes.labels[at] ?? 0),
    types: places.map((at) => nodes.types[at] ?? ''),
    questions: places.map((at) => nodes.questions[at] ?? ''),
    queries: places.map((at) => nodes.queries[at] ?? 0),
  };
}

function calibration({ scores, labels, types }: JudgedNodes, calibrator: Calibrator) {
  const probabilities = Float64Array.from(scores, (score, at) =>
    calibrate(calibrator, types[at] ?? '', score),
  );
  const judged = { scores: probabilities, labels };
  return { ece: ece(judged), brier: brier(judged), bins: reliabilityBins(judged) };
}

function mean(values: ArrayLike<number>): number {
  return values.length === 0
    ? Number.NaN
    : Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}

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
