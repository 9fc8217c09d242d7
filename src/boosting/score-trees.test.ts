import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeScorer } from './score-trees.ts';
import { findTreeFault, leafReference, type Tree, type TreeModel } from './tree-model.ts';

const NUMBERS = z.array(z.number());
const STORED = z.object({
  features: z.array(z.string()),
  base: z.number(),
  trees: z.array(
    z.object({
      feature: NUMBERS,
      threshold: NUMBERS,
      missingLeft: NUMBERS,
      left: NUMBERS,
      right: NUMBERS,
      value: NUMBERS,
      leaf: NUMBERS,
    }),
  ),
  rows: z.array(z.array(z.number().nullable())).min(20),
  scores: NUMBERS,
});
const { NaN: MISSING } = Number;
const COLUMNS = 3;

/**
 * x ≤ 1 (missing: left) ? (y ≤ 0.5 (missing: right) ? −1 : 2) : 3, then a tree that is one leaf.
 * Inner values 0.5 and 0.25.
 */
const BY_HAND: TreeModel = {
  features: ['x', 'y'],
  base: 0.1,
  trees: [
    {
      feature: [0, 1],
      threshold: [1, 0.5],
      missingLeft: [1, 0],
      left: [1, -1],
      right: [-2, -3],
      value: [0.5, 0.25],
      leaf: [-1, 3, 2],
    },
    { feature: [], threshold: [], missingLeft: [], left: [], right: [], value: [], leaf: [10] },
  ],
};

describe('a model written by hand', () => {
  const { score, probability, contributions } = makeScorer(BY_HAND);
  it.each([
    [[0, 0], 9.1],
    [[1, 0.5], 9.1],
    [[1, 0.6], 12.1],
    [[2, 0], 13.1],
    [[MISSING, 0], 9.1],
    [[0, MISSING], 12.1],
    [[], 12.1],
    [[Number.POSITIVE_INFINITY, 0], 13.1],
    [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], 12.1],
  ])('scores %j as %d', (row, expected) => {
    expect(score(row)).toBeCloseTo(expected, 12);
    expect(probability(row)).toBeCloseTo(1 / (1 + Math.exp(-expected)), 12);
  });

  it('says what each column added', () => {
    // Start: base, the root, the leaf of the second tree. x: 0.25 − 0.5 to the left; y: 2 − 0.25.
    const { base, values } = contributions([0, 0.6]);
    expect(base).toBeCloseTo(10.6, 12);
    expect([...values]).toEqual([-0.25, 1.75]);
    expect([...contributions([2, 0]).values]).toEqual([2.5, 0]);
  });

  it('compares as training did, in 32 bits', () => {
    const [tree] = BY_HAND.trees;
    const model = { ...BY_HAND, trees: [{ ...tree!, threshold: [0.1, 0.5] }] };
    // 0.1 in 32 bits lies above 0.1 in 64 bits.
    expect(makeScorer(model).score([0.1, 0])).toBe(makeScorer(model).score(Float32Array.of(0.1, 0)));
    expect(makeScorer(model).score([0.1, 0])).toBeCloseTo(3.1, 12);
  });
});

describe('a model stored by LightGBM', () => {
  const path = join(import.meta.dirname, '../../test/fixtures/boosting/lightgbm.json');
  const { rows, scores, ...model } = STORED.parse(JSON.parse(readFileSync(path, 'utf8')));

  it('scores as LightGBM itself did', () => {
    expect(model.trees.map((tree) => findTreeFault(tree, 4))).toEqual(model.trees.map(() => undefined));
    expect(rows.some((row) => row.includes(null))).toBe(true);
    const { score } = makeScorer(model);
    const off = rows.map((row, at) =>
      Math.abs(score(row.map((value) => value ?? MISSING)) - (scores[at] ?? 0)),
    );
    expect(Math.max(...off)).toBeLessThan(1e-9);
  });
});

describe('any model', () => {
  const value = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.float({ min: -4, max: 4, noNaN: true }),
    fc.constantFrom(MISSING, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  );
  const model: fc.Arbitrary<TreeModel> = fc
    .array(fc.array(fc.tuple(fc.nat(), fc.nat(COLUMNS - 1), fc.integer({ min: -3, max: 3 }), fc.nat(1))), {
      maxLength: 10,
    })
    .map((trees) => ({ features: ['a', 'b', 'c'], base: 0.5, trees: trees.map(treeOf) }));

  it('scores as a naive walk does, and its contributions add up', () => {
    fc.assert(
      fc.property(model, fc.array(value, { minLength: COLUMNS, maxLength: COLUMNS }), (made, row) => {
        const { score, contributions } = makeScorer(made);
        const expected = made.trees.reduce((sum, tree) => sum + walk(tree, row), made.base);
        expect(score(row)).toBeCloseTo(expected, 9);
        const { base, values } = contributions(row);
        expect(values.reduce((sum, added) => sum + added, base)).toBeCloseTo(expected, 9);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Splits one leaf after the other, chosen by number. */
function treeOf(splits: readonly (readonly [number, number, number, number])[]): Tree {
  const tree = {
    feature: [] as number[],
    threshold: [] as number[],
    missingLeft: [] as number[],
    left: [] as number[],
    right: [] as number[],
    value: [] as number[],
    leaf: [0.125],
  };
  for (const [number, column, threshold, missingLeft] of splits) {
    const leaf = number % tree.leaf.length;
    const split = tree.feature.length;
    for (const side of [tree.left, tree.right]) {
      const at = side.indexOf(leafReference(leaf));
      if (at >= 0) side[at] = split;
    }
    tree.feature.push(column);
    tree.threshold.push(threshold);
    tree.missingLeft.push(missingLeft);
    tree.left.push(leafReference(leaf));
    tree.right.push(leafReference(tree.leaf.length));
    tree.value.push(number % 17);
    tree.leaf[leaf] = number % 7;
    tree.leaf.push(number % 11);
  }
  return tree;
}

function walk(tree: Tree, row: readonly number[], node = tree.feature.length === 0 ? -1 : 0): number {
  if (node < 0) return tree.leaf[leafReference(node)] ?? MISSING;
  const value = Math.fround(row[tree.feature[node] ?? 0] ?? MISSING);
  const isLeft = Number.isNaN(value) ? tree.missingLeft[node] === 1 : value <= (tree.threshold[node] ?? 0);
  return walk(tree, row, (isLeft ? tree.left : tree.right)[node]);
}
