import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lengthReward } from './compute-reward.ts';

/** §7 of the specification; what the published code gives stands third. */
const CASES: readonly (readonly [tokens: number, ours: number, published: number])[] = [
  [0, 0, 0],
  [1639, 0, 0],
  [1640, -1 / 409, -1 / 409],
  [1800, -0.3936, -0.3936],
  [2048, -1, -1],
  [3000, -1, (1639 - 3000) / 409],
];

it.each(CASES)('%i tokens', (tokens, ours, published) => {
  expect(lengthReward(tokens)).toBeCloseTo(ours, 4);
  expect(lengthReward(tokens, { isClamped: false })).toBeCloseTo(published, 4);
});

it('never grows with the length and stays from −1 to 0', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(10_000), (tokens, more) => {
      const reward = lengthReward(tokens);
      expect(reward).toBeGreaterThanOrEqual(-1);
      expect(reward).toBeLessThanOrEqual(0);
      expect(lengthReward(tokens + more)).toBeLessThanOrEqual(reward);
    }),
  );
});
