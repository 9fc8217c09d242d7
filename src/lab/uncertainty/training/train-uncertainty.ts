/** Everything a model of uncertainty is made of, learned so that every calibration is of databases not seen. */
import { makeScorer, type TrainingSettings, type TreeModel, trainTrees } from '../../../boosting/index.ts';
import {
  applyIsotonic,
  type Calibrator,
  type CategoryCodes,
  fitCalibrator,
  fitIsotonic,
  type IsotonicMap,
  queryFeatures,
  type RiskCurve,
  riskCoverage,
} from '../../../uncertainty/index.ts';
import type { LabelledNodes, RowQuery } from '../data/node-rows.ts';

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

// A forest that tells wrong queries from right ones, from what another says of their nodes.

/** Chosen by leaving out databases, among the open ones only. */
const QUERY_SETTINGS: Partial<TrainingSettings> = {
  trees: 120,
  learningRate: 0.05,
  leaves: 12,
  minLeafRows: 40,
  l2: 5,
  bins: 63,
  rowShare: 0.7,
  columnShare: 0.4,
};

/** One row a query. */
export interface QueryRows {
  readonly names: readonly string[];
  readonly rows: readonly Float64Array[];
}

/** `logOdds` by row of `rows`; `codes` are those of the forest that is used in the end. */
export function readQueryRows(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  logOdds: Float64Array,
  codes: NodeForest['codes'],
): QueryRows {
  const { names, read } = queryFeatures(rows.space);
  const readRow = rows.rowReader(codes);
  const first = new Float32Array(rows.space.features.length);
  return {
    names,
    rows: queries.map(({ start, end }) => {
      const types = Array.from({ length: end - start }, (_, at) => rows.typeAt(start + at));
      const probabilities = Float64Array.from(
        types,
        (_, at) => 1 / (1 + Math.exp(-(logOdds[start + at] ?? 0))),
      );
      readRow(start, first);
      return read(types, probabilities, first);
    }),
  };
}

/** Queries of which it is not known whether they are right are not learned from. */
export async function fitQueries(
  { names, rows }: QueryRows,
  isWrong: readonly (boolean | undefined)[],
  { settings, signal }: FitOptions = {},
): Promise<TreeModel> {
  const known = rows.flatMap((row, at) => (isWrong[at] === undefined ? [] : [{ row, wrong: isWrong[at] }]));
  const { model } = await trainTrees(
    {
      names,
      rows: known.length,
      features: names.map((_, column) => Float32Array.from(known, ({ row }) => row[column] ?? Number.NaN)),
      labels: Uint8Array.from(known, ({ wrong }) => Number(wrong)),
    },
    { settings: { ...QUERY_SETTINGS, ...settings }, signal },
  );
  return model;
}

export function scoreQueries(model: TreeModel, { rows }: QueryRows): Float64Array {
  const scorer = makeScorer(model);
  return Float64Array.from(rows, (row) => scorer.score(row));
}

/** A forest that tells wrong nodes from right ones. */
interface NodeForest {
  readonly model: TreeModel;
  readonly codes: CategoryCodes;
}

interface FitOptions {
  readonly settings?: Partial<TrainingSettings>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Chosen by leaving out databases, among the open ones only. */
export const NODE_SETTINGS: Partial<TrainingSettings> = {
  trees: 160,
  learningRate: 0.06,
  leaves: 31,
  // Half the steps of unbounded trees, and errs no more.
  depth: 6,
  minLeafRows: 100,
  l2: 5,
  bins: 63,
  rowShare: 0.7,
  columnShare: 0.4,
};

/** Every query counts alike for its number of nodes; the labels are those of the rows. */
export async function fitNodes(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  { settings, signal, onProgress }: FitOptions = {},
): Promise<NodeForest> {
  const chosen = rowsOf(queries);
  const codes = rows.learnCodes(chosen);
  const { model } = await trainTrees(
    {
      names: rows.space.features.map(({ name }) => name),
      rows: chosen.length,
      features: rows.columns(chosen, codes),
      labels: Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    },
    {
      settings: { ...NODE_SETTINGS, ...settings },
      signal,
      onProgress: ({ stage, done, of }) => stage === 'grow' && onProgress?.(done, of),
    },
  );
  return { model, codes };
}

/** Writes the log-odds of all nodes of the queries at their rows. */
export function scoreNodes(
  { model, codes }: NodeForest,
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  into: Float64Array,
): void {
  const scorer = makeScorer(model);
  const read = rows.rowReader(codes);
  const row = new Float32Array(rows.space.features.length);
  for (const { start, end } of queries)
    for (let at = start; at < end; at += 1) {
      read(at, row);
      into[at] = scorer.score(row);
    }
}

export function rowsOf(queries: readonly RowQuery[]): Int32Array {
  const count = queries.reduce((sum, { start, end }) => sum + end - start, 0);
  const rows = new Int32Array(count);
  let at = 0;
  for (const { start, end } of queries) for (let row = start; row < end; row += 1) rows[at++] = row;
  return rows;
}
