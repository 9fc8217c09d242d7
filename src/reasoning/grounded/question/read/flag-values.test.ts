import { describe, expect, it } from 'vitest';
import { oppositeOf } from '../../../../language/index.ts';
import { flagValues } from './flag-values.ts';

const profile = (
  examples: readonly string[],
  more: { readonly min?: string; readonly max?: string } = {},
) => ({
  scannedRows: 10,
  nullCount: 0,
  distinctCount: examples.length,
  examples,
  ...more,
});

describe('flagValues', () => {
  it.each([
    { family: 'boolean' as const, profile: undefined, flag: { yes: true, no: false } },
    {
      family: 'number' as const,
      profile: profile(['0', '1'], { min: '0', max: '1' }),
      flag: { yes: 1, no: 0 },
    },
    { family: 'number' as const, profile: profile(['0', '7'], { min: '0', max: '7' }), flag: undefined },
    {
      family: 'text' as const,
      profile: profile(['0', '1'], { min: '0', max: '1' }),
      flag: { yes: '1', no: '0' },
    },
    { family: 'text' as const, profile: profile(['Yes', 'No']), flag: { yes: 'Yes', no: 'No' } },
    { family: 'text' as const, profile: profile(['Y']), flag: { yes: 'Y', no: 'N' } },
    { family: 'text' as const, profile: profile(['false']), flag: { yes: 'true', no: 'false' } },
    { family: 'text' as const, profile: profile(['Yes', 'Maybe']), flag: undefined },
    { family: 'text' as const, profile: profile([]), flag: undefined },
  ])('of $family $profile.examples', ({ flag, ...column }) => {
    expect(flagValues(column)).toEqual(flag);
  });
});

describe('oppositeOf', () => {
  it.each([
    ['open', 'closed'],
    ['inactive', 'active'],
    ['blue', undefined],
    ['constructor', undefined],
  ])('%s is %s', (word, other) => expect(oppositeOf(word)).toBe(other));
});
