import { describe, expect, it } from 'vitest';
import { drawsFor } from './sampling-plan.ts';

describe('drawsFor', () => {
  it('draws one without chance', () => {
    expect(drawsFor(1)).toEqual([{ index: 0, method: 'direct', temperature: 0 }]);
  });

  it('draws several that differ in method and temperature', () => {
    const draws = drawsFor(3);
    expect(new Set(draws.map(({ method }) => method)).size).toBe(3);
    expect(draws.map(({ temperature }) => temperature)).toEqual([0.2, 0.6, 0.9]);
    expect(drawsFor(7).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
