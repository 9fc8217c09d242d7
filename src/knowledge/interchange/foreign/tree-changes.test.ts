import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, diffTrees } from './tree-changes.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const leaf = fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.constant(null), fc.boolean());
const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.dictionary(name, tie('node'), { maxKeys: 3, noNullPrototype: true }),
    tie('list'),
  ),
  list: fc.uniqueArray(
    fc
      .tuple(
        name,
        fc.dictionary(fc.constantFrom('x', 'y'), tie('node'), { maxKeys: 2, noNullPrototype: true }),
      )
      .map(([is, rest]) => ({ name: is, ...rest })),
    { maxLength: 3, selector: (item) => item.name },
  ),
})).node;

describe('changes of trees', () => {
  it('turn one tree into the other', () => {
    fc.assert(
      fc.property(tree, tree, (was, now) => {
        const { tree: result, refused } = applyChanges({ top: was }, diffTrees({ top: was }, { top: now }));
        expect(refused).toEqual([]);
        expect(result).toEqual({ top: now });
      }),
      { numRuns: 500 },
    );
  });

  it('are small: what has a new name keeps its path, and order is a change of its own', () => {
    const was = {
      list: [
        { name: 'a', from: 'x' },
        { name: 'b', from: 'y' },
      ],
    };
    const now = {
      list: [
        { name: 'b', from: 'y' },
        { name: 'c', from: 'x', description: 'new' },
      ],
    };
    expect(diffTrees(was, now)).toEqual([
      { at: ['list', 'a', 'description'], now: 'new' },
      { at: ['list', 'a', 'name'], was: 'a', now: 'c' },
      { at: ['list'], order: ['b', 'c'] },
    ]);
  });

  it('leave alone what is no longer what it was', () => {
    const change = { at: ['a'], was: 1, now: 2 };
    expect(applyChanges({ a: 3 }, [change])).toEqual({ tree: { a: 3 }, refused: [change] });
    expect(applyChanges([], [{ at: ['x', 'y'], now: 2 }]).refused).toHaveLength(1);
  });
});
