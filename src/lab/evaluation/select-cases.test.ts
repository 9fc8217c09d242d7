import { describe, expect, it } from 'vitest';
import type { EvaluationCase } from '../corpus/index.ts';
import { selectCases } from './runs/run-file.ts';

describe('selectCases', () => {
  it.each([
    { options: {}, wanted: [0, 2, 4, 1, 3] },
    { options: { half: 'even' }, wanted: [0, 2, 4] },
    { options: { half: 'odd' }, wanted: [1, 3] },
    { options: { limit: 2 }, wanted: [0, 2] },
    { options: { limit: 99 }, wanted: [0, 2, 4, 1, 3] },
  ] as const)('takes $wanted for $options', ({ options, wanted }) => {
    // Even and odd cases lie on two databases, which are asked one after the other.
    const cases = [0, 1, 2, 3, 4].map(makeCase);
    expect(selectCases(cases, options).map(({ index }) => index)).toEqual(wanted);
  });
});

function makeCase(index: number): EvaluationCase {
  return {
    id: `q${index}`,
    index,
    database: 'pets',
    databaseUrl: `sqlite:${index % 2}`,
    question: 'How many?',
    tags: [],
    now: '2024-12-31',
    expect: { kind: 'abstain' },
  };
}
