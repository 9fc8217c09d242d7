import { describe, expect, it } from 'vitest';
import { typeOnlyScores } from './type-only-scores.ts';

describe('scores by type alone', () => {
  it('are the shares of errors of training, with one imagined row of the overall share', () => {
    // Overall 2 of 5; column 2 of 3, table 0 of 2.
    const types = ['column', 'column', 'column', 'table', 'table'];
    const scores = typeOnlyScores(['table', 'column', 'join'], { types, labels: [1, 1, 0, 0, 0] });
    expect([...scores].map((score) => Number(score.toFixed(12)))).toEqual([
      Number((0.4 / 3).toFixed(12)),
      0.6,
      0.4,
    ]);
  });

  it('know nothing without training rows', () =>
    expect([...typeOnlyScores(['table'], { types: [], labels: [] })]).toEqual([0]));

  it('want a label for every type', () =>
    expect(() => typeOnlyScores([], { types: ['table'], labels: [] })).toThrow('labels has length 0'));
});
