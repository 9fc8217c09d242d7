import { expect, it } from 'vitest';
import { type GrammarFacts, grammarReward, grammarRewardAsPublished } from './compute-reward.ts';

/** The truth table of §14: answer × gold × EXPLAIN, ours, then the published code's, which differs for degenerate. */
const CASES: readonly (readonly [
  answerKind: GrammarFacts['answerKind'],
  goldKind: GrammarFacts['goldKind'],
  isPlannable: boolean,
  ours: 0 | 1,
  published: 0 | 1,
  publishedDegenerate: 0 | 1,
])[] = [
  ['sql', 'sql', true, 1, 1, 0],
  ['sql', 'sql', false, 0, 0, 1],
  ['sql', 'nl', true, 0, 1, 0],
  ['sql', 'nl', false, 0, 0, 1],
  ['nl', 'sql', true, 0, 0, 0],
  ['nl', 'sql', false, 0, 0, 0],
  ['nl', 'nl', true, 1, 1, 1],
  ['nl', 'nl', false, 1, 1, 1],
  ['none', 'sql', true, 0, 0, 0],
  ['none', 'sql', false, 0, 0, 0],
  ['none', 'nl', true, 0, 0, 0],
  ['none', 'nl', false, 0, 0, 0],
];

it.each(CASES)('answer %s, gold %s, can be planned: %s', (answerKind, goldKind, isPlannable, ...expected) => {
  const facts = { answerKind, goldKind, isPlannable };
  const [ours, published, publishedDegenerate] = expected;
  for (const category of ['standard', 'multi_step', 'ambiguity'] as const) {
    expect(grammarReward({ ...facts, category })).toBe(ours);
    expect(grammarRewardAsPublished({ ...facts, category })).toBe(published);
  }
  expect(grammarReward({ ...facts, category: 'degenerate' })).toBe(ours);
  expect(grammarRewardAsPublished({ ...facts, category: 'degenerate' })).toBe(publishedDegenerate);
});
