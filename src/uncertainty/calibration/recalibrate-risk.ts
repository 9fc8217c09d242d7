/**
 * How labelled answers of a project move the risk that is told there, and what they prove of a target. Everything here keeps two laws:
 * answers never change their order, and an answer that turned out wrong rather than right lowers the risk of none.
 */
import type { RiskCurve, RiskPoint } from './risk-coverage.ts';
import { type RiskPromise, type RiskThresholds, thresholdFor } from './threshold-for.ts';

/** An answer of which somebody knows whether it was right. */
export interface LabelledRisk {
  /** As it was before the project's labels moved it. */
  readonly risk: number;
  readonly isWrong: boolean;
}

/** What is added to the log-odds of a risk. Plain JSON. */
export interface RiskShift {
  readonly all: number;
  /** Where there are enough labels: below and from `split`, a risk's log-odds. */
  readonly halves?: { readonly split: number; readonly low: number; readonly high: number };
}

/** With fewer labels nothing is moved: their share of wrong ones may be anything. */
export const LEAST_LABELS = 30;
const TWO_SHIFTS_FROM = 200;
/** Precision of the normal prior on the shift of all, whose mean is no shift: one unit of log-odds is nothing unusual. */
const DOUBT_OF_ALL = 1;
/** The halves are drawn to the shift of all. */
const DOUBT_OF_HALF = 4;
/** No shift is larger. */
const LARGEST_SHIFT = 20;
/** Nobody's risk is taken to be closer to certainty while fitting. */
const SUREST = 1e-6;
/** The upper half keeps this slope where the lower one has been raised above it: equal risks would no longer tell answers apart. */
const LEAST_SLOPE = 0.05;

/** Undefined with fewer than `LEAST_LABELS`. The halves are split by risks alone, so that no label moves its answer to the other. */
export function fitShift(labelled: readonly LabelledRisk[]): RiskShift | undefined {
  if (labelled.length < LEAST_LABELS) return undefined;
  const rows = labelled.map(({ risk, isWrong }) => ({ logOdds: logOddsOf(risk), isWrong }));
  const all = shiftOf(rows, 0, DOUBT_OF_ALL);
  if (rows.length < TWO_SHIFTS_FROM) return { all };
  const split = rows.map(({ logOdds }) => logOdds).sort((one, other) => one - other)[rows.length >> 1] ?? 0;
  const halfOf = (isLow: boolean): number =>
    shiftOf(
      rows.filter(({ logOdds }) => logOdds < split === isLow),
      all,
      DOUBT_OF_HALF,
    );
  return { all, halves: { split, low: halfOf(true), high: halfOf(false) } };
}

interface FitRow {
  readonly logOdds: number;
  readonly isWrong: boolean;
}

