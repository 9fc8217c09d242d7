import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, poolAdjacentViolators } from './fit-isotonic.ts';

interface Row {
  readonly score: number;
  readonly label: number;
  readonly weight: number;
}

const ROWS = fc.array(
  fc.record({
    score: fc.integer({ min: -5, max: 5 }).map((tenths) => tenths / 10),
    label: fc.integer({ min: 0, max: 1 }),
    weight: fc.integer({ min: 1, max: 8 }).map((quarters) => quarters / 4),
  }),
  { minLength: 1, maxLength: 40 },
);

const columnsOf = (rows: readonly Row[]) => ({
  scores: rows.map(({ score }) => score),
  labels: rows.map(({ label }) => label),
  weights: rows.map(({ weight }) => weight),
});

const valueAt = (blocks: readonly Block[], score: number) =>
  blocks.find(({ lowest, highest }) => lowest <= score && score <= highest)?.value;

/** The same fit by its closed form: the largest over starts of the least over ends of the mean between them. */
function slowFit(rows: readonly Row[], score: number): number {
  const levels = [...new Set(rows.map((row) => row.score))].sort((a, b) => a - b);
  const mean = (from: number, to: number): number => {
    const part = rows.filter((row) => row.score >= from && row.score <= to);
    const weight = part.reduce((sum, row) => sum + row.weight, 0);
    return part.reduce((sum, row) => sum + row.weight * row.label, 0) / weight;
  };
  const starts = levels.filter((level) => level <= score);
  const ends = levels.filter((level) => level >= score);
  return Math.max(...starts.map((start) => Math.min(...ends.map((end) => mean(start, end)))));
}

describe('pooling adjacent violators', () => {
  it.each([
    { about: 'keeps what ascends', scores: [1, 2, 3], labels: [0, 0, 1], values: [0, 1] },
    { about: 'pools what falls', scores: [1, 2, 3], labels: [1, 0, 1], values: [0.5, 1] },
    { about: 'pools back over several', scores: [1, 2, 3, 4], labels: [0, 1, 0, 0], values: [0, 1 / 3] },
    { about: 'takes equal scores together', scores: [2, 2, 2, 1], labels: [1, 0, 0, 0], values: [0, 1 / 3] },
    { about: 'sorts', scores: [3, 1, 2], labels: [1, 0, 0], values: [0, 1] },
  ])('$about', ({ scores, labels, values }) => {
    const fitted = poolAdjacentViolators({ scores, labels }).map(({ value }) => value);
    expect(fitted).toHaveLength(values.length);
    for (const [at, value] of fitted.entries()) expect(value).toBeCloseTo(values[at] ?? Number.NaN, 12);
  });

  it('equals the closed form of the fit', () => {
    fc.assert(
      fc.property(ROWS, (rows) => {
        const blocks = poolAdjacentViolators(columnsOf(rows));
        for (const { score } of rows) expect(valueAt(blocks, score)).toBeCloseTo(slowFit(rows, score), 12);
      }),
    );
  });

  it('leaves blocks that ascend in score, centre and value', () => {
    fc.assert(
      fc.property(ROWS, (rows) => {
        const blocks = poolAdjacentViolators(columnsOf(rows));
        blocks.forEach((block, at) => {
          expect(block.lowest).toBeLessThanOrEqual(block.centre);
          expect(block.centre).toBeLessThanOrEqual(block.highest);
          const before = blocks[at - 1];
          if (before === undefined) return;
          expect(block.lowest).toBeGreaterThan(before.highest);
          expect(block.value).toBeGreaterThan(before.value);
        });
      }),
    );
  });

  it('reads a weight as that many rows', () => {
    const twice = poolAdjacentViolators({ scores: [1, 1, 2, 3], labels: [1, 1, 0, 1] });
    const weighted = poolAdjacentViolators({ scores: [1, 2, 3], labels: [1, 0, 1], weights: [2, 1, 1] });
    expect(weighted).toEqual(twice);
  });

  it('leaves out rows without weight', () => {
    const rows = { scores: [1, 2, 3], labels: [0, 1, 0], weights: [1, 0, 1] };
    expect(poolAdjacentViolators(rows)).toEqual(poolAdjacentViolators({ scores: [1, 3], labels: [0, 0] }));
  });

  it('fits as scikit-learn does', () => {
    const path = join(import.meta.dirname, '../../../test/fixtures/uncertainty/scikit-learn-metrics.jsonl');
    for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
      const { scores, labels, weights, isotonic }: Record<string, number[]> = JSON.parse(line);
      const blocks = poolAdjacentViolators({ scores: scores ?? [], labels: labels ?? [], weights });
      const distances = (scores ?? []).map((score, row) =>
        Math.abs((valueAt(blocks, score) ?? Number.NaN) - (isotonic?.[row] ?? Number.NaN)),
      );
      expect(distances.length).toBeGreaterThan(0);
      expect(Math.max(...distances)).toBeLessThan(1e-12);
    }
  });
});
