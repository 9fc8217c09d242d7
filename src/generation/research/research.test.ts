import { describe, expect, it } from 'vitest';
import { authoredText } from '../../catalog/share/index.ts';
import { TokenLedger } from '../../model/index.ts';
import type {
  Reflection,
  ResearchCall,
  ResearchView,
  WriteQuestion,
} from '../../reasoning/roles/write-reasoner.ts';
import { research } from './research.ts';
import { type ResearchTools, runResearchCall } from './research-tools.ts';

const researchTools: ResearchTools = {
  findTables: async (text) => (text === 'nothing' ? [] : ['shop.orders', 'shop.clients']),
  describeTable: (name) =>
    name === 'orders' ? { id: 'shop.orders', text: authoredText('CREATE TABLE orders') } : undefined,
  findValues: async (text, column) => [authoredText(`${column ?? 'any'}: ${text}`)],
};
const question: WriteQuestion = {
  text: 'orders per city',
  knowledge: [],
  examples: [],
  schema: authoredText(''),
  dialect: 'sqlite',
  today: '2024-01-01',
  ledger: new TokenLedger(),
};
const broken = { sql: 'SELECT town FROM orders', problems: ['no column town'] };

const call = (tool: string, args: unknown): ResearchCall => ({ id: tool, tool, arguments: args });

describe('runResearchCall', () => {
  it.each([
    ['search_tables', { text: 'orders' }, 'shop.orders\nshop.clients', []],
    ['search_tables', { text: 'nothing' }, 'no table fits', []],
    ['describe_table', { table: 'orders' }, 'CREATE TABLE orders', ['shop.orders']],
    ['describe_table', { table: 'x' }, 'there is no table of that name; search for it', []],
    ['search_values', { text: 'Berlin' }, 'any: Berlin', []],
    ['search_values', { text: 'Berlin', column: 'city' }, 'city: Berlin', []],
  ] as const)('%s %j', async (tool, args, text, tables) => {
    expect(await runResearchCall(call(tool, args), researchTools)).toMatchObject({ text, tables });
  });

  it.each([
    ['describe_table', 'orders please'],
    ['describe_table', { table: 7 }],
    ['search_tables', { text: ' ' }],
    ['search_values', null],
    ['drop_table', { table: 'orders' }],
  ])('tells the model what is wrong with %s %j', async (tool, args) => {
    const { text, tables } = await runResearchCall(call(tool, args), researchTools);
    expect(text).toMatch(/arguments|no tool|text|table/);
    expect(tables).toEqual([]);
  });

  it('shows no values where none may be shown, and no more than there is room for', async () => {
    const { findValues: _, ...rest } = researchTools;
    expect((await runResearchCall(call('search_values', { text: 'x' }), rest)).text).toContain(
      'may not be shown',
    );
    const wide = {
      ...researchTools,
      describeTable: () => ({ id: 't', text: authoredText('x'.repeat(10_000)) }),
    };
    expect((await runResearchCall(call('describe_table', { table: 't' }), wide)).text).toHaveLength(4_001);
  });
});

/** A researcher that makes `turns` of calls, then reflects as told. */
function researcher(turns: readonly (readonly ResearchCall[])[], reflections: readonly Reflection[]) {
  const views: ResearchView[] = [];
  let turn = 0;
  let reflection = 0;
  return {
    views,
    writer: {
      research: async (_: WriteQuestion, view: ResearchView) => {
        views.push(view);
        return turns[turn++] ?? [];
      },
      reflect: async () => reflections[Math.min(reflection++, reflections.length - 1)]!,
    },
  };
}

describe('research', () => {
  const describe_ = call('describe_table', { table: 'orders' });
  const enough = { isEnough: true, advice: 'use orders.city' };

  it('ends when the model has seen enough', async () => {
    const { writer, views } = researcher([[describe_], []], [enough]);
    expect(await research(question, broken, writer, researchTools)).toEqual({
      tables: ['shop.orders'],
      advice: 'use orders.city',
      calls: 1,
    });
    expect(views.map(({ callsLeft }) => callsLeft)).toEqual([8, 7]);
  });

  it('looks again with the advice, three times at most', async () => {
    const not = { isEnough: false, advice: 'look for the town' };
    const { writer, views } = researcher([[describe_], [], [], []], [not]);
    expect(await research(question, broken, writer, researchTools)).toMatchObject({ calls: 1 });
    expect(views.at(-1)?.broken.advice).toBe('look for the town');
    expect(views).toHaveLength(4);
  });

  it('runs eight calls however many are asked for', async () => {
    const endless = Array.from({ length: 50 }, () => [describe_, describe_, describe_]);
    const { writer } = researcher(endless, [{ isEnough: false, advice: '' }]);
    expect((await research(question, broken, writer, researchTools)).calls).toBe(8);
  });
});
