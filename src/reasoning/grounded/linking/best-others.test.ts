import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestOthers } from './column-features.ts';

describe('bestOthers', () => {
  it('is what comparing all pairs gives', () => {
    const members = fc.array(fc.tuple(fc.nat(4), fc.double({ min: 0, max: 1, noNaN: true })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(members, (given) => {
        const groups = Int32Array.from(given, ([group]) => group);
        const found = bestOthers(groups, 5, (member) => given[member]?.[1] ?? 0);
        const expected = given.map(([group], at) =>
          Math.max(
            0,
            ...given.flatMap(([other, score], place) => (other === group && place !== at ? [score] : [])),
          ),
        );
        expect([...found]).toEqual(expected);
      }),
    );
  });
});
