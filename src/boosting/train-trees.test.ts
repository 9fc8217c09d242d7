import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test/fixtures/code-of.ts';
import { seededRandom } from '../lib/seeded-random.ts';
import { makeScorer } from './score-trees.ts';
import { type TrainingProgress, trainTrees } from './train-trees.ts';
import type { TrainingData } from './training-data.ts';
import type { TrainingSettings } from './training-settings.ts';

const { NaN: MISSING } = Number;
const SMALL: Partial<TrainingSettings> = { trees: 1, leaves: 2, minLeafRows: 1, learningRate: 0.5 };

/** Rows of one column. */
const oneColumn = (values: readonly number[], labels: readonly number[]): TrainingData => ({
  names: ['x'],
  rows: values.length,
  features: [Float32Array.from(values)],
  labels: Uint8Array.from(labels),
});

/** Rows whose label hangs on three of the columns, two of them together; every tenth value is missing. */
function makeData(rows: number, columns: number, seed: number): TrainingData & { features: Float32Array[] } {
  const random = seededRandom(seed);
  const features = Array.from({ length: columns }, (_, column) =>
    Float32Array.from({ length: rows }, () => {
      const value = random();
      return value < 0.1 ? MISSING : column === 1 ? Math.floor(value * 3) : value;
    }),
  );
  const at = (column: number, row: number): number => {
    const value = features[column]?.[row] ?? 0;
    return Number.isNaN(value) ? 0.7 : value;
  };
  const labels = Uint8Array.from({ length: rows }, (_, row) => {
    const score = 3 * (at(0, row) - 0.5) * (at(1, row) - 1) + Math.sin(6 * at(2, row)) - 0.5;
    return Number(random() < 1 / (1 + Math.exp(-score)));
  });
  return { names: features.map((_, column) => `f${column}`), rows, features, labels };
}

describe('a tree with two leaves, by hand', () => {
  it('has Newton steps as leaves', async () => {
    // p = 1/2: g = ±1/2, h = 1/4. Left G = 1, H = 1/2: −2, halved by the learning rate. Gain 2 + 2 − 0.
    const { model, gains } = await trainTrees(oneColumn([1, 1, 2, 2], [0, 0, 1, 1]), { settings: SMALL });
    expect(model).toEqual({
      features: ['x'],
      base: 0,
      trees: [
        {
          feature: [0],
          threshold: [1.5],
          missingLeft: [1],
          left: [-1],
          right: [-2],
          value: [0],
          leaf: [-1, 1],
        },
      ],
    });
    expect(gains).toEqual([4]);
  });

  it('shrinks with L2', async () => {
    // ∓1 / (1/2 + 1/2), halved.
    const { model } = await trainTrees(oneColumn([1, 1, 2, 2], [0, 0, 1, 1]), {
      settings: { ...SMALL, l2: 0.5 },
    });
    expect(model.trees[0]?.leaf).toEqual([-0.5, 0.5]);
  });

  it('starts from the log-odds of the labels', async () => {
    const { model, losses } = await trainTrees(oneColumn([1, 1, 1, 1], [0, 1, 1, 1]), { settings: SMALL });
    expect(model).toEqual({ features: ['x'], base: 1.09861229, trees: [] });
    expect(losses[0]).toBeCloseTo(-0.75 * Math.log(0.75) - 0.25 * Math.log(0.25), 8);
  });

  it('counts weights as rows', async () => {
    // Base ln(3/1); p = 3/4, h = 3/16. Left: G = 3/4, H = 3/16: −4. Right: weight 3, G = −3/4, H = 9/16: 4/3.
    const data = { ...oneColumn([1, 2], [0, 1]), weights: Float32Array.of(1, 3) };
    const { model } = await trainTrees(data, { settings: SMALL });
    expect(model.base).toBe(1.09861229);
    expect(model.trees[0]?.leaf).toEqual([-2, 0.6667]);
  });

  it.each([
    ['right', [1, 1, 2, 2, MISSING], [0, 0, 1, 1, 1], { threshold: [1.5], missingLeft: [0] }],
    ['left', [1, 1, 2, 2, MISSING], [0, 0, 1, 1, 0], { threshold: [1.5], missingLeft: [1] }],
    ['alone on the right', [1, 2, MISSING, MISSING], [0, 0, 1, 1], { threshold: [1e39], missingLeft: [0] }],
    ['with the heavier side when none was seen', [1, 2, 2, 2], [0, 1, 1, 1], { missingLeft: [0] }],
  ])('sends missing values %s', async (_, values, labels, expected) => {
    const { model } = await trainTrees(oneColumn(values, labels), { settings: SMALL });
    expect(model.trees[0]).toMatchObject(expected);
  });

  it.each([
    ['rows', { minLeafRows: 2 }, 2.5],
    ['weight', { minLeafWeight: 0.2 }, 2.5],
    ['nothing else', {}, 1.5],
  ])('keeps to the least %s of a leaf', async (_, limits, threshold) => {
    // The first row alone would gain most; h = 5/36 for each.
    const data = oneColumn([1, 2, 3, 4, 5, 6], [0, 1, 1, 1, 1, 1]);
    const { model } = await trainTrees(data, { settings: { ...SMALL, ...limits } });
    expect(model.trees[0]?.threshold).toEqual([threshold]);
  });

  it('does not split for less than the least gain', async () => {
    const settings = { ...SMALL, minGain: 4 };
    const { model } = await trainTrees(oneColumn([1, 1, 2, 2], [0, 0, 1, 1]), { settings });
    expect(model.trees).toEqual([]);
  });
});

