import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import type { AccessMatrix } from './access-matrix.ts';
import { fastIca, unmixRows } from './fast-ica.ts';
import { normalRandom } from './normal-random.ts';
import { whiten } from './whiten.ts';

const ROWS = 3_000;
const OPTIONS = { seed: 1, tolerance: 1e-5, maxIterations: 500 };

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

describe('fastIca', () => {
  it('recovers three mixed sources', async () => {
    const whitening = await whiten(mixed, { components: 4, seed: 1 });
    expect(whitening.components).toBe(3);
    const result = await fastIca(mixed, whitening, OPTIONS);
    expect(result.isConverged).toBe(true);
    const found = unmixRows(mixed, whitening, result.unmixing);
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

  it('gives the same for the same seed', async () => {
    const whitening = await whiten(mixed, { components: 3, seed: 1 });
    const [first, second] = [
      await fastIca(mixed, whitening, OPTIONS),
      await fastIca(mixed, whitening, OPTIONS),
    ];
    expect(second.unmixing).toEqual(first.unmixing);
  });

  it('says that it did not settle, and stops when it is told to', async () => {
    const whitening = await whiten(mixed, { components: 3, seed: 1 });
    const short = await fastIca(mixed, whitening, { ...OPTIONS, tolerance: 0, maxIterations: 4 });
    expect(short).toMatchObject({ isConverged: false, iterations: 4 });
    const signal = AbortSignal.abort();
    const stopped = fastIca(mixed, whitening, { ...OPTIONS, tolerance: 0, signal });
    expect(await codeOf(stopped)).toBe('knowledge.cancelled');
  });
});

describe('whiten', () => {
  it('gives coordinates without mean, of unit covariance, largest variance first', async () => {
    const random = normalRandom(11);
    const wide = dense(
      Array.from({ length: 400 }, () => {
        const shared = random.normal();
        return Array.from({ length: 12 }, (_, at) => 3 + (at % 3) * shared + random.normal());
      }),
    );
    const whitening = await whiten(wide, { components: 5, seed: 1 });
    const whitened = unmixRows(wide, whitening, whitening.projection);
    for (let i = 0; i < 5; i += 1) {
      for (let j = 0; j < 5; j += 1) {
        let [mean, product] = [0, 0];
        for (let row = 0; row < 400; row += 1) {
          mean += whitened[row * 5 + i]! / 400;
          product += (whitened[row * 5 + i]! * whitened[row * 5 + j]!) / 400;
        }
        expect(mean).toBeCloseTo(0, 9);
        expect(product).toBeCloseTo(i === j ? 1 : 0, 9);
      }
    }
  });

  it('finds no component where every row is the same', async () => {
    const flat = dense(Array.from({ length: 10 }, () => [1, 2, 3]));
    expect((await whiten(flat, { components: 2, seed: 1 })).components).toBe(0);
  });
});
