import { describe, expect, it } from 'vitest';
import { smallKnowledge } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { hypothesise } from '../hypothesise.ts';

const KNOWLEDGE = smallKnowledge();

function probabilityOf(question: string): number {
  const [best] = hypothesise(question, KNOWLEDGE, new Date('2024-05-15T12:00:00Z')).readings;
  if (best === undefined) throw new Error(`no reading of “${question}”`);
  return best.probability;
}

describe('the probability of a reading', () => {
  const lower: readonly (readonly [sure: string, unsure: string, why: string])[] = [
    ['How many singers are there?', 'How many purple singers are there?', 'a word is not understood'],
    [
      'How many purple singers are there?',
      'How many purple singers are there in the aquarium?',
      'two words are not understood',
    ],
    ['Show the name of singers.', 'Show the name of frobbed singers.', 'a verb is not understood'],
  ];
  it.each(lower)('is higher for “%s” than for “%s”: %s', (sure, unsure) => {
    expect(probabilityOf(sure)).toBeGreaterThan(probabilityOf(unsure));
  });

  it('is above one half for plain questions and below for half understood ones', () => {
    expect(probabilityOf('How many singers are there?')).toBeGreaterThan(0.7);
    expect(probabilityOf('How many purple singers are there in the aquarium?')).toBeLessThan(0.5);
  });
});
