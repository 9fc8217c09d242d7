import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auc } from '../../metrics/auc.ts';
import { bootstrapByGroup } from '../../metrics/bootstrap-by-group.ts';
import { makeWithinGroupAuc, withinGroupAuc } from './node-figures.ts';

describe('the AUC within groups', () => {
  it('is as worked by hand', () => {
    // q1: 2 of 2 pairs; q2: half a pair of 1; q3: all correct; q4: 0 of 1.
    const scores = [1, 2, 9, 5, 5, 7, 8, 3, 4];
    const labels = [0, 0, 1, 0, 1, 0, 0, 1, 0];
    const groups = ['q1', 'q1', 'q1', 'q2', 'q2', 'q3', 'q3', 'q4', 'q4'];
    const { overPairs, overGroups, pairs, groups: count } = withinGroupAuc(scores, labels, groups);
    expect(overPairs).toBeCloseTo(2.5 / 4, 12);
    expect(overGroups).toBeCloseTo((1 + 0.5 + 0) / 3, 12);
    expect({ pairs, count }).toEqual({ pairs: 4, count: 3 });
  });

  it('does not see what sets queries apart', () => {
    // Every query is told from the other by its scores; within each, the wrong row scores lowest.
    const scores = [1, 2, 11, 12];
    const labels = [1, 0, 1, 0];
    expect(withinGroupAuc(scores, labels, [0, 0, 1, 1]).overPairs).toBe(0);
  });

  const ROWS = fc.array(
    fc.record({
      score: fc.integer({ min: 0, max: 5 }),
      label: fc.integer({ min: 0, max: 1 }),
      group: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 50 },
  );

  it('is made of the AUC of each group', () => {
    fc.assert(
      fc.property(ROWS, (rows) => {
        const found = withinGroupAuc(
          rows.map(({ score }) => score),
          rows.map(({ label }) => label),
          rows.map(({ group }) => group),
        );
        const parts = [0, 1, 2, 3, 4].map((group) => rows.filter((row) => row.group === group));
        const each = parts.flatMap((part) => {
          const labels = part.map(({ label }) => label);
          const wrong = labels.filter((label) => label === 1).length;
          const own = auc(
            part.map(({ score }) => score),
            labels,
          );
          return Number.isNaN(own) ? [] : [{ own, pairs: wrong * (labels.length - wrong) }];
        });
        const pairs = each.reduce((sum, part) => sum + part.pairs, 0);
        expect(found.pairs).toBe(pairs);
        expect(found.groups).toBe(each.length);
        expect(Number.isNaN(found.overPairs) && Number.isNaN(found.overGroups)).toBe(pairs === 0);
        fc.pre(pairs > 0);
        expect(found.overGroups).toBeCloseTo(each.reduce((sum, { own }) => sum + own, 0) / each.length, 12);
        expect(found.overPairs).toBeCloseTo(
          each.reduce((sum, part) => sum + part.own * part.pairs, 0) / pairs,
          12,
        );
      }),
    );
  });

  it('weighs groups by how often they were drawn', () => {
    const within = makeWithinGroupAuc([1, 2, 5, 4], [0, 1, 0, 1], ['a', 'a', 'b', 'b']);
    expect(within(Float64Array.of(3, 3, 1, 1))).toEqual({
      overPairs: 0.75,
      overGroups: 0.75,
      pairs: 4,
      groups: 4,
    });
    expect(within(new Float64Array(4)).overPairs).toBeNaN();
    const { value, low, high } = bootstrapByGroup(
      (weights) => within(weights).overGroups,
      ['a', 'a', 'b', 'b'],
    );
    expect({ value, low, high }).toEqual({ value: 0.5, low: 0, high: 1 });
  });

  it('wants a group for every row', () =>
    expect(() => withinGroupAuc([1, 2], [0, 1], ['a'])).toThrow('groups has length 1; expected 2'));
});
