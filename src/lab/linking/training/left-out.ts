/** What the ranker does with databases that it has not seen: kept out for good, or of a fold that a forest did not learn from. */
import type { TreeModel } from '../../../boosting/index.ts';
import { keepTables } from '../../../reasoning/grounded/linking/index.ts';
import { fitPlatt } from '../../../uncertainty/index.ts';
import { type ItemScore, scoreItems } from '../score/score-items.ts';
import type { TrainingCase } from './training-case.ts';

/** Every fourth database of Spider2-Snow, in the order of the alphabet, is left out of training for good. */
export function isLeftOut(place: number): boolean {
  return place % 4 === 1;
}

/** Scores of the tables of a case by forests that have not seen its database. */
export interface LeftOutCase {
  readonly asked: Pick<TrainingCase, 'tables' | 'tableWeight'>;
  readonly probabilities: Float64Array;
}

export interface LeftOutFigures {
  readonly questions: number;
  /** In percent, over tables that differ in more than a number. */
  readonly srr: number;
  readonly nsf: number;
  /** Needed tables left out of a question: by the probabilities, and in truth. */
  readonly promised: number;
  readonly lost: number;
}

export function leftOutFigures(cases: readonly LeftOutCase[], weight: number): LeftOutFigures {
  const judged = cases.map(({ asked: { tables }, probabilities }) => {
    const kept = keepTables(probabilities, weight);
    const rest = [...probabilities.keys()].filter((at) => !kept.has(at));
    return {
      score: scoreItems(namesOf(tables), namesOf(kept)),
      promised: rest.reduce((sum, at) => sum + (probabilities[at] ?? 0), 0),
      lost: rest.filter((at) => tables.has(at)).length,
    };
  });
  const mean = (read: (each: (typeof judged)[number]) => number): number =>
    judged.reduce((sum, each) => sum + read(each), 0) / Math.max(1, judged.length);
  const percent = (key: keyof ItemScore): number => 100 * mean(({ score }) => score[key]);
  return {
    questions: cases.length,
    srr: percent('strict'),
    nsf: percent('f1'),
    promised: mean(({ promised }) => promised),
    lost: mean(({ lost }) => lost),
  };
}

function namesOf(places: Iterable<number>): ReadonlySet<string> {
  return new Set([...places].map(String));
}

/** The forest with its log-odds stretched and moved, so that what it promises of databases left out is what is found there. */
export function calibrated(model: TreeModel, cases: readonly LeftOutCase[]): TreeModel {
  const scores: number[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const { asked, probabilities } of cases)
    for (const [at, probability] of probabilities.entries()) {
      scores.push(Math.log(probability / (1 - probability)));
      labels.push(asked.tables.has(at) ? 1 : 0);
      weights.push(asked.tableWeight);
    }
  const { slope, intercept } = fitPlatt({ scores, labels, weights });
  const stretched = (value: number): number => Number((slope * value).toPrecision(DIGITS));
  return {
    ...model,
    base: Number((intercept + slope * model.base).toPrecision(DIGITS)),
    trees: model.trees.map((tree) => ({
      ...tree,
      leaf: Array.from(tree.leaf, stretched),
      value: Array.from(tree.value, stretched),
    })),
  };
}

/** As many as a model file has. */
const DIGITS = 6;
