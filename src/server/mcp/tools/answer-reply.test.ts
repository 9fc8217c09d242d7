import { expect, it } from 'vitest';
import { answerReply, assumptionOf } from './answer-reply.ts';

it('an abstention tells what would have been run, and no question that ends the same way', () => {
  const { fields } = answerReply(
    {
      ...{ kind: 'abstain', question: 'sales', related: [], recordId: 'r1', thinkMs: 1 },
      reason: 'Two tables fit.',
      candidates: [{ label: 'total of orders', question: '', sql: 'SELECT 1' }],
    },
    10,
  );
  expect(fields).toMatchObject({ options: [{ label: 'total of orders' }] });
  expect(JSON.stringify(fields)).not.toContain('question');
});

it('an assumption says what its choices would change', () => {
  const effect = { kind: 'rows', rows: 3, answered: 1, differing: 0 } as const;
  const alternatives = [{ choice: 'all', label: 'all rows in first place', effect }];
  const one = { kind: 'tie', id: 'tie', text: 'One is shown.', alternatives } as const;
  expect(assumptionOf(one)).toEqual({
    id: 'tie',
    text: 'One is shown. (all: 3 rows instead of 1)',
    choices: ['all'],
  });
});
