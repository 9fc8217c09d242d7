import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../../test/fixtures/code-of.ts';
import type { AccessMatrix } from '../accesses/access-matrix.ts';
import { normalRandom } from './fast-ica.ts';
import { type SeparateOptions, type Separation, separate } from './separate.ts';

const ROWS = 3_000;
const OPTIONS: SeparateOptions = { components: 4, size: 5, seed: 1, tolerance: 1e-5 };

/** A matrix with every cell set. */
function dense(rows: readonly (readonly number[])[]): AccessMatrix {
  const width = rows[0]?.length ?? 0;
  return {
    tables: rows.map((_, row) => `t${row}`),
    users: Array.from({ length: width }, (_, column) => `u${column}`),
    starts: Int32Array.from({ length: rows.length + 1 }, (_, row) => row * width),
    columns: Int32Array.from({ length: rows.length * width }, (_, cell) => cell % width),
    values: Float64Array.from(rows.flat()),
  };
}

/** Flat, heavy-tailed and saw-toothed, none of them normal. */
function sources(): number[][] {
  const random = normalRandom(7);
  return Array.from({ length: ROWS }, (_, row) => {
    const side = random.next() < 0.5 ? -1 : 1;
    return [random.next() - 0.5, side * Math.log(1 - random.next()), ((row * 37) % 101) / 50 - 1];
  });
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const centre = (values: readonly number[]): number[] => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  const [x, y] = [centre(a), centre(b)];
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

const MIXING = [
  [1, 0.5, -0.7, 2],
  [-0.4, 1.5, 0.3, 0.1],
  [0.8, -0.2, 1.1, -0.6],
];
const known = sources();
const mixed = dense(
  known.map((row) => [0, 1, 2, 3].map((to) => row.reduce((sum, s, from) => sum + s * MIXING[from]![to]!, 5))),
);

/** The components of every row, row-major, as the model tells them. */
function scoresOf({ starts, columns, values }: AccessMatrix, { model }: Separation): Float64Array {
  const { components, weights, centre } = model;
  const scores = new Float64Array((starts.length - 1) * components);
  for (let row = 0; row < starts.length - 1; row += 1)
    for (let c = 0; c < components; c += 1) {
      let sum = -centre[c]!;
      for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1)
        sum += values[cell]! * weights[columns[cell]! * components + c]!;
      scores[row * components + c] = sum;
    }
  return scores;
}

describe('separate', () => {
  it('recovers three mixed sources', async () => {
    const separation = await separate(mixed, OPTIONS);
    expect(separation.isSettled).toBe(true);
    expect(separation.model.components).toBe(3);
    const found = scoresOf(mixed, separation);
    for (const source of [0, 1, 2]) {
      const wanted = known.map((row) => row[source]!);
      const likeness = [0, 1, 2].map((component) =>
        Math.abs(
          correlation(
            wanted,
            known.map((_, row) => found[row * 3 + component]!),
          ),
        ),
      );
      expect(Math.max(...likeness)).toBeGreaterThan(0.98);
    }
  });

  it('gives the same bytes for the same seed, whatever the number of threads', async () => {
    const random = normalRandom(5);
    const wide = dense(
      Array.from({ length: 9_000 }, () => Array.from({ length: 40 }, () => random.next() ** 9)),
    );
    const options = { ...OPTIONS, components: 20, maxIterations: 3 };
    const [none, one, two] = await Promise.all(
      [0, 1, 2].map((workers) => separate(wide, { ...options, workers })),
    );
    expect(none?.isSettled).toBe(false);
    expect(one).toEqual(none);
    expect(two).toEqual(none);
    const other = await separate(wide, { ...options, seed: 2 });
    expect(other.model.weights).not.toEqual(none?.model.weights);
  });

  it('gives components without mean, of unit covariance', async () => {
    const random = normalRandom(11);
    const wide = dense(
      Array.from({ length: 400 }, () => {
        const shared = random.normal();
        return Array.from({ length: 12 }, (_, at) => 3 + (at % 3) * shared + random.normal());
      }),
    );
    const scores = scoresOf(wide, await separate(wide, { ...OPTIONS, components: 5 }));
    for (let i = 0; i < 5; i += 1) {
      for (let j = 0; j < 5; j += 1) {
        let [mean, product] = [0, 0];
        for (let row = 0; row < 400; row += 1) {
          mean += scores[row * 5 + i]! / 400;
          product += (scores[row * 5 + i]! * scores[row * 5 + j]!) / 400;
        }
        expect(mean).toBeCloseTo(0, 4);
        expect(product).toBeCloseTo(i === j ? 1 : 0, 4);
      }
    }
  });

  it('says of a table what its model says', async () => {
    const separation = await separate(mixed, OPTIONS);
    const scores = scoresOf(mixed, separation);
    const { bestComponents, bestScores } = separation.assignment;
    for (let row = 0; row < ROWS; row += 1) {
      const own = [...scores.subarray(row * 3, row * 3 + 3)];
      expect(bestScores[row]).toBeCloseTo(Math.max(...own), 4);
      expect(own[bestComponents[row]!]).toBeCloseTo(Math.max(...own), 4);
    }
  });

  it('finds no component where every row is the same', async () => {
    const flat = dense(Array.from({ length: 10 }, () => [1, 2, 3]));
    expect((await separate(flat, OPTIONS)).model.components).toBe(0);
  });

  it.each([0, 2])('stops when it is told to, with %i threads', async (workers) => {
    const controller = new AbortController();
    const stopped = separate(mixed, {
      ...OPTIONS,
      workers,
      tolerance: 0,
      signal: controller.signal,
      onIteration: () => controller.abort(),
    });
    expect(await codeOf(stopped)).toBe('knowledge.cancelled');
  });
});
