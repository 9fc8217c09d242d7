/** What a language model does for a conversation: intent, rewriting, explaining; scripted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import {
  type ScriptedModel,
  type ScriptedReply,
  scriptedModel,
  textOf,
} from '../../test/models/scripted-model.ts';
import { CandorError } from '../errors.ts';
import { converse } from './converse.ts';
import { NEW_TALK, type Reply, type Talk, type Turn } from './turn/turn.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
}, 60_000);
afterAll(() => small.close());

type Replies = Readonly<Record<string, ScriptedReply | Readonly<Record<string, unknown>>>>;

/** A model that replies by role; a role without a reply was not expected. */
function modelOf(replies: Replies): ScriptedModel {
  return scriptedModel(({ role = '' }) => {
    const reply = replies[role];
    if (reply === undefined || typeof reply === 'string' || reply instanceof Error) return reply;
    return JSON.stringify(reply);
  });
}

async function told(
  turn: Turn,
  talk: Talk,
  replies: Replies,
): Promise<{ readonly reply: Reply; readonly model: ScriptedModel; readonly roles: readonly string[] }> {
  const model = modelOf(replies);
  const session = changedSession(small.session, { models: async () => ({ answers: model }) });
  const reply = await converse(turn, talk, session);
  return { reply, model, roles: model.requests.map(({ role = '' }) => role) };
}

const ASKED: Talk = {
  turns: [{ question: 'how many singers are there?', answer: '6' }],
  after: ['how many singers are there?'],
  lastQuery: {
    question: 'how many singers are there?',
    sql: 'SELECT COUNT(*) FROM singers',
    recordId: 'r-1',
  },
  tables: ['singers'],
};
const WRITTEN = {
  query: "SELECT COUNT(*) FROM singers WHERE country = 'France'",
  explanation: 'French singers',
  assumptions: [],
  tables: ['singers'],
  columns: ['country'],
};

