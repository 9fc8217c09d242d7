/** What is offered after a question that got no answer leads on, and is never the question once more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import type { Reject } from '../answer.ts';
import { converse } from './converse.ts';
import { leadOn } from './turn/quick-replies.ts';
import { NEW_TALK } from './turn/turn.ts';

let small: SmallSession;
let sure: SmallSession;
beforeAll(async () => {
  [small, sure] = await Promise.all([openSmallSession({ minProbability: 0.93 }), openSmallSession()]);
}, 60_000);
afterAll(() => Promise.all([small.close(), sure.close()]));

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

describe('what leads on', () => {
  const REFUSED: Reject = {
    kind: 'reject',
    question: 'how many singers per planet?',
    related: [],
    recordId: 'r1',
    thinkMs: 1,
    reason: 'dimension',
    cause: 'not-found',
    missing: 'planet',
    message: 'I found nothing called “planet”.',
    nearest: ['frobnication', 'country', 'Planet'],
  };

  it('is the question about something that is here, where it has an answer, and never the question itself', () => {
    const now = sure.session.clock();
    expect(leadOn(REFUSED, { session: sure.session, now })).toEqual(['how many singers per country?']);
  });
});
