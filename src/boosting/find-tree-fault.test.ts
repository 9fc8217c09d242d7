import { describe, expect, it } from 'vitest';
import { findTreeFault, type Tree } from './tree-model.ts';

const GOOD: Tree = {
  feature: [0, 1],
  threshold: [1, 0.5],
  missingLeft: [1, 0],
  left: [1, -1],
  right: [-2, -3],
  value: [0, 0],
  leaf: [-1, 3, 2],
};

describe('the faults of a tree', () => {
  it('are none in a good one, with splits or without', () => {
    expect(findTreeFault(GOOD, 2)).toBeUndefined();
    const bare = { feature: [], threshold: [], missingLeft: [], left: [], right: [], value: [], leaf: [1] };
    expect(findTreeFault(bare, 2)).toBeUndefined();
  });

  it.each<[Partial<Tree>, string]>([
    [{ threshold: [1] }, 'threshold has length 1; expected 2 as feature has'],
    [{ leaf: [1, 2] }, 'leaf has length 2; expected 3'],
    [{ threshold: [1, Number.NaN] }, 'threshold[1] is NaN; expected a finite number'],
    [{ missingLeft: [1, 2] }, 'missingLeft[1] is 2; expected 0 or 1'],
    [{ feature: [0, 2] }, 'feature[1] is 2; expected 0 to 1'],
    [{ feature: [-1, 0] }, 'feature[0] is -1; expected 0 to 1'],
    [{ left: [0, -1] }, 'left[0] is 0, which is no leaf and no later split'],
    [{ left: [2, -1] }, 'left[0] is 2, which is no leaf and no later split'],
    [{ right: [-4, -3] }, 'right[0] is -4, which is no leaf and no later split'],
    [{ right: [1, -3] }, 'right[0] is 1, which has a parent already'],
    [{ right: [-2, -2] }, 'right[1] is -2, which has a parent already'],
  ])('%j', (change, fault) => expect(findTreeFault({ ...GOOD, ...change }, 2)).toBe(fault));
});
