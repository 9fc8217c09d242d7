/** What is offered after a question that got no answer leads on, and is never the question once more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { converse } from './converse.ts';
import { NEW_TALK } from './turn.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession({ minProbability: 0.93 });
}, 60_000);
afterAll(() => small.close());

const ASKED: readonly (readonly [question: string, kind: string, offers: readonly string[]])[] = [
  ['what was the weather in Paris?', 'reject', ['ticket income']],
  ['tell me a joke', 'reject', ['how many singers are there?']],
  ['what do you think of the singers?', 'reject', ['how many singers are there?']],
  ['delete all singers', 'reject', []],
  ['oldest singer and the oldest pet', 'abstain', []],
];

describe('after a question without an answer', () => {
  it.each(ASKED)('%s: %s, and %j is offered', async (text, kind, offers) => {
    const { cards, quickReplies } = await converse({ text }, NEW_TALK, small.session);
    const [card] = cards;
    if (card?.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(cards)}`);
    const { answer } = card;
    expect(answer.kind, JSON.stringify(answer)).toBe(kind);
    const shown = answer.kind === 'abstain' ? answer.candidates.map(({ question }) => question) : [];
    expect([...quickReplies, ...shown].map((one) => one.toLowerCase())).not.toContain(text.toLowerCase());
    expect(quickReplies).toEqual(expect.arrayContaining([...offers]));
    for (const offered of offers) {
      const next = await converse({ text: offered }, NEW_TALK, small.session);
      expect(next.cards[0], offered).not.toMatchObject({
        answer: { kind: expect.stringMatching(/reject|abstain/) },
      });
    }
  });
});
