import { describe, expect, it } from 'vitest';
import { makeScorer } from '../../boosting/index.ts';
import { seededRandom } from '../../lib/seeded-random.ts';
import { foldForests } from './fold-forests.ts';
import { SampledRows } from './sampled-rows.ts';

const NAMES = ['x', 'fold'];
const FOLDS = 3;

/** In fold f rows are right above 10·f only: a forest that has not seen a fold is wrong about it. */
function rowsOf(share: number): SampledRows {
  const rows = new SampledRows(NAMES, share, seededRandom(1));
  for (let at = 0; at < 900; at += 1) {
    const fold = at % FOLDS;
    const x = (at * 7) % 30;
    rows.add(Float32Array.of(x, fold), x > 10 * fold, { fold, weight: 1 });
  }
  return rows;
}

describe('SampledRows', () => {
  it('keeps what is needed and a share of the others with the weight of those left out', () => {
    const all = rowsOf(1).data();
    const { rows, labels, weights = new Float32Array() } = rowsOf(0.25).data();
    const needed = (of: Uint8Array): number => of.reduce((sum, label) => sum + label, 0);
    expect(all.rows).toBe(900);
    expect(needed(labels)).toBe(needed(all.labels));
    expect(rows).toBeLessThan(all.rows);
    for (const [at, label] of labels.entries()) expect(weights[at]).toBe(label === 1 ? 1 : 4);
  });

  it('leaves a fold out, and is not changed by a row that is written over', () => {
    const rows = new SampledRows(NAMES, 1, () => 0);
    const row = Float32Array.of(1, 0);
    rows.add(row, true, { fold: 0, weight: 3 });
    row[0] = 9;
    rows.add(row, false, { fold: 1, weight: 2 });
    expect(rows.size).toBe(2);
    expect(rows.data()).toMatchObject({ rows: 2, features: [Float32Array.of(1, 9), Float32Array.of(0, 0)] });
    expect(rows.data(0)).toMatchObject({
      rows: 1,
      labels: Uint8Array.of(0),
      weights: Float32Array.of(2),
      features: [Float32Array.of(9), Float32Array.of(0)],
    });
  });
});

describe('foldForests', () => {
  const settings = { trees: 20, learningRate: 0.3, minLeafRows: 5 };

  it('have not seen their fold', async () => {
    const stages: string[] = [];
    const { all, of } = await foldForests(rowsOf(1), settings, {
      folds: FOLDS,
      onProgress: (_, done, total) => stages.push(`${done}/${total}`),
    });
    expect(stages).toEqual(['0/4', '1/4', '2/4', '3/4']);
    const whole = makeScorer(all);
    // right in the fold 2, where the others say yes from 0 and 10 on
    const row = [15, 2];
    expect(whole.score(row)).toBeLessThan(0);
    expect(of(2).score(row)).toBeGreaterThan(0);
    expect(of(0).score(row)).toBeLessThan(0);
    expect(of(99).score(row)).toBe(whole.score(row));
  });

  it('stop when they are told to', async () => {
    const run = foldForests(rowsOf(1), settings, { folds: FOLDS, signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: 'boosting.cancelled' });
  });
});
