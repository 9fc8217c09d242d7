import { describe, expect, it } from 'vitest';
import { type Script, scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import { TokenLedger } from '../../model/index.ts';
import type { TalkState } from '../roles/assist-reasoner.ts';
import { assistByModel } from './assist-by-model.ts';

const NOTHING: TalkState = { turns: [], tables: [] };
const TALK: TalkState = {
  turns: [{ question: 'orders?', answer: '12' }],
  lastQuery: 'SELECT 1',
  tables: ['orders'],
};

function asked(text: string, script: Script) {
  const model = scriptedModel(script);
  return { model, question: { text, ledger: new TokenLedger() }, assist: assistByModel(model) };
}

describe('tables that a text names', () => {
  it('are those that it writes, and no guesses', async () => {
    const names = ['dim_customer', ' Order_Items ', 'invoices', 'dim_customer', '', '_'];
    const { assist, question, model } = asked('join dim_customer with the Order Items table', [
      JSON.stringify({ tables: names }),
    ]);
    expect(await assist.nameTables(question)).toEqual(['dim_customer', 'Order_Items']);
    expect(question.ledger.entries.map(({ role }) => role)).toEqual(['name tables']);
    expect(model.requests[0]).toMatchObject({ role: 'name tables', temperature: 0 });
  });
});

describe('the intent of a text', () => {
  it.each([
    [
      'is one of four',
      { intent: 'find_data', because: 'which table' },
      TALK,
      { intent: 'find_data', because: 'which table' },
    ],
    [
      'is other where it is none of them',
      { intent: 'tune', because: null },
      TALK,
      { intent: 'other', because: '' },
    ],
    [
      'has a kind where it follows up',
      { intent: 'write_query', followUp: 'add_filter' },
      TALK,
      { intent: 'write_query', followUp: 'add_filter', because: '' },
    ],
    [
      'follows up on nothing at the start of a talk',
      { intent: 'write_query', followUp: 'shorten' },
      NOTHING,
      { intent: 'write_query', because: '' },
    ],
    [
      'has no kind that we do not know',
      { intent: 'write_query', followUp: '__proto__' },
      TALK,
      { intent: 'write_query', because: '' },
    ],
  ] as const)('%s', async (_, reply, state, route) => {
    const { assist, question, model } = asked('only paid ones', [JSON.stringify(reply)]);
    expect(await assist.route(question, state)).toEqual(route);
    expect(textOf(model.requests[0]!).includes('SELECT 1')).toBe(state === TALK);
  });
});

describe('the judge of answers', () => {
  const answer = { sql: 'SELECT 1', golds: ['SELECT 2', 'SELECT 3'], dialect: 'sqlite' } as const;

  it('sees all right queries, and gives a score with flags that we know', async () => {
    const { assist, question, model } = asked('q', [
      '{"score": 4, "flags": ["filters", "mood", "tone"], "because": "a\\nslip"}',
    ]);
    expect(await assist.judgeAnswer(question, answer)).toEqual({
      score: 4,
      flags: ['filters', 'other'],
      because: 'a slip',
    });
    for (const gold of answer.golds) expect(textOf(model.requests[0]!)).toContain(gold);
  });

  it.each([0, 6, 4.5, '5'])('has to keep to the rubric: %s', async (score) => {
    const { assist, question } = asked('q', () => JSON.stringify({ score }));
    await expect(assist.judgeAnswer(question, answer)).rejects.toMatchObject({ code: 'model.invalid-reply' });
  });

  it('says that there is no answer where there is none, and needs something to compare with', async () => {
    const { assist, question, model } = asked('q', ['{"score": 1}']);
    expect(await assist.judgeAnswer(question, { golds: ['SELECT 2'], dialect: 'sqlite' })).toMatchObject({
      score: 1,
    });
    expect(textOf(model.requests[0]!)).toContain('(no query was given)');
    await expect(assist.judgeAnswer(question, { ...answer, golds: [] })).rejects.toThrow(
      'one right query at least',
    );
  });
});

describe('the describer of queries', () => {
  const query = { sql: 'SELECT 1 FROM orders', dialect: 'duckdb', about: ['orders: of a shop'] } as const;

  it('gives one line, the tables and the grain', async () => {
    const { assist, question } = asked('', [
      '{"summary": " orders\\n by month ", "tables": ["orders", "orders"], "grain": "one row per month"}',
    ]);
    expect(await assist.describeQuery({ ...query, ledger: question.ledger })).toEqual({
      summary: 'orders by month',
      tables: ['orders'],
      grain: 'one row per month',
    });
  });

  it('has to say something', async () => {
    const { assist, question, model } = asked('', ['{"summary": " "}', '{"summary": "orders"}']);
    expect(await assist.describeQuery({ ...query, ledger: question.ledger })).toMatchObject({
      summary: 'orders',
    });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('summary: it is empty');
  });
});

describe('a question about a word or a query', () => {
  const about = {
    knowledge: ['churn: customers who left'],
    turns: [{ question: 'churn by month', answer: '12 rows' }],
    lastQuery: 'SELECT 1',
  };

  it('is answered from what is known, which is all that is told', async () => {
    const { assist, question, model } = asked('what is churn?', [
      '{"isKnown": true, "answer": " Customers who left. "}',
    ]);
    expect(await assist.answerAbout(question, about)).toEqual({
      isKnown: true,
      text: 'Customers who left.',
      tables: [],
    });
    const told = model.requests.map(textOf).join();
    for (const text of ['churn: customers who left', 'churn by month', 'SELECT 1', 'what is churn?'])
      expect(told).toContain(text);
    expect(question.ledger.entries.map(({ role }) => role)).toEqual(['answer about']);
  });

  it('is asked again where the answer is empty', async () => {
    const { assist, question } = asked('what is churn?', [
      '{"isKnown": true, "answer": " "}',
      '{"isKnown": false, "answer": "No note says it."}',
    ]);
    expect(await assist.answerAbout(question, about)).toMatchObject({ isKnown: false });
  });
});
