import { describe, expect, it } from 'vitest';
import { broken, writeQuestion } from '../../../test/fixtures/prompts/writing.ts';
import { type Script, scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import type { ToolCall } from '../../model/index.ts';
import type { Draw, ResearchView } from '../roles/write-reasoner.ts';
import { writeByModel } from './write-by-model.ts';

const ONE: Draw = { index: 0, method: 'direct', temperature: 0 };
const VIEW: ResearchView = { turn: 1, callsLeft: 8, broken, turns: [] };

function asked(script: Script) {
  const model = scriptedModel(script);
  const question = writeQuestion();
  return {
    model,
    question,
    writer: writeByModel(model),
    roles: () => question.ledger.entries.map(({ role }) => role),
  };
}

describe('writing by a model', () => {
  it('gives the query with what it rests on', async () => {
    const { writer, question, roles, model } = asked([
      JSON.stringify({
        query: '```sql\nSELECT COUNT(*) FROM orders;\n```',
        explanation: ' Counts. ',
        assumptions: [
          'all orders',
          ' ',
          {
            ...{ text: 'gross', phrase: 'orders', of_ten: 6 },
            choices: [{ label: 'net', sql: 'SELECT COUNT(DISTINCT id) FROM orders;' }],
          },
          { text: 'each once', of_ten: 60 },
        ],
        tables: ['orders'],
        columns: null,
      }),
    ]);
    expect(await writer.write(question, ONE)).toEqual({
      sql: 'SELECT COUNT(*) FROM orders',
      explanation: 'Counts.',
      assumptions: [
        { text: 'all orders', phrase: '', choices: [] },
        {
          ...{ text: 'gross', phrase: 'orders', likely: 0.6 },
          choices: [{ label: 'net', sql: 'SELECT COUNT(DISTINCT id) FROM orders' }],
        },
        // Sixty of ten is no share.
        { text: 'each once', phrase: '', choices: [] },
      ],
      tables: [],
      columns: [],
    });
    expect(roles()).toEqual(['write']);
    expect(model.requests[0]).toMatchObject({ role: 'write', temperature: 0, seed: 0 });
  });

  describe('of the short contract', () => {
    const short = (script: Script) => {
      const model = { ...scriptedModel(script), contract: 'short' as const };
      return { model, writer: writeByModel(model), question: writeQuestion() };
    };

    it('asks for the query alone, over the same blocks, and holds it to no JSON', async () => {
      const { model, writer, question } = short(['```sql\nSELECT COUNT(*) FROM orders;\n```']);
      expect(await writer.write(question, ONE)).toMatchObject({ sql: 'SELECT COUNT(*) FROM orders' });
      const full = asked(['{"query": "SELECT 1"}']);
      await full.writer.write(full.question, ONE);
      const [mine, theirs] = [model.requests[0], full.model.requests[0]];
      expect(mine).not.toHaveProperty('replySchema');
      expect(mine?.messages[1]).toEqual(theirs?.messages[1]);
      const lengths = [mine, theirs].map((request) => request?.messages[0]?.content.length ?? 0);
      expect(lengths[0]).toBeLessThan((lengths[1] ?? 0) / 1.5);
    });

    it.each([
      ['a sentence', '<answer>There are no prices here.</answer>', { because: 'There are no prices here.' }],
      ['the full form all the same', '{"outcome": "reject", "missing": "prices"}', { missing: 'prices' }],
    ])('takes %s for a refusal', async (_, reply, due) => {
      const { writer, question } = short([reply]);
      expect(await writer.write(question, ONE)).toMatchObject(due);
    });

    it('asks once more for text, not for JSON', async () => {
      const { model, writer, question } = short(['I do not know.', 'SELECT COUNT(*) FROM orders']);
      expect(await writer.write(question, ONE)).toMatchObject({ sql: 'SELECT COUNT(*) FROM orders' });
      expect(model.requests[1]?.messages.at(-1)?.content).not.toContain('JSON object in the form');
    });
  });

  it('says what the schema lacks', async () => {
    const { writer, question } = asked([
      '{"query": null, "missing": "prices", "explanation": "orders have none"}',
    ]);
    expect(await writer.write(question, ONE)).toEqual({ missing: 'prices', because: 'orders have none' });
  });

  it.each([
    [
      'escaped as in Markdown',
      '{"outcome": "answered", "sql": "SELECT customer\\_id FROM orders"}',
      'SELECT customer_id FROM orders',
    ],
    ['in a list', '[{"query": "SELECT 1"}]', 'SELECT 1'],
    ['of our own recipe', '<think>one</think><answer>SELECT 1</answer>', 'SELECT 1'],
  ])('reads a query %s', async (_, reply, sql) => {
    const { writer, question } = asked([reply]);
    expect(await writer.write(question, ONE)).toMatchObject({ sql });
  });

  it('reads a query that came as a call of a tool nobody offered', async () => {
    const call = { id: 'c', name: 'answer', arguments: '{"sql": "SELECT 1"}' };
    const { writer, question } = asked([{ toolCalls: [call] }]);
    expect(await writer.write(question, ONE)).toMatchObject({ sql: 'SELECT 1' });
  });

  it('is told no stored value that was found against a refusal, in private mode', async () => {
    const model = { ...scriptedModel(['{"sql": "SELECT 1"}']), isPrivate: true as const };
    const objection = 'a search finds cities.name = Lyon';
    await writeByModel(model).write(writeQuestion({ objection }), ONE);
    expect(textOf(model.requests[0]!)).toContain('against your last reply');
    expect(textOf(model.requests[0]!)).not.toContain('Lyon');
  });

  it('reads a refusal of our own recipe', async () => {
    const { writer, question } = asked(['<think>no</think><answer>There are no boats here.</answer>']);
    expect(await writer.write(question, ONE)).toMatchObject({ because: 'There are no boats here.' });
  });

  it.each([
    ['null without a reason', '{"query": null}', 'nothing says what the schema lacks'],
    ['an empty query', '{"query": " ; "}', 'sql: it is empty'],
    [
      'a huge query',
      JSON.stringify({ query: `SELECT ${'1,'.repeat(20_000)}1` }),
      'longer than 20000 characters',
    ],
    ['no query at all', 'I am sorry, but I cannot select anything.', 'there is no JSON object'],
    ['half a JSON', '{"query": "SELECT id\nFROM orders WHERE', 'begun and not ended'],
  ])('asks again for %s, and then gives up', async (_, reply, problem) => {
    const { writer, question, model } = asked([reply, reply]);
    await expect(writer.write(question, ONE)).rejects.toMatchObject({ code: 'model.invalid-reply' });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain(problem);
  });

  it('draws as it is told, and thinks in the way it is told', async () => {
    const { writer, question, model } = asked(() => '{"thoughts": "…", "query": "SELECT 1"}');
    for (const [index, method] of (['plan', 'steps', 'divide'] as const).entries())
      await writer.write(question, { index, method, temperature: 0.3 + index / 10 });
    expect(model.requests.map(({ temperature, seed }) => [temperature, seed])).toEqual([
      [0.3, 0],
      [0.4, 1],
      [0.5, 2],
    ]);
    expect(new Set(model.requests.map(textOf)).size).toBe(3);
  });
});

describe('mending by a model', () => {
  it('gives the query that it changed, at temperature 0', async () => {
    const { writer, question, roles, model } = asked(() => '{"query": "SELECT COUNT(*) FROM orders"}');
    const odd = { sql: 'SELECT 1', outcome: 'the query returns no rows', nearValues: ['orders.status: Y'] };
    const sql = 'SELECT COUNT(*) FROM orders';
    expect(await writer.fix(question, broken)).toMatchObject({ sql });
    expect(await writer.revise(question, odd)).toMatchObject({ sql });
    expect(roles()).toEqual(['fix', 'revise']);
    expect(model.requests.map(({ temperature, role }) => [temperature, role])).toEqual([
      [0, 'fix'],
      [0, 'revise'],
    ]);
    expect(textOf(model.requests[1]!)).toContain('orders.status: Y');
  });

  it('has to give a query', async () => {
    const { writer, question } = asked(() => '{"query": null}');
    await expect(writer.fix(question, broken)).rejects.toMatchObject({ code: 'model.invalid-reply' });
  });
});

describe('research by a model', () => {
  const call = (id: string, name: string, text: string): ToolCall => ({ id, name, arguments: text });

  it('calls tools, with ids that can be answered', async () => {
    const { writer, question, roles, model } = asked([
      { toolCalls: [call('', 'search_tables', '{"text": "orders"}'), call('a', 'describe', 'orders')] },
      'That is enough.',
    ]);
    const calls = await writer.research(question, VIEW);
    expect(calls).toEqual([
      { id: 'turn-1-call-1', tool: 'search_tables', arguments: { text: 'orders' } },
      { id: 'a', tool: 'describe', arguments: 'orders' },
    ]);
    const turns = [calls.map((each) => ({ call: each, text: 'orders' }))];
    expect(await writer.research(question, { ...VIEW, turn: 2, callsLeft: 6, turns })).toEqual([]);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
      'search_tables',
      'describe_table',
      'search_values',
    ]);
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
    ]);
    expect(roles()).toEqual(['research', 'research']);
  });

  it('stops when it is cancelled', async () => {
    const { writer, model } = asked([]);
    const question = writeQuestion({ signal: AbortSignal.abort() });
    await expect(writer.research(question, VIEW)).rejects.toMatchObject({ code: 'model.cancelled' });
    expect(model.requests).toEqual([]);
  });

  it('is judged by the stronger model where there is one', async () => {
    const reply = '{"isEnough": true, "advice": " use orders "}';
    const [model, reflector] = [scriptedModel([reply]), scriptedModel([reply])];
    const question = writeQuestion();
    expect(await writeByModel(model, {}, { reflector }).reflect(question, VIEW)).toEqual({
      isEnough: true,
      advice: 'use orders',
    });
    expect([model.requests.length, reflector.requests.length]).toEqual([0, 1]);
    await writeByModel(model).reflect(question, VIEW);
    expect(model.requests.length).toBe(1);
    expect(question.ledger.entries.map(({ role }) => role)).toEqual(['reflect', 'reflect']);
  });
});