describe('training', () => {
  it('finds the split of an exhaustive search', async () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant(MISSING));
    const row = fc.record({ x: value, y: value, label: fc.integer({ min: 0, max: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 4, maxLength: 40 }), async (rows) => {
        fc.pre(new Set(rows.map(({ label }) => label)).size === 2);
        const data: TrainingData = {
          names: ['x', 'y'],
          rows: rows.length,
          features: [Float32Array.from(rows, ({ x }) => x), Float32Array.from(rows, ({ y }) => y)],
          labels: Uint8Array.from(rows, ({ label }) => label),
        };
        const { gains } = await trainTrees(data, { settings: { ...SMALL, minLeafRows: 3 } });
        const share = rows.reduce((sum, { label }) => sum + label, 0) / rows.length;
        const best = Math.max(
          0,
          ...(['x', 'y'] as const).flatMap((column) =>
            [-1, 0, 1, 2, 3, 4, 5, 6].flatMap((border) =>
              [true, false].map((isMissingLeft) => {
                const isLeft = rows.map((own) =>
                  Number.isNaN(own[column]) ? isMissingLeft : own[column] <= border,
                );
                return gainByHand(
                  rows.map(({ label }) => label),
                  isLeft,
                  { share, least: 3 },
                );
              }),
            ),
          ),
        );
        expect((gains[0] ?? 0) + (gains[1] ?? 0)).toBeCloseTo(best, 5);
      }),
    );
  });

  it('lowers the loss on its rows with every tree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), fc.boolean(), async (seed, isColumnMajor) => {
        const made = makeData(300, 6, seed);
        const joined = Float32Array.from(made.features.flatMap((column) => [...column]));
        const data = isColumnMajor ? { ...made, features: joined } : made;
        const settings = { trees: 20, minLeafRows: 5, learningRate: 0.1 };
        const { losses } = await trainTrees(data, { settings });
        expect(losses.length).toBe(21);
        for (const [at, loss] of losses.entries()) if (at > 0) expect(loss).toBeLessThan(losses[at - 1] ?? 0);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps its scores equal to those of the model, drawn rows, columns and held-out rows included', async () => {
    const made = makeData(500, 7, 3);
    const heldOut = Uint8Array.from({ length: 500 }, (_, row) => Number(row % 4 === 0));
    const settings = { trees: 15, rowShare: 0.6, columnShare: 0.5, minLeafRows: 3, patience: 15 };
    const { model, losses, heldOutLosses } = await trainTrees({ ...made, heldOut }, { settings });
    const kept = model.trees.length;
    expect(meanLoss(made, makeScorer(model).probability, (row) => heldOut[row] === 0)).toBeCloseTo(
      losses[kept] ?? 0,
      12,
    );
    expect(meanLoss(made, makeScorer(model).probability, (row) => heldOut[row] === 1)).toBeCloseTo(
      heldOutLosses[kept] ?? 0,
      12,
    );
  });

  it('gives the same model for the same seed and another for another', async () => {
    const train = (seed: number) =>
      trainTrees(makeData(400, 6, 1), { settings: { trees: 5, rowShare: 0.5, columnShare: 0.5, seed } });
    const [one, again, other] = [await train(1), await train(1), await train(2)];
    expect(again).toEqual(one);
    expect(other.model).not.toEqual(one.model);
  });

  it('never uses more leaves or depth than allowed', async () => {
    const { model } = await trainTrees(makeData(2_000, 6, 5), {
      settings: { trees: 5, leaves: 9, depth: 3, minLeafRows: 1 },
    });
    for (const { leaf, left, right } of model.trees) {
      expect(leaf.length).toBeLessThanOrEqual(8);
      const depthOf = (node: number): number =>
        node < 0 ? 0 : 1 + Math.max(depthOf(left[node] ?? -1), depthOf(right[node] ?? -1));
      expect(depthOf(0)).toBe(3);
    }
  });

  it('keeps monotone columns monotone for any row', async () => {
    const data = makeData(600, 4, 9);
    for (const direction of [1, -1] as const) {
      const settings = { trees: 30, minLeafRows: 3, monotone: { f0: direction, f2: direction } };
      const { model } = await trainTrees(data, { settings });
      const { score } = makeScorer(model);
      const value = fc.oneof(fc.float({ min: -1, max: 2, noNaN: true }), fc.constantFrom(0, 1, 2, MISSING));
      const known = fc.oneof(
        fc.float({ min: -1, max: 2, noNaN: true }),
        fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      );
      fc.assert(
        fc.property(fc.tuple(value, value, value, value), known, known, (row, a, b) => {
          for (const column of [0, 2]) {
            const step = score(row.with(column, Math.max(a, b))) - score(row.with(column, Math.min(a, b)));
            expect(step * direction).toBeGreaterThanOrEqual(0);
          }
        }),
      );
      const free = await trainTrees(data, { settings: { ...settings, monotone: { f0: 0 } } });
      expect(free.model).not.toEqual(model);
    }
  });

  it('stops when the held-out loss no longer falls, and keeps the best', async () => {
    const made = makeData(400, 6, 2);
    // The held-out rows have the labels of chance: nothing that is learned helps for long.
    const random = seededRandom(11);
    const heldOut = Uint8Array.from({ length: 400 }, () => Number(random() < 0.4));
    const labels = made.labels.map((label, row) => (heldOut[row] === 1 ? Number(random() < 0.5) : label));
    const settings = { trees: 200, learningRate: 0.3, minLeafRows: 5, patience: 4 };
    const { model, heldOutLosses } = await trainTrees({ ...made, labels, heldOut }, { settings });
    expect(heldOutLosses.length).toBe(model.trees.length + 5);
    expect(heldOutLosses[model.trees.length]).toBe(Math.min(...heldOutLosses));
  });

  it('learns nothing from held-out rows', async () => {
    const made = makeData(300, 5, 4);
    const heldOut = Uint8Array.from({ length: 300 }, (_, row) => Number(row >= 200));
    const changed = made.labels.map((label, row) => (row >= 200 ? 1 - label : label));
    const settings = { trees: 3, patience: 3 };
    const one = await trainTrees({ ...made, heldOut }, { settings });
    const other = await trainTrees({ ...made, heldOut, labels: changed }, { settings });
    expect(other.losses).toEqual(one.losses);
    expect(other.heldOutLosses).not.toEqual(one.heldOutLosses);
  });

  it('says how far it is, and stops on request', async () => {
    const seen: TrainingProgress[] = [];
    const stop = new AbortController();
    const running = trainTrees(makeData(200, 3, 1), {
      settings: { trees: 50 },
      signal: stop.signal,
      onProgress: (progress) => {
        seen.push(progress);
        if (progress.stage === 'grow' && progress.done === 3) stop.abort();
      },
    });
    expect(await codeOf(running)).toBe('boosting.cancelled');
    expect(seen.map(({ stage, done, of }) => `${stage} ${done}/${of}`)).toEqual([
      'bin 0/3',
      'bin 1/3',
      'bin 2/3',
      'grow 1/50',
      'grow 2/50',
      'grow 3/50',
    ]);
  });
});

