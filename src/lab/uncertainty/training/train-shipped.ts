/** The parts of the model that comes with Candor: two forests of all rows, calibrated where the product writes. */
import {
  applyIsotonic,
  type Calibrator,
  type FeatureGroupName,
  fitCalibrator,
  fitIsotonic,
  type ModelParts,
  type RiskCurve,
  riskCoverage,
} from '../../../uncertainty/index.ts';
import { auc } from '../../metrics/auc.ts';
import { ece } from '../../metrics/reliability.ts';
import type { NodeRows, RowQuery } from '../data/node-rows.ts';
import { leftOutWriters } from './left-out-writers.ts';
import { rowsOf, type ScoredQueries, type TrainOptions, trainUncertainty } from './train-uncertainty.ts';

export interface TrainShippedOptions extends Pick<TrainOptions, 'nodeSettings' | 'signal' | 'onProgress'> {
  readonly folds: number;
  readonly groups: readonly FeatureGroupName[];
}

export interface TrainedShipped {
  /** Everything of a model file but what it says of itself. */
  readonly parts: Omit<ModelParts, 'about' | 'data'>;
  /** What the maps and the curve were read from. */
  readonly heldOut: ScoredQueries;
}

/**
 * The forests learn from every row. The maps to probabilities and the curve are of what folds said of databases they had
 * not seen. `rows` are those of `readShippedRows`; their order and the settings decide the result.
 */
export async function trainShipped(rows: NodeRows, options: TrainShippedOptions): Promise<TrainedShipped> {
  const { groups, ...training } = options;
  const { model, codes, queries, heldOut } = await trainUncertainty(rows, rows.queries, training);
  const maps = calibrateShipped(rows, heldOut);
  const scores = {
    ...scoresOf(rows, heldOut),
    ...(await leftOutWriters(rows, { codes, heldOut }, training)),
  };
  const parts = { groups, codes, nodes: model, queries, ...maps, scores };
  return { parts, heldOut };
}

/**
 * Shares of the calibration of nodes: what systems really wrote, the grounded engine among them, before errors that were made
 * by rule. Writers that are missing leave theirs to the others.
 */
const SHARES: Readonly<Record<Writer, number>> = { predicted: 0.5, engine: 0.25, mutated: 0.25 };

const WRITERS = ['predicted', 'engine', 'mutated'] as const;
type Writer = (typeof WRITERS)[number];

/** The maps to probabilities and the curve, of what was said of databases left out. */
function calibrateShipped(
  rows: NodeRows,
  heldOut: ScoredQueries,
): Pick<ModelParts, 'calibrator' | 'queryCalibrator' | 'curve' | 'promise'> {
  const weightOf = writerWeights(heldOut.queries);
  return { calibrator: calibrateNodes(rows, heldOut, weightOf), ...calibrateQueries(heldOut) };
}

type WeightOf = (query: RowQuery) => number;

function calibrateNodes(
  rows: NodeRows,
  { queries, nodeLogOdds }: ScoredQueries,
  weightOf: WeightOf,
): Calibrator {
  const chosen = rowsOf(queries);
  const weights = new Float64Array(rows.count);
  for (const query of queries) weights.fill(weightOf(query), query.start, query.end);
  return fitCalibrator({
    scores: Float64Array.from(chosen, (row) => nodeLogOdds[row] ?? 0),
    labels: Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    groups: Array.from(chosen, (row) => rows.typeAt(row)),
    weights: Float64Array.from(chosen, (row) => weights[row] ?? 0),
  });
}

/**
 * Of SQL by other systems as it comes, alone: what the engine writes is judged with the engine's own opinion beside it. Questions in
 * turn give the map and the curve, as a curve over the rows of its own map would promise too much; and the curve has one query of a
 * question, since queries for one question are right or wrong together. A target is held against the harder set alone.
 */
export function calibrateQueries({
  queries,
  queryLogOdds,
}: Pick<ScoredQueries, 'queries' | 'queryLogOdds'>): Pick<
  ModelParts,
  'queryCalibrator' | 'curve' | 'promise'
> {
  const alone: readonly Judged[] = queries.flatMap((query, at) =>
    query.tag === 'predicted alone' ? [{ query, score: queryLogOdds[at] ?? 0 }] : [],
  );
  const judged =
    alone.length > 0 ? alone : queries.map((query, at) => ({ query, score: queryLogOdds[at] ?? 0 }));
  const turn = new Map([...new Set(judged.map(({ query }) => query.question))].map((id, at) => [id, at % 2]));
  const half = (which: number) => judged.filter(({ query }) => turn.get(query.question) === which);
  const fitted = half(0);
  const queryCalibrator = fitIsotonic({
    scores: fitted.map(({ score }) => score),
    labels: fitted.map(({ query }) => labelOf(query)),
  });
  const seen = new Set<string>();
  const shown = half(1).filter(({ query }) => !seen.has(query.question) && seen.add(query.question));
  const curveOf = (some: readonly Judged[]): RiskCurve =>
    riskCoverage({
      risks: some.map(({ score }) => applyIsotonic(queryCalibrator, score)),
      labels: some.map(({ query }) => labelOf(query)),
    });
  return { queryCalibrator, curve: curveOf(shown), promise: curveOf(hardest(shown)) };
}

