import { describe, expect, it } from 'vitest';
import { logLoss } from './retrain.ts';

describe('logLoss', () => {
  it.each<[string, readonly number[], readonly number[], number]>([
    ['of a coin', [0.5, 0.5], [0, 1], Math.LN2],
    ['worked by hand', [0.9, 0.2], [1, 0], -(Math.log(0.9) + Math.log(0.8)) / 2],
    ['of a sure mistake, which is bounded', [0], [1], -Math.log(1e-4)],
  ])('%s', (_, probabilities, labels, loss) => {
    expect(logLoss(probabilities, labels)).toBeCloseTo(loss, 10);
  });

  it('is no number without rows', () => expect(logLoss([], [])).toBeNaN());
});