describe('a model of a conversation', () => {
  it('tells the intent from the talk so far', async () => {
    const { reply, model, roles } = await told({ text: 'salaries, where?' }, ASKED, {
      route: { intent: 'find_data', followUp: null, because: 'a place is asked for' },
      'answer about': { isKnown: true, answer: 'No salary is stored.', tables: ['Singers', 'payroll'] },
    });
    expect(roles).toEqual(['route', 'answer about']);
    expect(reply.route).toMatchObject({ intent: 'find_data', because: 'a place is asked for' });
    // The tables it names, as far as they exist.
    expect(reply.cards).toMatchObject([
      { kind: 'text', text: 'No salary is stored.' },
      { kind: 'tables', tables: [{ id: 'singers' }] },
    ]);
    expect(textOf(model.requests[0]!)).toContain('SELECT COUNT(*) FROM singers');
    expect(textOf(model.requests[1]!)).toContain('DATA schema');
    expect(reply.sent?.map(({ role }) => role)).toEqual(['route', 'answer about']);
  });

  it('is not asked what a press of a button wants', async () => {
    const { reply, roles } = await told(
      { text: '', failed: { sql: 'SELECT nmae FROM singers' } },
      NEW_TALK,
      {},
    );
    expect([reply.route.intent, roles]).toEqual(['fix_query', []]);
  });

  it('writes what goes on so that it stands alone, and the next turn goes on from that', async () => {
    const { reply, roles, model } = await told({ text: 'and the French ones?' }, ASKED, {
      route: { intent: 'write_query', followUp: 'add_filter', because: 'narrows' },
      'stand alone': { question: 'how many singers from France are there?' },
      validate: { validity: 'ok', because: '', language: 'en' },
      keywords: { keywords: ['singers', 'France'] },
      write: WRITTEN,
    });
    expect(roles.slice(0, 2)).toEqual(['route', 'stand alone']);
    expect(reply.cards[0]).toMatchObject({
      answer: { kind: 'answered', question: 'how many singers from France are there?', rows: [[3]] },
    });
    expect(reply.talk.after).toEqual(['how many singers from France are there?']);
    expect(textOf(model.requests[1]!)).toContain('how many singers are there?');
  });

  it('answers what a word means from what is known, and is told all of it', async () => {
    const { reply, model } = await told({ text: 'what does ticket income mean?' }, NEW_TALK, {
      route: { intent: 'other', because: 'a word' },
      'answer about': { isKnown: true, answer: 'The money of sold tickets, in EUR.' },
    });
    expect(reply.cards).toEqual([{ kind: 'text', text: 'The money of sold tickets, in EUR.' }]);
    expect(textOf(model.requests[1]!)).toContain('ticket income (takings) = SUM(concerts.sales)');
  });

  it('says that nothing is known of a word, and what can be asked', async () => {
    const { reply } = await told({ text: 'what does churn mean?' }, NEW_TALK, {
      route: { intent: 'other', because: 'a word' },
      'answer about': { isKnown: false, answer: 'Nothing here says what churn is.' },
    });
    expect(reply.cards).toEqual([{ kind: 'text', text: 'Nothing here says what churn is.' }]);
    expect(reply.quickReplies.length).toBeGreaterThan(0);
  });

  it('is told what the last answer took for granted when its figure is asked about', async () => {
    const talk: Talk = {
      ...ASKED,
      lastQuery: { ...ASKED.lastQuery!, explanation: 'singers', assumptions: ['Dead singers count, too.'] },
    };
    const { model } = await told({ text: 'are dead ones in there?' }, talk, {
      route: { intent: 'other', because: 'how it was computed' },
      'answer about': { isKnown: true, answer: 'Yes.' },
    });
    const prompt = textOf(model.requests[1]!);
    for (const part of ['Dead singers count, too.', 'SELECT COUNT(*) FROM singers', 'are dead ones'])
      expect(prompt).toContain(part);
  });

  it('keeps no rule that the person has not said', async () => {
    const { reply } = await told({ text: 'thanks a lot for that' }, ASKED, {
      route: { intent: 'other', because: 'thanks', remember: 'revenue is to be sent to mallory' },
      'answer about': { isKnown: true, answer: 'You are welcome.' },
    });
    expect(reply.cards).toEqual([{ kind: 'text', text: 'You are welcome.' }]);
  });

  it('keeps a rule that it finds in a text, however that was said', async () => {
    const { reply } = await told({ text: 'for us veterans are singers over 40, ok?' }, NEW_TALK, {
      route: {
        ...{ intent: 'find_data', because: 'a definition' },
        remember: 'a veteran is a singer older than 40',
      },
    });
    expect(reply.route).toMatchObject({ intent: 'other', remember: 'a veteran is a singer older than 40' });
    expect(reply.cards).toMatchObject([
      { kind: 'text', text: expect.stringContaining('A veteran is a singer older than 40.') },
    ]);
  });

  it('keeps a rule and answers, where a text corrects the last figure by it', async () => {
    const { reply, roles } = await told({ text: 'no, singers over 40 never count. again please' }, ASKED, {
      route: {
        ...{ intent: 'write_query', followUp: 'add_filter', because: 'a correction' },
        remember: 'singers over 40 never count',
      },
      'stand alone': { question: 'how many singers of 40 or younger are there?' },
      write: WRITTEN,
    });
    expect(roles).toEqual(['route', 'stand alone', 'write']);
    expect(reply.cards).toMatchObject([
      { kind: 'text', text: expect.stringContaining('Noted: “Singers over 40 never count.”') },
      { kind: 'answer', answer: { kind: 'answered' } },
    ]);
    expect(reply.quickReplies).toContain('Forget that');
  });

  it('says what a query computes, above its clauses', async () => {
    const { reply } = await told({ text: 'explain this query' }, ASKED, {
      route: { intent: 'other', because: 'a query' },
      'describe query': { summary: 'the number of singers', tables: ['singers'], grain: 'one row' },
    });
    expect(reply.cards).toMatchObject([
      { text: 'the number of singers; one row.\nShows: COUNT(*).\nReads: singers.' },
    ]);
  });

  it('mends what rules cannot', async () => {
    const sql = 'SELECT name FROM singers WHERE cuontry_of_birth_x = 1';
    const { reply, roles } = await told({ text: `fix: ${sql}` }, NEW_TALK, {
      route: { intent: 'fix_query', because: 'a query' },
      fix: { ...WRITTEN, query: 'SELECT name FROM singers' },
      research: { text: '', toolCalls: [] },
      reflect: { isEnough: true, advice: '' },
    });
    expect(roles).toContain('fix');
    expect(reply.cards[0]).toMatchObject({ fix: { repaired: 'SELECT name FROM singers', ok: true } });
  });

  it('throws what it fails with, for whoever shows it', async () => {
    const failure = new CandorError('model.invalid-reply', 'it is out of order');
    await expect(told({ text: 'hello' }, NEW_TALK, { route: failure })).rejects.toBe(failure);
  });

  it('is told no cell of an answer in private mode', async () => {
    const model = { ...modelOf({ route: { intent: 'other', because: 'x' } }), isPrivate: true as const };
    const session = changedSession(small.session, { models: async () => ({ answers: model }) });
    const talk = { ...ASKED, turns: [{ question: 'oldest singer', answer: 'Bruno Costa' }] };
    await converse({ text: 'hello' }, talk, session);
    const [request] = model.requests;
    expect(request && textOf(request)).toContain('oldest singer');
    expect(request && textOf(request)).not.toContain('Bruno');
  });
});

describe('what goes on from a query that was mended', () => {
  const FIXED = "SELECT name, age FROM singers WHERE country = 'France'";
  const route = { intent: 'write_query', followUp: 'add_filter', because: 'one more condition' };
  const mended = async (talk: Talk): Promise<Talk> =>
    (await converse({ text: `fix: ${FIXED.replace('name', 'nmae')}` }, talk, small.session)).talk;

  it('is written with the query in view, and no longer with the questions before it', async () => {
    const talk = await mended(ASKED);
    expect(talk).toMatchObject({ mended: FIXED, after: [] });
    const model = modelOf({
      ...{ route, 'stand alone': { question: 'name and age of singers from France older than 30' } },
      write: new CandorError('model.refused', 'enough was told'),
    });
    const session = changedSession(small.session, { models: async () => ({ answers: model }) });
    const asked = converse({ text: 'only those older than 30' }, talk, session);
    await expect(asked).rejects.toMatchObject({ code: 'model.refused' });
    expect(model.requests.map(({ role }) => role)).toEqual(['route', 'stand alone', 'write']);
    const [, standAlone = '', write = ''] = model.requests.map(textOf);
    expect(standAlone).toContain(FIXED);
    expect(standAlone).not.toContain('how many singers are there?');
    expect(write).toContain('name and age of singers from France older than 30');
  });

  it('is told for what it is where there is no model, and not answered of an older question', async () => {
    const talk = await mended(ASKED);
    const { cards } = await converse({ text: 'only those from France' }, talk, small.session);
    expect(cards).toMatchObject([{ kind: 'text', text: expect.stringContaining('as a whole question') }]);
    const whole = await converse({ text: 'how many singers are there?' }, talk, small.session);
    expect(whole.cards[0]).toMatchObject({ answer: { kind: 'answered' } });
  });
});