interface Judged {
  readonly query: RowQuery;
  readonly score: number;
}

/** The rows of the set in which most are wrong: nobody knows to which of them a database to come is like. */
function hardest<Row extends { readonly query: RowQuery }>(rows: readonly Row[]): readonly Row[] {
  const sets = [...new Set(rows.map(({ query }) => setOf(query)))].map((set) =>
    rows.filter(({ query }) => setOf(query) === set),
  );
  const wrongIn = (some: readonly Row[]): number =>
    some.reduce((sum, { query }) => sum + labelOf(query), 0) / some.length;
  return sets.reduce((worst, some) => (wrongIn(some) > wrongIn(worst) ? some : worst));
}

function setOf({ database }: RowQuery): string {
  return database.split(' ')[0] ?? '';
}

function labelOf({ isRight }: RowQuery): number {
  return Number(isRight === false);
}

function writerOf({ tag }: RowQuery): Writer {
  return WRITERS.find((writer) => tag.startsWith(writer)) ?? 'mutated';
}

/** So that the queries of each writer weigh its share together; 1 for all where there is one writer. */
function writerWeights(queries: readonly RowQuery[]): WeightOf {
  const counts = new Map<Writer, number>();
  for (const query of queries) counts.set(writerOf(query), (counts.get(writerOf(query)) ?? 0) + 1);
  const total = [...counts.keys()].reduce((sum, writer) => sum + SHARES[writer], 0);
  return (query) => {
    const writer = writerOf(query);
    return (SHARES[writer] / total) * (queries.length / (counts.get(writer) ?? 1));
  };
}

/** On databases left out, by who wrote the query and whether others stood beside it. */
function scoresOf(rows: NodeRows, heldOut: ScoredQueries): Readonly<Record<string, number>> {
  const scores: Record<string, number> = {};
  for (const tag of new Set(heldOut.queries.map((query) => query.tag))) {
    const places = heldOut.queries.flatMap((query, at) => (query.tag === tag ? [at] : []));
    const queries = places.flatMap((at) => heldOut.queries[at] ?? []);
    const chosen = rowsOf(queries);
    const nodes = auc(
      Float64Array.from(chosen, (row) => heldOut.nodeLogOdds[row] ?? 0),
      Uint8Array.from(chosen, (row) => rows.labelAt(row)),
    );
    const whole = auc(
      Float64Array.from(places, (at) => heldOut.queryLogOdds[at] ?? 0),
      queries.map(({ isRight }) => Number(isRight === false)),
    );
    const figures = {
      [`node AUC, ${tag}`]: nodes,
      [`query AUC, ${tag}`]: whole,
      ...levelOf(
        tag,
        queries,
        places.map((at) => heldOut.queryLogOdds[at] ?? 0),
      ),
    };
    for (const [name, value] of Object.entries(figures))
      if (!Number.isNaN(value)) scores[name] = Number(value.toFixed(4));
  }
  return scores;
}

/** Of what others wrote: the level of the risk by set, through a map of one half of the questions for the other. */
function levelOf(
  tag: string,
  queries: readonly RowQuery[],
  scores: readonly number[],
): Readonly<Record<string, number>> {
  if (tag !== 'predicted alone') return {};
  const judged = queries.map((query, at) => ({ query, score: scores[at] ?? 0 }));
  const turn = new Map([...new Set(queries.map(({ question }) => question))].map((id, at) => [id, at % 2]));
  const risked = [0, 1].flatMap((half) => {
    const [own, other] = [half, 1 - half].map((which) =>
      judged.filter(({ query }) => turn.get(query.question) === which),
    ) as [Judged[], Judged[]];
    const map = fitIsotonic({
      scores: other.map(({ score }) => score),
      labels: other.map(({ query }) => labelOf(query)),
    });
    return own.map(({ query, score }) => ({ query, score, risk: applyIsotonic(map, score) }));
  });
  const sets = [...new Set(risked.map(({ query }) => setOf(query)))];
  return Object.fromEntries(
    sets.flatMap((set): [string, number][] => {
      const own = risked.filter(({ query }) => setOf(query) === set);
      const labels = own.map(({ query }) => labelOf(query));
      return [
        [
          `query AUC, ${tag}, ${set}`,
          auc(
            own.map(({ score }) => score),
            labels,
          ),
        ],
        [`query ECE, ${tag}, ${set}`, ece({ scores: own.map(({ risk }) => risk), labels })],
      ];
    }),
  );
}
