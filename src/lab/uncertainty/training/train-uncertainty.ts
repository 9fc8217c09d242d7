/** Everything a model of uncertainty is made of, learned so that every calibration is of databases not seen. */

import type { TreeModel } from '../../../boosting/index.ts';
import {
  applyIsotonic,
  type Calibrator,
  fitCalibrator,
  fitIsotonic,
  type IsotonicMap,
  type RiskCurve,
  riskCoverage,
} from '../../../uncertainty/index.ts';
import { type FitOptions, fitNodes, type NodeForest, rowsOf, scoreNodes } from './fit-nodes.ts';
import { fitQueries, readQueryRows, scoreQueries } from './fit-queries.ts';
import type { LabelledNodes, RowQuery } from './node-rows.ts';

export interface TrainOptions {
  /** Databases are dealt into so many folds; one a database where there are as many. */
  readonly folds: number;
  /** Share of the queries that node forests learn from, every nth; 1 where absent. */
  readonly nodeShare?: number;
  /** Queries of other writers that node forests learn from as well; nothing is calibrated on them. */
  readonly alsoLearn?: readonly RowQuery[];
  readonly nodeSettings?: FitOptions['settings'];
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, of: number) => void;
}

export interface TrainedUncertainty extends NodeForest {
  readonly calibrator: Calibrator;
  readonly queries: TreeModel;
  readonly queryCalibrator: IsotonicMap;
  readonly curve: RiskCurve;
  /** What was said of each training query by forests that had not seen its database. */
  readonly heldOut: ScoredQueries;
}

export interface ScoredQueries {
  readonly queries: readonly RowQuery[];
  /** By row of the node rows; NaN for rows of other queries. */
  readonly nodeLogOdds: Float64Array;
  /** By query. */
  readonly queryLogOdds: Float64Array;
}

/**
 * Node forests of folds score the databases left out; from these scores come the calibrator and the forest of queries, which is
 * folded in the same way (stacking, Wolpert 1992). The last node forest learns from everything.
 */
export async function trainUncertainty(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  options: TrainOptions,
): Promise<TrainedUncertainty> {
  const folds = dealFolds(queries, options.folds);
  const nodeLogOdds = new Float64Array(rows.count).fill(Number.NaN);
  for (const [at, { inside, outside }] of folds.entries()) {
    const forest = await fitNodes(
      rows,
      learned(outside, inside, options),
      nodeOptions(options, `nodes, fold ${at + 1} of ${folds.length}`),
    );
    scoreNodes(forest, rows, inside, nodeLogOdds);
  }
  const forest = await fitNodes(rows, learned(queries, [], options), nodeOptions(options, 'nodes'));
  const chosen = rowsOf(queries);
  const calibrator = fitCalibrator({
    scores: Float64Array.from(chosen, (row) => nodeLogOdds[row] ?? 0),
    labels: Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    groups: Array.from(chosen, (row) => rows.typeAt(row)),
  });
  const all = readQueryRows(rows, queries, nodeLogOdds, forest.codes);
  const wrong = queries.map(({ isRight }) => (isRight === undefined ? undefined : !isRight));
  const queryLogOdds = new Float64Array(queries.length);
  const place = new Map(queries.map((query, at) => [query, at]));
  const pick = <Item>(items: readonly Item[], part: readonly RowQuery[]): readonly Item[] =>
    part.map((query) => items[place.get(query) ?? -1] as Item);
  for (const { inside, outside } of folds) {
    const model = await fitQueries({ ...all, rows: pick(all.rows, outside) }, pick(wrong, outside), {
      signal: options.signal,
    });
    const scores = scoreQueries(model, { ...all, rows: pick(all.rows, inside) });
    for (const [at, query] of inside.entries()) queryLogOdds[place.get(query) ?? -1] = scores[at] ?? 0;
  }
  const calibration = calibrateQueries(queries, queryLogOdds);
  return {
    ...forest,
    calibrator,
    queries: await fitQueries(all, wrong, { signal: options.signal }),
    ...calibration,
    heldOut: { queries, nodeLogOdds, queryLogOdds },
  };
}

/** What a node forest learns from: nothing of a database that is left out, whoever wrote it. */
function learned(
  queries: readonly RowQuery[],
  leftOut: readonly RowQuery[],
  { nodeShare = 1, alsoLearn = [] }: TrainOptions,
): readonly RowQuery[] {
  const unseen = new Set(leftOut.map(({ database }) => database));
  const own = queries.filter((_, at) => Math.floor((at + 1) * nodeShare) > Math.floor(at * nodeShare));
  return [...own, ...alsoLearn.filter(({ database }) => !unseen.has(database))];
}

function nodeOptions({ nodeSettings, signal, onProgress }: TrainOptions, stage: string): FitOptions {
  return {
    ...(nodeSettings && { settings: nodeSettings }),
    signal,
    onProgress: (done, of) => onProgress?.(stage, done, of),
  };
}

/** Half of the questions give the map, the others the curve: a curve over the rows of its own map would promise too much. */
export function calibrateQueries(
  queries: readonly RowQuery[],
  logOdds: Float64Array,
): { readonly queryCalibrator: IsotonicMap; readonly curve: RiskCurve } {
  const half = new Map([...new Set(queries.map(({ question }) => question))].map((id, at) => [id, at % 2]));
  const known = queries.flatMap(({ isRight, question }, at) =>
    isRight === undefined
      ? []
      : [{ score: logOdds[at] ?? 0, label: Number(!isRight), half: half.get(question) }],
  );
  const fitted = known.filter((row) => row.half === 0);
  const shown = known.filter((row) => row.half === 1);
  const map = fitIsotonic({
    scores: fitted.map(({ score }) => score),
    labels: fitted.map(({ label }) => label),
  });
  return {
    queryCalibrator: map,
    curve: riskCoverage({
      risks: shown.map(({ score }) => applyIsotonic(map, score)),
      labels: shown.map(({ label }) => label),
    }),
  };
}

export interface Fold {
  readonly inside: readonly RowQuery[];
  readonly outside: readonly RowQuery[];
}

/** The largest databases first, each into the fold that has the fewest rows. */
export function dealFolds(queries: readonly RowQuery[], count: number): readonly Fold[] {
  const sizes = new Map<string, number>();
  for (const { database, start, end } of queries)
    sizes.set(database, (sizes.get(database) ?? 0) + end - start);
  const loads = new Array<number>(Math.min(count, sizes.size)).fill(0);
  const foldOf = new Map<string, number>();
  for (const [database, size] of [...sizes].sort(([, one], [, other]) => other - one)) {
    const fold = loads.indexOf(Math.min(...loads));
    foldOf.set(database, fold);
    loads[fold] = (loads[fold] ?? 0) + size;
  }
  return loads.map((_, fold) => ({
    inside: queries.filter(({ database }) => foldOf.get(database) === fold),
    outside: queries.filter(({ database }) => foldOf.get(database) !== fold),
  }));
}

/** What a trained model says of other queries. */
export function scoreUnseen(
  model: Pick<TrainedUncertainty, 'model' | 'codes' | 'queries'>,
  rows: LabelledNodes,
  queries: readonly RowQuery[],
): ScoredQueries {
  const nodeLogOdds = new Float64Array(rows.count).fill(Number.NaN);
  scoreNodes(model, rows, queries, nodeLogOdds);
  const read = readQueryRows(rows, queries, nodeLogOdds, model.codes);
  return { queries, nodeLogOdds, queryLogOdds: scoreQueries(model.queries, read) };
}
