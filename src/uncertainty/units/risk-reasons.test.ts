import { describe, expect, it } from 'vitest';
import { makeScorer } from '../../boosting/index.ts';
import type { Feature } from '../features/feature.ts';
import { riskReasons } from './risk-reasons.ts';

const feature = (name: string, tell?: Feature['tell']): Feature => ({
  ...{ name, kind: 'boolean', unit: 'yes or no', about: name },
  ...(tell === undefined ? {} : { tell }),
});
const FEATURES: readonly Feature[] = [
  feature('is_identifier_valid', (value) => (value === 0 ? 'no table or column has this name' : undefined)),
  feature('table_exists', (value) => (value === 0 ? 'no table or column has this name' : 'the name exists')),
  feature('depth'),
  feature('has_digit', (value) => (value === 1 ? 'its name has a digit' : undefined)),
  feature('named', (value) => (value === 1 ? 'the question names it' : 'the question does not name it')),
  feature('is_quoted', () => 'it is quoted'),
];
const texts = (
  values: readonly number[],
  contributions: readonly number[],
  probability: number,
  most?: number,
) => riskReasons(FEATURES, { values, contributions, probability }, most).map(({ text }) => text);

describe('reasons of a risk', () => {
  it('of a suspicious node are what raises it, strongest first', () => {
    expect(texts([1, 1, 3, 1, 0, 1], [0.1, -2, 5, 0.4, 0.9, 0.2], 0.5)).toEqual([
      'the question does not name it',
      'its name has a digit',
      'it is quoted',
    ]);
  });

  it('of any other node are what speaks for it', () => {
    expect(texts([1, 1, 3, 1, 1, 1], [0.1, -2, -5, 0.4, -0.9, 0.2], 0.1)).toEqual([
      'the name exists',
      'the question names it',
    ]);
  });

  it('say the same once, with the sum of the weights, under the name of the strongest', () => {
    const contributions = [0.5, 0.7, 0, 1, 0, 0];
    expect(riskReasons(FEATURES, { values: [0, 0, 0, 1, 0, 0], contributions, probability: 0.9 })).toEqual([
      { feature: 'table_exists', text: 'no table or column has this name', weight: 1.2 },
      { feature: 'has_digit', text: 'its name has a digit', weight: 1 },
    ]);
  });

  it('are left out where they hardly weigh, and beyond the number asked for', () => {
    expect(texts([1, 1, 0, 1, 0, 1], [0, 0, 0, 0.01, 0.3, 0.2], 0.5)).toEqual([
      'the question does not name it',
      'it is quoted',
    ]);
    expect(texts([1, 1, 0, 1, 0, 1], [0, 0, 0, 0.01, 0.3, 0.2], 0.5, 1)).toEqual([
      'the question does not name it',
    ]);
  });

  it('add up the columns of a feature that fills several', () => {
    const contributions = [0.2, 0.3, -0.1];
    const explained = { values: [0, 0, 0, 1], contributions, featureOf: [3, 3, 4], probability: 0.5 };
    expect(riskReasons(FEATURES, explained)).toEqual([
      { feature: 'has_digit', text: 'its name has a digit', weight: 0.5 },
    ]);
  });

  it('come of the contributions of trees', () => {
    const tree = { feature: [0], threshold: [0.5], left: [-1], right: [-2], value: [0.2], leaf: [1, -1] };
    const scorer = makeScorer({
      features: ['is_identifier_valid'],
      base: 0,
      trees: [{ ...tree, missingLeft: [1] }],
    });
    const { values } = scorer.contributions([0]);
    expect(riskReasons(FEATURES, { values: [0], contributions: values, probability: 0.7 })).toEqual([
      { feature: 'is_identifier_valid', text: 'no table or column has this name', weight: 0.8 },
    ]);
  });
});
