import { expect, it } from 'vitest';
import { answerReply } from './answer-reply.ts';

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
