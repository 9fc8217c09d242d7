/** The rules of the router against turns that were labelled by hand; LinkedIn, section 14: 90 % at least. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import type { Route } from '../../reasoning/roles/assist-reasoner.ts';
import { routingGround } from '../route-turn.ts';
import { NEW_TALK, type Talk } from '../turn/turn.ts';
import { routeByRules } from './route-by-rules.ts';

const TURNS = z.array(
  z.strictObject({
    say: z.string(),
    talk: z.enum(['new', 'query', 'tables']),
    intent: z.enum(['write_query', 'find_data', 'fix_query', 'other']),
    followUp: z.string().optional(),
    /** Why the rules get it wrong; it must fail until this is taken away. */
    fails: z.string().optional(),
  }),
);
const readTurns = (name: string) =>
  TURNS.parse(parse(readFileSync(new URL(`../../../test/fixtures/agent/${name}`, import.meta.url), 'utf8')));
const known = readTurns('turns.yml');
const fresh = readTurns('fresh-turns.yml');
const turns = [...known, ...fresh];

const QUERY: Talk = {
  turns: [{ question: 'ticket income by city in 2023', answer: '3 rows' }],
  after: ['ticket income by city in 2023'],
  lastQuery: {
    question: 'ticket income by city in 2023',
    sql: "SELECT s.city, SUM(c.sales) FROM concerts AS c JOIN stadiums AS s ON s.stadium_id = c.stadium_id WHERE c.held_on < '2024-01-01' GROUP BY 1",
    recordId: '20240101-1',
  },
  tables: ['concerts', 'stadiums'],
};
const TALKS: Readonly<Record<(typeof turns)[number]['talk'], Talk>> = {
  new: NEW_TALK,
  query: QUERY,
  tables: { ...NEW_TALK, turns: [{ question: 'tables?', answer: '2' }], tables: ['singers', 'songs'] },
};

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
}, 60_000);
afterAll(() => small.close());

function routed({ say, talk }: Pick<(typeof turns)[number], 'say' | 'talk'>): Route {
  const before = TALKS[talk];
  const { session } = small;
  return routeByRules(say, before, routingGround(before, { session, now: session.clock() }));
}

function isRight(turn: (typeof turns)[number]): boolean {
  const { intent, followUp } = routed(turn);
  return intent === turn.intent && (turn.followUp === undefined || followUp === turn.followUp);
}

describe('the rules of the router', () => {
  it('know the intent of nine turns out of ten, and their kind where they follow up', () => {
    expect(known.length).toBeGreaterThanOrEqual(60);
    const wrong = known.filter((turn) => !isRight(turn)).map(({ say }) => say);
    expect(wrong.length / known.length, wrong.join(' | ')).toBeLessThanOrEqual(0.1);
  });

  it.each(turns.filter(({ fails }) => fails === undefined))('$talk: $say → $intent', (turn) => {
    const { intent, followUp } = routed(turn);
    expect({ intent, ...(turn.followUp !== undefined && { followUp }) }).toEqual({
      intent: turn.intent,
      ...(turn.followUp !== undefined && { followUp: turn.followUp }),
    });
  });

  it.each(turns.filter(({ fails }) => fails !== undefined))('still get wrong: $say', (turn) => {
    expect(isRight(turn), 'take `fails` away').toBe(false);
  });

  it('say why', () => {
    for (const turn of turns) expect(routed(turn).because.length, turn.say).toBeGreaterThan(10);
  });

  it('know no follow-up where nothing came before', () => {
    for (const { say } of turns) expect(routed({ say, talk: 'new' }).followUp, say).toBeUndefined();
  });
});
