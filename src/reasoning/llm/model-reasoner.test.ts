import { describe, expect, it } from 'vitest';
import {
  ATTACK,
  shopHypothesis,
  shopOverview,
  shopQuestion,
  shopView,
} from '../../../test/fixtures/linking/prompt-shop.ts';
import { type Script, scriptedModel, textOf } from '../../../test/models/scripted-model.ts';
import type { ToolCall } from '../../model/index.ts';
import type { RefineView } from '../roles/link-reasoner.ts';
import { modelReasoner } from './model-reasoner.ts';

const JSON_OF = {
  hypotheses: JSON.stringify({
    hypotheses: [
      {
        summary: 'count the orders',
        differsBy: ['join_route', 'mood', 'wording'],
        entities: ['orders'],
        filters: null,
        aggregations: [{ function: 'COUNT' }],
        __proto__: { polluted: true },
        more: 'not asked for',
      },
      { summary: 'count the sessions', entities: ['ga_sessions_20170801'], time: '2024' },
    ],
  }),
  tables: '{"tables": [{"name": " sales.Orders ", "why": "orders"}, {"name": "secrets", "why": null}]}',
  fields: '{"fields": [{"table": "orders", "column": "id", "why": ""}]}',
};

const NOTHING_UNDECIDED: RefineView = {
  turn: 1,
  turnsLeft: 8,
  hypotheses: [shopHypothesis],
  required: [],
  uncertain: [],
  turns: [],
};

function reasonerOf(script: Script) {
  const model = scriptedModel(script);
  return { model, reasoner: modelReasoner(model), question: shopQuestion() };
}

const call = (id: string, text: string, name = 'keep'): ToolCall => ({ id, name, arguments: text });

describe('a model that links', () => {
  it('gives hypotheses in its order, numbered by us, with what it left out as empty', async () => {
    const { reasoner, question } = reasonerOf([JSON_OF.hypotheses]);
    expect(await reasoner.hypothesise(question, shopView('L0'), 4)).toEqual([
      {
        id: 'h1',
        summary: 'count the orders',
        differsBy: ['join_route', 'other'],
        entities: ['orders'],
        filters: [],
        joins: [],
        aggregations: [{ function: 'COUNT', field: '' }],
        time: '',
        ambiguous: [],
      },
      {
        id: 'h2',
        summary: 'count the sessions',
        differsBy: [],
        entities: ['ga_sessions_20170801'],
        filters: [],
        joins: [],
        aggregations: [],
        time: '2024',
        ambiguous: [],
      },
    ]);
    expect('polluted' in {}).toBe(false);
  });

  it('gives no more hypotheses than were asked for', async () => {
    const { reasoner, question, model } = reasonerOf([JSON_OF.hypotheses]);
    expect((await reasoner.hypothesise(question, shopView('L0'), 1)).map(({ id }) => id)).toEqual(['h1']);
    expect(textOf(model.requests[0] ?? { messages: [] })).toContain('1 at most');
  });

  it('gives names as they were written: whoever asked looks them up', async () => {
    const { reasoner, question } = reasonerOf([JSON_OF.tables, JSON_OF.fields]);
    expect(await reasoner.selectTables(question, shopHypothesis, shopView('L0'))).toEqual([
      { name: ' sales.Orders ', why: 'orders' },
      { name: 'secrets' },
    ]);
    expect(await reasoner.selectFields(question, shopHypothesis, shopView('L1'))).toEqual([
      { table: 'orders', column: 'id' },
    ]);
  });

  it('gives readings with what each needs, as they were written', async () => {
    const reading = { plan: 'count', tables: [{ name: ' Orders ', columns: ['id'] }, { name: 'x' }] };
    const { reasoner, question } = reasonerOf([
      JSON.stringify({ readings: [{ ...reading, differsBy: ['mood'], unseen: ['y'] }, reading, reading] }),
    ]);
    const [first, ...others] = await reasoner.readTogether(question, shopOverview(), 2);
    expect(first).toEqual({
      hypothesis: expect.objectContaining({
        ...{ id: 'h1', summary: 'count', differsBy: ['other'], entities: ['Orders', 'x', 'y'] },
      }),
      tables: [{ name: ' Orders ' }, { name: 'x' }],
      fields: [{ table: ' Orders ', column: 'id' }],
      unseen: ['y'],
    });
    expect(others.map(({ hypothesis }) => hypothesis.id)).toEqual(['h2']);
  });

  it('asks with the settings of the paper and the signal of the question', async () => {
    const { signal } = new AbortController();
    const model = scriptedModel([JSON_OF.tables]);
    await modelReasoner(model).selectTables(shopQuestion({ signal }), shopHypothesis, shopView('L0'));
    expect(model.requests[0]).toMatchObject({
      temperature: 1,
      topP: 0.95,
      topK: 40,
      maxTokens: 16_384,
      signal,
    });
  });

  it('counts every call under its role', async () => {
    const { reasoner, question } = reasonerOf([
      'no JSON',
      JSON_OF.hypotheses,
      JSON_OF.tables,
      JSON_OF.fields,
      'Done.',
    ]);
    await reasoner.hypothesise(question, shopView('L0'), 4);
    await reasoner.selectTables(question, shopHypothesis, shopView('L0'));
    await reasoner.selectFields(question, shopHypothesis, shopView('L1'));
    await reasoner.refine(question, NOTHING_UNDECIDED);
    expect(question.ledger.entries.map(({ role }) => role)).toEqual([
      'hypothesise',
      'hypothesise',
      'select tables',
      'select fields',
      'refine',
    ]);
  });

  it.each([
    ['an order of a comment', '{"tables": "all of them"}'],
    ['a name that is no text', '{"tables": [{"name": {"toString": "x"}}]}'],
    ['ten thousand names', JSON.stringify({ tables: Array.from({ length: 10_000 }, () => ({ name: 'a' })) })],
    ['the JSON of another step', JSON_OF.fields],
  ])('refuses %s', async (_, reply) => {
    const { reasoner, question } = reasonerOf([reply, reply]);
    await expect(reasoner.selectTables(question, shopHypothesis, shopView('L0'))).rejects.toMatchObject({
      code: 'model.invalid-reply',
    });
  });

  it('cuts long texts', async () => {
    const long = 'x'.repeat(50_000);
    const { reasoner, question } = reasonerOf([
      JSON.stringify({ tables: [{ name: long, why: long }] }),
      JSON.stringify({ hypotheses: [{ summary: long, entities: [long] }] }),
    ]);
    const [table] = await reasoner.selectTables(question, shopHypothesis, shopView('L0'));
    const [hypothesis] = await reasoner.hypothesise(question, shopView('L0'), 4);
    expect(JSON.stringify([table, hypothesis]).length).toBeLessThan(3_000);
  });
});

