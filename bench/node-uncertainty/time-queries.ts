import {
  readFeatures,
  scoreValues,
  type UncertaintyModel,
  unitRisks,
  unitsOf,
} from '../../src/uncertainty/index.ts';
import { percentile } from '../figures.ts';
import { freshSources, type JudgedQuery } from './judged-query.ts';

/** Microseconds a query, after parsing. */
export interface Timed {
  readonly nodes: number;
  readonly featuresP50: number;
  readonly featuresP95: number;
  /** Numbers for names, trees of all nodes, calibration and the risk of the whole: all of scoring but features. */
  readonly scoreP50: number;
  readonly scoreP95: number;
  readonly unitsP50: number;
  readonly unitsP95: number;
  readonly allP50: number;
  readonly allP95: number;
}

/** The middle of `rounds` for each query, every time read and asked anew. The first rounds, where code is compiled, do not count. */
export function timeQueries(judged: readonly JudgedQuery[], model: UncertaintyModel, rounds: number): Timed {
  const features: number[] = [];
  const scores: number[] = [];
  const units: number[] = [];
  const all: number[] = [];
  let nodes = 0;
  for (let warm = 0; warm < Math.min(rounds, Math.ceil(400 / judged.length)); warm++)
    for (const one of judged) timeOnce(one, model);
  for (const one of judged) {
    const times = Array.from({ length: rounds }, () => timeOnce(one, model));
    const middle = (key: keyof Once): number =>
      percentile(
        times.map((time) => time[key]),
        0.5,
      );
    features.push(middle('features'));
    scores.push(middle('score'));
    units.push(middle('units'));
    all.push(middle('features') + middle('score') + middle('units'));
    nodes += times[0]?.nodes ?? 0;
  }
  return {
    nodes: nodes / judged.length,
    featuresP50: percentile(features, 0.5),
    featuresP95: percentile(features, 0.95),
    scoreP50: percentile(scores, 0.5),
    scoreP95: percentile(scores, 0.95),
    unitsP50: percentile(units, 0.5),
    unitsP95: percentile(units, 0.95),
    allP50: percentile(all, 0.5),
    allP95: percentile(all, 0.95),
  };
}

interface Once {
  readonly nodes: number;
  readonly features: number;
  readonly score: number;
  readonly units: number;
}

function timeOnce(one: JudgedQuery, model: UncertaintyModel): Once {
  const { query, sources } = freshSources(one);
  const { nodes } = query.tree;
  const begun = performance.now();
  const values = readFeatures(query, sources, model.space);
  const read = performance.now();
  const types = nodes.map(({ type }) => type);
  const { probabilities } = scoreValues(types, values, model);
  const scored = performance.now();
  unitRisks(unitsOf(query), probabilities, {});
  const shown = performance.now();
  return {
    nodes: nodes.length,
    features: 1_000 * (read - begun),
    score: 1_000 * (scored - read),
    units: 1_000 * (shown - scored),
  };
}
