import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../lib/seeded-random.ts';
import {
  fitShift,
  joinCurves,
  type LabelledRisk,
  LEAST_LABELS,
  labelsNeeded,
  projectThresholds,
  type RiskShift,
  shiftRisk,
  shippedThresholds,
} from './recalibrate-risk.ts';
import { likeThis, type RiskCurve, riskCoverage } from './risk-coverage.ts';
import { thresholdFor } from './threshold-for.ts';

/** Answers whose risk is even and which are wrong with the given chance of it. */
function draw(seed: number, count: number, chance: (risk: number) => number): readonly LabelledRisk[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const risk = random();
    return { risk, isWrong: random() < chance(risk) };
  });
}

function curveOf(labelled: readonly LabelledRisk[]): RiskCurve {
  return riskCoverage({
    risks: labelled.map(({ risk }) => risk),
    labels: labelled.map(({ isWrong }) => Number(isWrong)),
  });
}

/** As if measured on other projects, where the risk is what it says. */
const SHIPPED = curveOf(draw(99, 2_000, (risk) => risk));

const share = fc.double({ min: 0, max: 1, noNaN: true });
const seeds = fc.integer({ min: 0, max: 1e6 });
const sizes = fc.constantFrom(LEAST_LABELS, 60, 199, 200, 400);

describe('the shift of risks', () => {
  it('is none with fewer labels than it takes', () => {
    expect(fitShift(draw(1, LEAST_LABELS - 1, () => 1))).toBeUndefined();
    expect(fitShift(draw(1, LEAST_LABELS, () => 1))?.all).toBeGreaterThan(0);
  });

  it('is nearly none where the risk is what it says, and follows a project where it is not', () => {
    expect(fitShift(draw(3, 190, (risk) => risk))?.all).toBeCloseTo(0, 0);
    const twoHigher = (risk: number): number => 1 / (1 + Math.exp(-2) * (1 / risk - 1));
    expect(fitShift(draw(3, 190, twoHigher))?.all).toBeCloseTo(2, 0);
    // Where only what seemed sure is worse than it seems, only that is raised.
    const halves = fitShift(draw(3, 2_000, (risk) => (risk < 0.5 ? 0.5 : risk)))?.halves;
    expect(halves?.low).toBeGreaterThan(1);
    expect(Math.abs(halves?.high ?? 1)).toBeLessThan(0.3);
  });

  it('never changes the order of answers', () => {
    fc.assert(
      fc.property(seeds, sizes, share, share, share, (seed, count, level, one, other) => {
        const shift = fitShift(draw(seed, count, () => level)) ?? { all: Number.NaN };
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(shiftRisk(less, shift)).toBeLessThanOrEqual(shiftRisk(more, shift));
        // What can be told apart by eye stays apart.
        if (more - less > 1e-3 && more < 1 - 1e-5 && less > 1e-5)
          expect(shiftRisk(less, shift)).toBeLessThan(shiftRisk(more, shift));
      }),
      { numRuns: 150, seed: 34 },
    );
  });

  it('is never lowered by an answer that turned out wrong', () => {
    fc.assert(
      fc.property(seeds, sizes, share, fc.nat(), share, (seed, count, level, at, risk) => {
        const before = draw(seed, count, (own) => own * level);
        const after = before.map((row, index) => (index === at % count ? { ...row, isWrong: true } : row));
        const [one, other] = [fitShift(before), fitShift(after)];
        if (one === undefined || other === undefined) throw new Error('too few');
        expect(shiftRisk(risk, other)).toBeGreaterThanOrEqual(shiftRisk(risk, one));
      }),
      { numRuns: 150, seed: 34 },
    );
  });

  it('leaves alone what is certain', () => {
    for (const risk of [0, 1, Number.NaN]) expect(shiftRisk(risk, { all: -3 })).toBe(risk);
  });
});