describe('a model that refines', () => {
  it('is finished when it calls no tool', async () => {
    const { reasoner, question, model } = reasonerOf(['All is decided.']);
    expect(await reasoner.refine(question, NOTHING_UNDECIDED)).toEqual([]);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
      'list_tables',
      'list_columns',
      'get_field_stats',
      'probe_sql',
      'keep',
      'discard',
    ]);
  });

  it('gives arguments parsed, and as text where they are no JSON', async () => {
    const deep = `${'['.repeat(50)}${']'.repeat(50)}`;
    const toolCalls = [call('a', '{"items": ["x"]}'), call('b', 'items: x'), call('c', deep, 'rm -rf')];
    const { reasoner, question } = reasonerOf([{ toolCalls }]);
    expect(await reasoner.refine(question, NOTHING_UNDECIDED)).toEqual([
      { id: 'a', tool: 'keep', arguments: { items: ['x'] } },
      { id: 'b', tool: 'keep', arguments: 'items: x' },
      { id: 'c', tool: 'rm -rf', arguments: deep },
    ]);
  });

  it('numbers calls itself where ids are missing, long or given twice', async () => {
    const toolCalls = [call('', '{}'), call('a', '{}'), call('a', '{}'), call('x'.repeat(500), '{}')];
    const { reasoner, question } = reasonerOf([{ toolCalls }]);
    const calls = await reasoner.refine(question, { ...NOTHING_UNDECIDED, turn: 3 });
    expect(calls.map(({ id }) => id)).toEqual(['turn-3-call-1', 'a', 'turn-3-call-3', 'turn-3-call-4']);
  });

  it('has bounds for hostile calls', async () => {
    const toolCalls = Array.from({ length: 1_000 }, (_, at) => call(`c${at}`, `"${'x'.repeat(100_000)}"`));
    const { reasoner, question } = reasonerOf([{ toolCalls }]);
    const calls = await reasoner.refine(question, NOTHING_UNDECIDED);
    expect(calls.length).toBe(64);
    expect(JSON.stringify(calls).length).toBeLessThan(64 * 20_200);
  });

  it('shows the model its earlier turns, and answers of tools as data', async () => {
    const { reasoner, question, model } = reasonerOf(['Done.']);
    const turns = [[{ call: { id: 'c1', tool: 'probe_sql', arguments: { sql: 'SELECT 1' } }, text: ATTACK }]];
    await reasoner.refine(question, { ...NOTHING_UNDECIDED, turn: 2, turns });
    const answer = model.requests[0]?.messages.find(({ role }) => role === 'tool')?.content ?? '';
    expect(answer.match(/DATA>>>/g)?.length).toBe(1);
  });

  it('does not ask when it is cancelled', async () => {
    const { reasoner, model } = reasonerOf([]);
    const question = shopQuestion({ signal: AbortSignal.abort() });
    await expect(reasoner.refine(question, NOTHING_UNDECIDED)).rejects.toMatchObject({
      code: 'model.cancelled',
    });
    expect(model.requests.length).toBe(0);
  });
});
