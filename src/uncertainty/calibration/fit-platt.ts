import { checkLabelledRows, invalid, type LabelledRows } from './labelled-rows.ts';

/** The probability of a score is `1 / (1 + e^-(slope · score + intercept))`. Plain JSON. */
export interface PlattMap {
  /** 0 or more: a higher score is never less likely wrong. */
  readonly slope: number;
  readonly intercept: number;
}

const MOST_STEPS = 100;
/** Newton's step is damped where rows of one score leave the slope open. */
const RIDGE = 1e-12;
const SMALLEST_STEP = 1e-10;
const SMALLEST_GRADIENT = 1e-9;
/** Keeps the probability of any score off 0 and 1. */
const MOST_ODDS = 30;

/**
 * Platt scaling, for groups with too few rows for an isotonic fit. The labels are smoothed to (wrong + 1)/(wrong + 2) and
 * 1/(correct + 2), so that separable rows do not end in certainty (Platt, Probabilistic Outputs for Support Vector
 * Machines, 1999); Newton's method with backtracking (Lin, Lin and Weng, A Note on Platt's Probabilistic Outputs, 2007).
 * Scores that speak against the labels get slope 0, which is then the best of the slopes allowed. Scores are best given
 * as log-odds. Throws `uncertainty.data-invalid`.
 */
export function fitPlatt(rows: LabelledRows): PlattMap {
  checkLabelledRows(rows);
  const targets = targetsOf(rows);
  const level: PlattMap = { slope: 0, intercept: Math.log(targets.mean / (1 - targets.mean)) };
  const fitted = descend(rows, targets, level);
  // The loss is convex: where its least is at a slope below 0, the least over the others is at 0.
  return fitted.slope > 0 ? fitted : level;
}

export function applyPlatt({ slope, intercept }: PlattMap, score: number): number {
  return sigmoid(Math.max(-MOST_ODDS, Math.min(MOST_ODDS, slope * score + intercept)));
}

interface Targets {
  readonly wrong: number;
  readonly correct: number;
  /** Over all rows by weight. */
  readonly mean: number;
}

function targetsOf({ scores, labels, weights }: LabelledRows): Targets {
  let wrong = 0;
  let correct = 0;
  for (let row = 0; row < scores.length; row++) {
    const weight = weights === undefined ? 1 : weights[row]!;
    if (labels[row] === 1) wrong += weight;
    else correct += weight;
  }
  const all = wrong + correct;
  if (!(all > 0)) throw invalid('there is no row with a weight above 0 to fit a calibration to');
  const targets = { wrong: (wrong + 1) / (wrong + 2), correct: 1 / (correct + 2) };
  return { ...targets, mean: (wrong * targets.wrong + correct * targets.correct) / all };
}

function descend(rows: LabelledRows, targets: Targets, start: PlattMap): PlattMap {
  let at = start;
  let here = differentiate(rows, targets, at);
  for (let step = 0; step < MOST_STEPS; step++) {
    const { slopeFirst, interceptFirst, slopeSecond, interceptSecond, mixed } = here;
    if (Math.abs(slopeFirst) < SMALLEST_GRADIENT && Math.abs(interceptFirst) < SMALLEST_GRADIENT) break;
    const determinant = (slopeSecond + RIDGE) * (interceptSecond + RIDGE) - mixed * mixed;
    const slopeStep = -((interceptSecond + RIDGE) * slopeFirst - mixed * interceptFirst) / determinant;
    const interceptStep = -((slopeSecond + RIDGE) * interceptFirst - mixed * slopeFirst) / determinant;
    const falls = slopeFirst * slopeStep + interceptFirst * interceptStep;
    let length = 1;
    let next = at;
    let there = here;
    for (; length >= SMALLEST_STEP; length /= 2) {
      next = { slope: at.slope + length * slopeStep, intercept: at.intercept + length * interceptStep };
      there = differentiate(rows, targets, next);
      if (there.loss < here.loss + 1e-4 * length * falls) break;
    }
    if (length < SMALLEST_STEP) break;
    [at, here] = [next, there];
  }
  return at;
}

interface Derivatives {
  readonly loss: number;
  readonly slopeFirst: number;
  readonly interceptFirst: number;
  readonly slopeSecond: number;
  readonly interceptSecond: number;
  readonly mixed: number;
}

/** Loss, gradient and curvature, each a mean over the weights so that the bounds above do not depend on how many rows. */
function differentiate(
  { scores, labels, weights }: LabelledRows,
  targets: Targets,
  { slope, intercept }: PlattMap,
): Derivatives {
  let [all, loss, slopeFirst, interceptFirst, slopeSecond, interceptSecond, mixed] = [0, 0, 0, 0, 0, 0, 0];
  for (let row = 0; row < scores.length; row++) {
    const weight = weights === undefined ? 1 : weights[row]!;
    const score = scores[row]!;
    const target = labels[row] === 1 ? targets.wrong : targets.correct;
    const odds = slope * score + intercept;
    const probability = sigmoid(odds);
    // ln(1 + e^odds) - target · odds, written so that no exponential overflows.
    loss += weight * (Math.max(odds, 0) + Math.log1p(Math.exp(-Math.abs(odds))) - target * odds);
    const first = weight * (probability - target);
    const second = weight * probability * (1 - probability);
    interceptFirst += first;
    slopeFirst += first * score;
    interceptSecond += second;
    slopeSecond += second * score * score;
    mixed += second * score;
    all += weight;
  }
  return {
    loss: loss / all,
    slopeFirst: slopeFirst / all,
    interceptFirst: interceptFirst / all,
    slopeSecond: slopeSecond / all,
    interceptSecond: interceptSecond / all,
    mixed: mixed / all,
  };
}

function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}
