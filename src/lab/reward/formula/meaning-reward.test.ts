import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { meaningReward, type RewardCategory, saysTheSame } from './compute-reward.ts';

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

interface Paraphrase {
  readonly category: RewardCategory;
  readonly gold: string;
  readonly answer: string;
  readonly isRight: boolean;
}

const FILE = join(import.meta.dirname, '../../../../test/fixtures/reward/paraphrases.jsonl');
const PARAPHRASES = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Paraphrase);

describe('a sentence in words of its own', () => {
  it.each(PARAPHRASES.map((one) => [one.isRight ? 'right' : 'wrong', one.gold, one.answer, one] as const))(
    'is %s: %s %s',
    (_, __, ___, { answer, isRight, ...gold }) => expect(saysTheSame(answer, gold)).toBe(isRight),
  );

  it('names nothing where the gold names nothing', () =>
    expect(saysTheSame('Why?', { gold: 'Pardon?', category: 'ambiguity' })).toBe(false));
});