describe('tests by a model', () => {
  it('are once each, 14 at most, those of the hint marked', async () => {
    const tests = [
      { test: 'It counts orders.' },
      { test: 'It counts orders. ', fromHint: false },
      { test: 'Yes is Y.', fromHint: true },
      { test: ' ' },
      ...Array.from({ length: 20 }, (_, at) => ({ test: `Check ${at}.` })),
    ];
    const { writer, question, model } = asked([JSON.stringify({ tests })]);
    const texts = await writer.writeTests(question);
    expect(texts.slice(0, 3)).toEqual(['It counts orders.', '[hint] Yes is Y.', 'Check 0.']);
    expect(texts.length).toBe(14);
    expect(model.requests[0]?.temperature).toBeGreaterThanOrEqual(0.5);
  });

  it('are passed where the judge says so', async () => {
    const verdicts = [
      { candidate: 2, passed: [] },
      { candidate: 1, passed: [2, 9] },
    ];
    const { writer, question, roles } = asked([JSON.stringify({ candidates: verdicts })]);
    const judged = await writer.judgeTests(question, [{ sql: 'SELECT 1' }, { sql: 'SELECT 2' }], ['a', 'b']);
    expect(judged).toEqual([
      [false, true],
      [false, false],
    ]);
    expect(roles()).toEqual(['judge tests']);
  });

  it('need a verdict on every candidate, and no model where there is nothing to judge', async () => {
    const { writer, question, model } = asked(() => '{"candidates": [{"candidate": 1, "passed": [1]}]}');
    expect(await writer.judgeTests(question, [{ sql: 'SELECT 1' }], [])).toEqual([[]]);
    expect(await writer.judgeTests(question, [], ['a'])).toEqual([]);
    expect(model.requests).toEqual([]);
    const two = [{ sql: 'SELECT 1' }, { sql: 'SELECT 2' }];
    await expect(writer.judgeTests(question, two, ['a'])).rejects.toThrow('candidate 2 has no verdict');
  });
});
