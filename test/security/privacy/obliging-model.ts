/** A model that goes through every role and asks for all that it could be told. */
import type { ChatRequest, ToolCall } from '../../../src/model/index.ts';
import { type ScriptedModel, scriptedModel } from '../../models/scripted-model.ts';

const written = (query: string): string =>
  JSON.stringify({ query, explanation: 'as asked', assumptions: [], tables: [], columns: [] });

const call = (name: string, given: unknown, at: number): ToolCall => ({
  id: `${name}-${at}`,
  name,
  arguments: JSON.stringify(given),
});

const REFINE_CALLS: readonly (readonly ToolCall[])[] = [
  [
    call('list_tables', {}, 0),
    call('list_columns', { table: 'clients', level: 'L2' }, 1),
    call(
      'get_field_stats',
      { fields: ['clients.city', 'clients.balance', 'visits.remark', 'clients.joined'] },
      2,
    ),
    call('probe_sql', { sql: 'SELECT * FROM clients', purpose: 'to see' }, 3),
    call('probe_sql', { sql: 'SELECT CAST(name AS INTEGER) FROM clients', purpose: 'to see' }, 4),
  ],
  [call('keep', { items: ['clients.city'], reason: 'it is asked for' }, 5)],
];

const RESEARCH_CALLS: readonly ToolCall[] = [
  call('search_tables', { text: 'clients' }, 0),
  call('describe_table', { table: 'visits' }, 1),
  call('search_values', { text: 'qarvolin' }, 2),
];

/** Drawn in turn: one with wrong names, one that fails on a cell, one that finds nothing. */
const DRAFTS = [
  written("SELECT shoesize, birthstone FROM clients WHERE birthstone = 'qarvolin'"),
  written('SELECT CAST(name AS INTEGER) FROM clients'),
  written("SELECT name FROM clients WHERE city = 'qarvolin zy4'"),
];

const TEXTS: Readonly<Record<string, (request: ChatRequest) => string>> = {
  validate: () => '{"validity": "ok", "language": "en"}',
  keywords: () => '{"keywords": ["clients", "qarvolin", "city"]}',
  'read together': () =>
    JSON.stringify({
      readings: [
        { plan: 'by city', tables: [{ name: 'clients', columns: ['city'] }] },
        {
          plan: 'by name',
          tables: [{ name: 'clients', columns: ['name', 'code', 'joined', 'balance'] }],
          unseen: ['clients', 'visits'],
        },
      ],
    }),
  hypothesise: () =>
    JSON.stringify({
      hypotheses: ['by city', 'by name'].map((summary, at) => ({
        summary,
        entities: at === 0 ? ['clients'] : ['clients', 'visits'],
      })),
    }),
  'select tables': (request) =>
    JSON.stringify({
      tables: (isFirstReading(request) ? ['clients'] : ['clients', 'visits']).map((name) => ({ name })),
    }),
  'select fields': (request) =>
    JSON.stringify({
      fields: (isFirstReading(request) ? ['city'] : ['name', 'code', 'joined', 'balance']).map((column) => ({
        table: 'clients',
        column,
      })),
    }),
  'rank tables': () => '{"tables": [{"name": "clients", "score": 9}, {"name": "visits", "score": 5}]}',
  'rank columns': () => '{"relevant": [{"table": "clients", "column": "city"}]}',
  fix: () => written('SELECT name FROM clients WHERE no_such_column = 1'),
  revise: () => written('SELECT CAST(city AS DATE) FROM clients'),
  reflect: () => '{"isEnough": true, "advice": "use clients.city"}',
  'write tests': () => '{"tests": [{"test": "it names clients"}]}',
  'judge tests': () => '{"candidates": [{"candidate": 1, "passed": [1]}]}',
};

function isFirstReading({ messages }: ChatRequest): boolean {
  return messages.some(({ content }) => content.includes('\nby city\n'));
}

/** `contextWindow` is so small that the whole schema never fits: the model has to link. */
export function obligingModel(): ScriptedModel {
  const turns = new Map<string, number>();
  const model = scriptedModel((request) => {
    const { role = '' } = request;
    const turn = turns.get(role) ?? 0;
    turns.set(role, turn + 1);
    if (role === 'refine' || request.tools?.some(({ name }) => name === 'probe_sql')) {
      const asked = request.messages.filter((message) => message.role === 'assistant').length;
      return { toolCalls: REFINE_CALLS[asked] ?? [] };
    }
    if (role === 'research') {
      const asked = request.messages.some((message) => message.role === 'assistant');
      return { toolCalls: asked ? [] : RESEARCH_CALLS };
    }
    if (role === 'write') return DRAFTS[turn % DRAFTS.length];
    return TEXTS[role]?.(request);
  });
  return { ...model, contextWindow: 50 };
}
