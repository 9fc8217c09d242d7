import { expect, it } from 'vitest';
import { CARD } from './card-contract.ts';

it('a refusal that was kept before there were causes can be read', () => {
  const answer = {
    ...{ kind: 'reject', question: 'q', related: [], recordId: 'r', thinkMs: 1 },
    ...{ reason: 'scope', missing: 'boats', message: 'no', nearest: [] },
  };
  expect(CARD.parse({ kind: 'answer', answer })).toMatchObject({ answer: { cause: 'unanswerable' } });
});
