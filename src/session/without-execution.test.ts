import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { codeOf } from '../../test/fixtures/code-of.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { fillClarifyOptions } from '../answering/clarify/ask-what-splits.ts';
import { type AskOptions, ask, replay, runSql } from '../answering/index.ts';
import { Trace } from '../tracing/trace.ts';
import type { Session } from './project/session.ts';

let small: SmallSession;
let counting: Session;
let queries: string[] = [];
beforeAll(async () => {
  small = await openSmallSession();
  const { database } = small.session;
  const query: typeof database.query = (sql, ...rest) => {
    queries.push(sql);
    return database.query(sql, ...rest);
  };
  counting = changedSession(small.session, { database: { ...database, query } });
});
afterAll(() => small.close());

const QUESTION = 'How many singers are there?';

describe('nothing runs', () => {
  it.each<[string, AskOptions, boolean]>([
    ['in the mode no-execution', { mode: 'no-execution' }, false],
    ['with execute: false', { execute: false }, false],
    ['where queries are held', {}, true],
    ['where queries are held, whatever is asked for', { execute: true, mode: 'careful' }, true],
    ['where queries are held, over chosen tables', { tables: ['singers'] }, true],
  ])('%s', async (_, options, isHeld) => {
    queries = [];
    const session = isHeld ? counting.withoutExecution() : counting;
    const answer = await ask(QUESTION, session, { ...options, record: false });
    expect(answer).toMatchObject({ kind: 'answered', columns: [], rows: [], sql: expect.any(String) });
    expect(queries).toEqual([]);
  });

  it('and the count is of a database that is asked otherwise', async () => {
    queries = [];
    expect(await ask(QUESTION, counting, { record: false })).toMatchObject({ rows: [[6]] });
    expect(queries).toHaveLength(1);
  });

  it('for options that only the database can tell', async () => {
    const boundary = {
      kind: 'clarify',
      gap: 'value',
      phrase: 'x',
      ask: 'Which?',
      options: [],
      choices: { sql: 'SELECT country FROM singers', label: '{0}', question: 'in {0}' },
    } as const;
    const { choices: _, ...bare } = boundary;
    const desk = { session: counting, trace: new Trace() };
    queries = [];
    expect(await fillClarifyOptions(boundary, { ...desk, options: { execute: false } })).toEqual(bare);
    expect(queries).toEqual([]);
    expect(await fillClarifyOptions(boundary, { ...desk, options: {} })).not.toEqual(bare);
    expect(queries).toHaveLength(1);
  });

  it('when a record of an answer that ran is asked again', async () => {
    const { recordId } = await ask(QUESTION, counting);
    queries = [];
    const again = await replay(recordId, counting.withoutExecution());
    expect(again).toMatchObject({ same: false, answer: { rows: [] } });
    expect(again.differences).toEqual(['It was not run this time, so its rows are not compared.']);
    expect(queries).toEqual([]);
  });
});

it('a held session plans, and runs nothing, for any reader', async () => {
  const held = counting.withoutExecution();
  const sql = 'SELECT COUNT(*) FROM singers';
  expect(await runSql(sql, held, { planOnly: true })).toMatchObject({ kind: 'planned' });
  expect(await codeOf(runSql(sql, held))).toBe('query.not-approved');
  const database = held.databaseFor({ properties: {} });
  expect(await codeOf(database.query(sql, held.config.limits))).toBe('query.not-approved');
});