describe('thresholds of a project', () => {
  it('are those of the shipped curve while labels are too few, and then say how many are lacking', () => {
    const few = draw(5, LEAST_LABELS - 1, () => 0);
    const own = projectThresholds({ shift: fitShift(few), curve: curveOf(few) }, SHIPPED);
    for (const target of [0.05, 0.1, 0.2, 0.5])
      expect(own.thresholdFor(target)).toBe(shippedThresholds(SHIPPED).thresholdFor(target));
    expect(own.promiseFor(0.2)).toMatchObject({ isOwn: false, labelsNeeded: expect.any(Number) });
  });

  it('are proven by its own answers where they can be', () => {
    const labelled = draw(5, 400, (risk) => risk ** 2);
    const shift = fitShift(labelled);
    const own = projectThresholds({ shift, curve: curveOf(labelled) }, SHIPPED);
    const raw = thresholdFor(curveOf(labelled), 0.1);
    if (shift === undefined || raw === undefined) throw new Error('nothing is proven');
    expect(own.thresholdFor(0.1)).toBe(shiftRisk(raw, shift));
    expect(own.promiseFor(0.1)).toEqual({ target: 0.1, isOwn: true });
    expect(own.promiseFor(0.001)).toEqual({ target: 0.001, isOwn: false, labelsNeeded: expect.any(Number) });
  });

  it('never fall as the target rises, whichever curve they come from', () => {
    fc.assert(
      fc.property(seeds, sizes, share, (seed, count, level) => {
        const labelled = draw(seed, count, (risk) => level * risk);
        const own = projectThresholds({ shift: fitShift(labelled), curve: curveOf(labelled) }, SHIPPED);
        const thresholds = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1].map((target) => own.thresholdFor(target) ?? 0);
        expect(thresholds).toEqual([...thresholds].sort((one, other) => one - other));
      }),
      { numRuns: 60, seed: 34 },
    );
  });

  // Of even risks up to t, wrong risk² in the mean t²/3 are wrong, with half the risk t/4; with a level chance that many are at any t.
  it.each([
    {
      about: 'are seldom wrong where that is told',
      chance: (risk: number) => risk ** 2,
      truth: (most: number) => most ** 2 / 3,
    },
    {
      about: 'are half as often wrong',
      chance: (risk: number) => risk / 2,
      truth: (most: number) => most / 4,
    },
    { about: 'are all a little too often wrong', chance: () => 0.16, truth: () => 0.16 },
  ])('keep the promise in 95 of 100 projects whose answers $about', ({ chance, truth }) => {
    const target = 0.15;
    const projects = 500;
    let [broken, promised] = [0, 0];
    for (let seed = 0; seed < projects; seed++) {
      const labelled = draw(seed, 300, chance);
      const shift = fitShift(labelled);
      const own = projectThresholds({ shift, curve: curveOf(labelled) }, SHIPPED);
      if (own.promiseFor(target).isOwn !== true || shift === undefined) continue;
      promised += 1;
      broken += Number(truth(mostShown(shift, own.thresholdFor(target) ?? 0)) > target);
    }
    // Two standard errors of a share of .05 beside it.
    expect(broken / projects).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / projects));
    expect(promised).toBeGreaterThan(truth(0) > target ? 0 : projects / 2);
  });
});

/** The largest risk that is shown up to a limit of what is told. */
function mostShown(shift: RiskShift, limit: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (shiftRisk(middle, shift) <= limit) low = middle;
    else high = middle;
  }
  return low;
}

describe('the labels that are lacking', () => {
  it('prove the target, where the further answers are as those before', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 30, max: 300 }),
        fc.constantFrom(0.05, 0.1, 0.2),
        (seed, count, target) => {
          const labelled = draw(seed, count, (risk) => risk ** 2);
          const lacking = labelsNeeded(curveOf(labelled), count, target);
          if (lacking === undefined) return;
          if (lacking === 0) expect(thresholdFor(curveOf(labelled), target)).toBeDefined();
          const times = Math.ceil((count + lacking) / count);
          const more = Array.from({ length: times }, () => labelled).flat();
          expect(thresholdFor(curveOf(more), target)).toBeDefined();
        },
      ),
      { numRuns: 80, seed: 34 },
    );
  });

  it.each([
    // Of n right answers the points are tested from half of them on: .9^42 is the first power below .05/4, so 83 are needed.
    { target: 0.1, wrong: () => 0, have: 40, lacking: 43 },
    { target: 0.1, wrong: () => 0, have: 84, lacking: 0 },
    { target: 0.1, wrong: () => 0.5, have: 40, lacking: undefined },
  ])('are $lacking of $have for $target', ({ target, wrong, have, lacking }) => {
    const labelled = Array.from({ length: have }, (_, at) => ({
      risk: at / have,
      isWrong: at % 2 < 2 * wrong(),
    }));
    expect(labelsNeeded(curveOf(labelled), have, target)).toBe(lacking);
  });
});

describe('curves taken together', () => {
  it('hold the answers of both at their risks', () => {
    const labelled = draw(8, 60, (risk) => risk);
    const halves = [curveOf(labelled.slice(0, 25)), curveOf(labelled.slice(25))] as const;
    const { rows, wrong, points } = joinCurves(...halves);
    const whole = curveOf(labelled);
    expect({ rows, wrong, points }).toEqual({ rows: whole.rows, wrong: whole.wrong, points: whole.points });
    expect(likeThis({ rows, wrong, points }, 0.5)).toEqual(likeThis(whole, 0.5));
  });
});
