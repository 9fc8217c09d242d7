import { expect, it } from 'vitest';
import { meaningReward } from './compute-reward.ts';

/** §7 of the specification. */
it.each([
  [1, 1],
  [0.97, 0.97],
  [0.96, 0.96],
  [0.95, 0.76],
  [0.9, 0.72],
  [0.899, 0],
  [0, 0],
  [-1, 0],
  // A cosine of equal vectors may be a little more than 1.
  [1.0000001, 1],
])('ρ = %f gives %f', (cosine, reward) => expect(meaningReward(cosine)).toBeCloseTo(reward, 9));
