import { describe, expect, it } from 'vitest';
import { accuracyAt, queryFigures } from './query-figures.ts';

const EVEN = { scores: [-10, 10], values: [0.001, 0.999] };

describe('figures of whole queries', () => {
  it.each([
    [0.5, [1, 2, 3, 4], [0, 0, 1, 1], 100],
    [1, [1, 2, 3, 4], [0, 0, 1, 1], 50],
    [0.5, [4, 3, 2, 1], [0, 0, 1, 1], 0],
    // Of three equal scores at the edge, one of which is wrong, one is shown.
    [0.5, [1, 2, 2, 2], [0, 1, 0, 0], 100 * (1 - 1 / 3 / 2)],
  ])('accuracy at coverage %d of scores %j and labels %j is %d', (coverage, scores, labels, expected) => {
    expect(accuracyAt(coverage, scores, labels)).toBeCloseTo(expected, 10);
  });

  it('leave out queries of which nothing is known, and put agreement beside', () => {
    const query = (at: number, isRight?: boolean) => ({
      ...{ question: `q${at}`, database: 'd', start: at, end: at + 1, tag: 'x' },
      ...(isRight !== undefined && { isRight }),
    });
    const queries = [query(0, true), query(1, false), query(2), query(3, true), query(4, false)];
    const figures = queryFigures(queries, [-2, 2, 9, -1, 1], EVEN, [1, 0, 0, 1, 0]);
    expect(figures).toMatchObject({ queries: 4, accuracy: 50, accuracyAt50: 100 });
    expect(figures.auc.auc).toBe(1);
    expect(figures.byAgreement).toEqual({ auc: 1, accuracyAt50: 100, accuracyAt80: expect.any(Number) });
  });
});