/** The most probable shift under a normal prior: the root of a falling function, found by halving, which no rounding turns around. */
function shiftOf(rows: readonly FitRow[], mean: number, precision: number): number {
  let [low, high] = [-LARGEST_SHIFT, LARGEST_SHIFT];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    let slope = precision * (mean - middle);
    for (const { logOdds, isWrong } of rows) slope += Number(isWrong) - probabilityOf(logOdds + middle);
    if (slope > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Strictly rising in the risk; what is certain stays so. */
export function shiftRisk(risk: number, { all, halves }: RiskShift): number {
  if (!(risk > 0 && risk < 1)) return risk;
  const logOdds = logOddsOf(risk);
  if (halves === undefined) return probabilityOf(logOdds + all);
  const { split, low, high } = halves;
  if (logOdds < split) return probabilityOf(logOdds + low);
  return probabilityOf(Math.max(logOdds + high, split + low + LEAST_SLOPE * (logOdds - split)));
}

function logOddsOf(risk: number): number {
  const bounded = Math.min(1 - SUREST, Math.max(SUREST, risk));
  return Math.log(bounded / (1 - bounded));
}

function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** What the labels of a project have come to. Plain JSON. */
export interface ProjectRisk {
  /** Absent with too few labels. */
  readonly shift?: RiskShift | undefined;
  /** Of the risks before the shift: nothing was fitted to the labels, so it proves what it proves. */
  readonly curve: RiskCurve;
}

const TARGETS: readonly number[] = Array.from({ length: 99 }, (_, at) => (at + 1) / 100);

/**
 * Thresholds over the told risks: those that the project's own answers prove, else those of the shipped curve. These never allow more
 * than the least target that the project proves: others' answers do not outweigh its own.
 */
export function projectThresholds(
  { shift, curve }: ProjectRisk,
  shipped: RiskCurve,
): Required<RiskThresholds> {
  const told = (risk: number): number => (shift === undefined ? risk : shiftRisk(risk, shift));
  const proven = remembered((target) => {
    const threshold = target <= 0 || target >= 1 ? undefined : thresholdFor(curve, target);
    return threshold === undefined ? undefined : told(threshold);
  });
  const elsewhere = shippedThresholds(shipped, curve);
  const isUsed = shift !== undefined;
  return {
    thresholdFor(target) {
      if (target >= 1) return 1;
      if (target <= 0) return undefined;
      const own = isUsed ? proven(target) : undefined;
      if (own !== undefined) return own;
      const lent = elsewhere.thresholdFor(target);
      const next = isUsed
        ? TARGETS.find((wider) => wider > target && proven(wider) !== undefined)
        : undefined;
      const most = next === undefined ? 1 : (proven(next) ?? 1);
      return lent === undefined ? undefined : Math.min(lent, most);
    },
    promiseFor: (target) =>
      isUsed && proven(target) !== undefined ? { target, isOwn: true } : elsewhere.promiseFor(target),
  };
}

/** Thresholds of what was measured elsewhere, and how many labels of its own a project lacks; `own`: those it has. */
export function shippedThresholds(shipped: RiskCurve, own?: RiskCurve): Required<RiskThresholds> {
  const threshold = remembered((target) => thresholdFor(shipped, target));
  const shape = own !== undefined && own.rows >= LEAST_LABELS ? own : shipped;
  const lacking = remembered((target) => labelsNeeded(shape, own?.rows ?? 0, target));
  return {
    thresholdFor: (target) => (target >= 1 ? 1 : target <= 0 ? undefined : threshold(target)),
    promiseFor(target): RiskPromise {
      const labels = target <= 0 || target >= 1 ? undefined : lacking(target);
      return { target, isOwn: false, ...(labels !== undefined && { labelsNeeded: labels }) };
    },
  };
}

function remembered(find: (target: number) => number | undefined): (target: number) => number | undefined {
  const found = new Map<number, number | undefined>();
  return (target) => {
    if (!found.has(target)) found.set(target, find(target));
    return found.get(target);
  };
}

/** Nobody labels more for one promise. */
const MOST_LABELS = 100_000;

/**
 * How many more labelled answers prove the target, where the further ones are as often wrong at each risk as those of the curve;
 * undefined where no number does, since too many are wrong however little their risk.
 */
export function labelsNeeded(shape: RiskCurve, have: number, target: number): number | undefined {
  const isEnough = (labels: number): boolean => thresholdFor(scaled(shape, labels), target) !== undefined;
  const least = Math.max(have, LEAST_LABELS);
  if (isEnough(least)) return least - have;
  let [low, high] = [least, 2 * least];
  while (!isEnough(high)) {
    if (high > MOST_LABELS) return undefined;
    [low, high] = [high, 2 * high];
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high - have;
}

/** The curve as it would be of so many answers; a part of a wrong one is a whole one. */
function scaled(curve: RiskCurve, labels: number): RiskCurve {
  const by = labels / curve.rows;
  const points = curve.points.map(({ threshold, shown, wrong }) => {
    const all = Math.round(shown * by);
    return { threshold, shown: all, wrong: Math.min(all, Math.ceil(wrong * by - 1e-9)) };
  });
  const rising = points.filter(({ shown }, at) => shown > (points[at - 1]?.shown ?? 0));
  return { ...curve, rows: labels, points: rising };
}

/** The answers of both, each at its risk. */
export function joinCurves(one: RiskCurve, other: RiskCurve): Pick<RiskCurve, 'rows' | 'wrong' | 'points'> {
  const steps = [...stepsOf(one), ...stepsOf(other)].sort((a, b) => a.threshold - b.threshold);
  const points: RiskPoint[] = [];
  let [shown, wrong] = [0, 0];
  for (const step of steps) {
    shown += step.shown;
    wrong += step.wrong;
    if (points.at(-1)?.threshold === step.threshold) points.pop();
    points.push({ threshold: step.threshold, shown, wrong });
  }
  return { rows: one.rows + other.rows, wrong: one.wrong + other.wrong, points };
}

function stepsOf({ points }: RiskCurve): readonly RiskPoint[] {
  return points.map(({ threshold, shown, wrong }, at) => ({
    threshold,
    shown: shown - (points[at - 1]?.shown ?? 0),
    wrong: wrong - (points[at - 1]?.wrong ?? 0),
  }));
}
