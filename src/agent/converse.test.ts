/** Whole conversations, turn by turn, over a real database. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { LazyKnowledge } from '../knowledge/base/knowledge-base.ts';
import { converse } from './converse.ts';
import { parseTalk } from './parse-talk.ts';
import { type Card, NEW_TALK, type Reply, type Talk, type Turn } from './turn/turn.ts';

const TURN = z.strictObject({
  say: z.string(),
  guided: z.boolean().optional(),
  intent: z.string(),
  cards: z.array(z.string()),
  kind: z.string().optional(),
  finds: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
  says: z.array(z.string()).optional(),
  tables: z.array(z.string()).optional(),
  offers: z.array(z.string()).optional(),
});
const FILE = new URL('../../test/fixtures/agent/talks.yml', import.meta.url);
const talks = z.array(z.array(TURN)).parse(parse(readFileSync(FILE, 'utf8')));

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
}, 60_000);
afterAll(() => small.close());

const say = (text: string, talk: Talk = NEW_TALK, more: Partial<Turn> = {}): Promise<Reply> =>
  converse({ text, ...more }, talk, small.session);

const textsOf = (cards: readonly Card[]): string =>
  cards.map((card) => (card.kind === 'text' ? card.text : JSON.stringify(card))).join('\n');

describe('a conversation', () => {
  it.each(talks.map((turns) => ({ name: turns.map((turn) => turn.say).join(' → '), turns })))(
    '$name',
    async ({ turns }) => {
      let talk = NEW_TALK;
      for (const turn of turns) {
        const guided = turn.guided === undefined ? {} : { guided: turn.guided };
        const reply = await say(turn.say, talk, guided);
        checkReply(reply, turn);
        // Whoever keeps a talk keeps it as JSON.
        talk = parseTalk(JSON.parse(JSON.stringify(reply.talk)));
        expect(talk, turn.say).toEqual(reply.talk);
      }
    },
  );
});

function checkReply({ route, cards, quickReplies }: Reply, turn: z.infer<typeof TURN>): void {
  expect([route.intent, cards.map(({ kind }) => kind)], turn.say).toEqual([turn.intent, turn.cards]);
  const answer = cards.flatMap((card) => (card.kind === 'answer' ? [card.answer] : []))[0];
  if (turn.kind !== undefined) expect(answer?.kind, turn.say).toBe(turn.kind);
  if (turn.finds !== undefined)
    expect(answer?.kind === 'answered' ? answer.rows : answer, turn.say).toEqual(turn.finds);
  for (const text of turn.says ?? []) expect(textsOf(cards), turn.say).toContain(text);
  const tables = cards.flatMap((card) => (card.kind === 'tables' ? card.tables.map(({ id }) => id) : []));
  expect(tables, turn.say).toEqual(expect.arrayContaining(turn.tables ?? []));
  expect(quickReplies, turn.say).toEqual(expect.arrayContaining(turn.offers ?? []));
}

describe('what is pressed', () => {
  it('takes a default otherwise, and the next one with it', async () => {
    const asked = await say('oldest singer');
    expect(asked.cards[0]).toMatchObject({ answer: { assumptions: [{ id: 'tie', taken: 'one' }] } });
    const other = await say('', asked.talk, { assume: { tie: 'all' } });
    expect(other.cards[0]).toMatchObject({ answer: { rows: [['Bruno Costa'], ['Farid Amrani']] } });
    expect(other.talk).toMatchObject({ assumed: { tie: 'all' }, after: ['oldest singer'] });
  });

  it('says so where there is nothing to take otherwise', async () => {
    const { cards } = await say('', NEW_TALK, { assume: { time: 'all' } });
    expect(textsOf(cards)).toContain('no question before');
  });

  it('holds a question to the tables that were ticked', async () => {
    const offered = await say('how many names are there?', NEW_TALK, { guided: true });
    const reply = await say('', offered.talk, { tables: ['stadiums'] });
    expect(textsOf(reply.cards)).toContain('FROM stadiums');
    expect(reply.talk).toMatchObject({ within: ['stadiums'], tables: ['stadiums'] });
    expect(reply.talk.choosing).toBeUndefined();
    const all = await say('use all tables', reply.talk);
    expect(all.talk.within).toBeUndefined();
  });

  it('says what could be used where nothing is found over them', async () => {
    const offered = await say('ticket income by city', NEW_TALK, { guided: true });
    const reply = await say('2', { ...offered.talk, tables: ['concerts', 'pets'] });
    expect(reply.cards.map(({ kind }) => kind)).toEqual(['answer', 'text']);
    expect(textsOf(reply.cards)).toContain('Only pets could be used');
    expect(reply.quickReplies[0]).toBe('Use all tables');
  });

  it('mends a query that failed, with the words of the engine', async () => {
    const failed = { sql: 'SELECT YEAR(held_on) FROM concerts', error: 'no such function: YEAR' };
    const { route, cards, talk } = await say('', NEW_TALK, { failed });
    expect(route.intent).toBe('fix_query');
    expect(cards[0]).toMatchObject({ kind: 'fix', fix: { ok: true } });
    expect(talk.mended).toContain('STRFTIME');
  });
});

describe('tables are searched', () => {
  const scoped = async (text: string, ...ids: readonly string[]): Promise<Reply> => {
    const base = await small.session.base.open();
    const tables = new Set(ids);
    const made = async () => ({
      ...base,
      scope: { tables, because: '1 cluster of the user ada' },
      retrieve: (request: Parameters<typeof base.retrieve>[0]) =>
        base.retrieve({ ...request, scope: tables }),
    });
    return converse({ text }, NEW_TALK, changedSession(small.session, { base: new LazyKnowledge(made) }));
  };

  it('within the scope of the person, which is said', async () => {
    const { cards, talk } = await scoped('which tables hold titles?', 'songs', 'pets');
    expect(talk.tables).toEqual(['songs']);
    expect(textsOf(cards)).toContain('Searched: 1 cluster of the user ada.');
  });

  it('beyond it where nothing of it fits, which is said', async () => {
    const { cards, talk } = await scoped('which tables hold salaries?', 'songs', 'pets');
    expect(talk.tables).toEqual(['singers']);
    expect(textsOf(cards)).toContain('all tables were searched');
  });

  it('beyond it where one is named', async () => {
    const { talk } = await scoped('find tables about singers', 'pets');
    expect(talk.tables).toContain('singers');
  });
});

describe('the state of a talk', () => {
  it('begins anew with a question that stands by itself, and keeps what one goes on from', async () => {
    const first = await say('how many singers are there?');
    const second = await say('only from France', first.talk);
    expect(second.talk.after).toEqual(['how many singers are there?', 'only from France']);
    const third = await say('how many pets are there?', second.talk);
    expect(third.talk.after).toEqual(['how many pets are there?']);
  });

  it('stands where it stood after a refusal', async () => {
    const first = await say('how many singers are there?');
    const refused = await say('what is the weather in Paris?', first.talk);
    expect(refused.talk.after).toEqual(first.talk.after);
    const { cards } = await say('only from France', refused.talk);
    expect(cards[0]).toMatchObject({ answer: { rows: [[3]] } });
  });

  it('keeps twenty turns', async () => {
    let talk = NEW_TALK;
    for (let turn = 0; turn < 23; turn++) ({ talk } = await say(`thanks`, talk));
    expect(talk.turns).toHaveLength(20);
  });

  it('is not lost where the record of a question back is gone', async () => {
    const talk: Talk = {
      ...NEW_TALK,
      after: ['ticket income'],
      pending: { recordId: 'gone-1', options: ['Lisbon'] },
    };
    const reply = await say('Lisbon', talk);
    expect(textsOf(reply.cards)).toContain('no longer on record');
    expect(reply.talk.pending).toBeUndefined();
  });

  it('is not lost where the record of it is of an answer', async () => {
    const { cards } = await say('how many singers are there?');
    const card = cards.find((each) => each.kind === 'answer');
    const recordId = card?.kind === 'answer' ? card.answer.recordId : '';
    const reply = await say('Lisbon', { ...NEW_TALK, pending: { recordId, options: ['Lisbon'] } });
    expect(textsOf(reply.cards)).toContain('no longer on record');
    expect(reply.talk.pending).toBeUndefined();
  });

  it('still waits for its answer where a reply fits no option', async () => {
    const asked = await say('ticket income');
    const reply = await say('9', asked.talk);
    expect(reply.talk.pending).toEqual(asked.talk.pending);
    expect(textsOf(reply.cards)).toContain('5 options');
  });
});

describe('a turn', () => {
  it.each([
    ['nothing', ' ', 'question.empty'],
    ['too much', 'x '.repeat(60_000), 'question.too-long'],
    ['a question that is too long', `singers ${'and singers '.repeat(400)}`, 'question.too-long'],
  ])('of %s is refused', async (_, text, code) => {
    await expect(say(text)).rejects.toMatchObject({ code });
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(
      converse({ text: 'hello' }, NEW_TALK, small.session, { signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'talk.cancelled' });
  });

  it('tells its route before its stages', async () => {
    const events: string[] = [];
    await converse({ text: 'how many singers are there?' }, NEW_TALK, small.session, {
      onEvent: (event) => events.push(event.kind === 'route' ? event.route.intent : event.stage),
    });
    expect(events[0]).toBe('write_query');
    expect(events).toContain('execute');
  });
});