describe('what cannot be learned from is refused', () => {
  const good = oneColumn([1, 2, 3], [0, 1, 1]);
  it.each<[Partial<TrainingData>, Partial<TrainingSettings>, string]>([
    [{ rows: 0 }, {}, 'rows is a whole number from 1 to 100000000, not 0'],
    [{ rows: 2 }, {}, 'column x has length 3; expected 2'],
    [{ names: [] }, {}, 'there are 0 columns; expected 1 to 10000'],
    [{ names: ['x', 'x'] }, {}, 'two columns are named "x"'],
    [{ names: ['x', 'y'] }, {}, 'features has length 1; expected 2'],
    [{ features: new Float32Array(4) }, {}, 'features has length 4; expected 3'],
    [{ features: [Float32Array.of(1, 2, 1 / 0)] }, {}, 'column x is infinite in row 2'],
    [{ labels: Uint8Array.of(0, 1) }, {}, 'labels has length 2; expected 3'],
    [{ labels: Uint8Array.of(0, 1, 2) }, {}, 'the label of row 2 is 2; expected 0 or 1'],
    [{ labels: Uint8Array.of(1, 1, 1) }, {}, 'no row to learn from has the label 0 and a weight above 0'],
    [{ heldOut: Uint8Array.of(1, 0, 0) }, {}, 'no row to learn from has the label 0 and a weight above 0'],
    [{ weights: Float32Array.of(0, 1, 1) }, {}, 'no row to learn from has the label 0 and a weight above 0'],
    [
      { weights: Float32Array.of(1, 1, 0), heldOut: Uint8Array.of(0, 0, 1) },
      {},
      'no row that is held out has a weight above 0',
    ],
    [{ weights: Float32Array.of(1, -1, 1) }, {}, 'the weight of row 1 is -1; expected 0 or more'],
    [{ weights: Float32Array.of(1, 1, MISSING) }, {}, 'the weight of row 2 is NaN; expected 0 or more'],
    [{}, { trees: 0 }, 'trees is a whole number from 1 to 10000, not 0'],
    [{}, { bins: 256 }, 'bins is a whole number from 2 to 255, not 256'],
    [{}, { learningRate: MISSING }, 'learningRate is a number from 0.000001 to 1, not NaN'],
    [{}, { monotone: { y: 1 } }, 'monotone names "y", which is no column of the data'],
  ])('%j %j', async (data, settings, message) => {
    const running = trainTrees({ ...good, ...data }, { settings });
    await expect(running).rejects.toMatchObject({ code: 'boosting.data-invalid', message });
  });
});

/** Newton gain of a split with p the same for all rows; 0 where a side has too few of them. */
function gainByHand(
  labels: readonly number[],
  isLeft: readonly boolean[],
  { share, least }: { readonly share: number; readonly least: number },
): number {
  const sideGain = (own: readonly number[]): number =>
    own.reduce((sum, label) => sum + share - label, 0) ** 2 / (own.length * share * (1 - share));
  const left = labels.filter((_, row) => isLeft[row]);
  const right = labels.filter((_, row) => !isLeft[row]);
  return left.length < least || right.length < least ? 0 : sideGain(left) + sideGain(right);
}

function meanLoss(
  { features, labels, rows }: ReturnType<typeof makeData>,
  probability: (row: readonly number[]) => number,
  isWanted: (row: number) => boolean,
): number {
  const losses = Array.from({ length: rows }, (_, row) => row)
    .filter(isWanted)
    .map((row) => {
      const chance = probability(features.map((column) => column[row] ?? MISSING));
      return -Math.log(labels[row] === 1 ? chance : 1 - chance);
    });
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}
