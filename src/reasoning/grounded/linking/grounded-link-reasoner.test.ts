import { beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../../../catalog/index.ts';
import { shareCatalog } from '../../../catalog/share/index.ts';
import { TokenLedger } from '../../../model/index.ts';
import type { LinkQuestion, RefineView, SchemaView, UncertainItem } from '../../roles/link-reasoner.ts';
import { groundedLinkReasoner } from './grounded-link-reasoner.ts';
import type { SchemaOpinion } from './schema-opinion.ts';

const column = (table: string, name: string) => ({
  id: `${table}.${name}`,
  tableId: table,
  name,
  type: 'TEXT',
  family: 'text' as const,
  isNullable: true,
});
const table = (id: string, names: readonly string[]) => ({
  id,
  name: id,
  kind: 'table' as const,
  columns: names.map((name) => column(id, name)),
  primaryKey: [],
  rowCount: 0,
});
const CATALOG: Catalog = {
  database: 'shop',
  dialect: 'sqlite',
  fingerprint: '',
  foreignKeys: [],
  tables: [table('orders', ['id', 'amount', 'colour']), table('shops', ['id', 'city'])],
};
const PROBABILITIES: Readonly<Record<string, number>> = {
  orders: 0.9,
  shops: 0.2,
  'orders.amount': 0.8,
  'orders.id': 0.3,
  'orders.colour': 0.001,
  'shops.city': 0.05,
};
const OPINION: SchemaOpinion = {
  tableProbability: (id) => PROBABILITIES[id] ?? 0,
  columnProbability: (id) => PROBABILITIES[id] ?? 0,
  columnPromise: (id) => PROBABILITIES[id] ?? 0,
  choose: ({ column: risk } = { table: 0.1, column: 0.1 }) => ({
    tables: new Set(['orders']),
    fields: new Set(risk > 0.3 ? ['orders.amount'] : ['orders.amount', 'orders.id', 'orders.colour']),
  }),
  tableOrder: ['orders', 'shops'],
  reasons: (id) =>
    id === 'orders.colour' ? [] : [{ kind: 'name', text: 'the question has the words of its name' }],
  firstOf: (id) => id,
  membersOf: (id) => [id],
};
const READING = 'SELECT shops.city FROM shops';

let question: LinkQuestion;
const view: SchemaView = {
  level: 'L1',
  tables: shareCatalog(CATALOG, 'all').tables.map((each) => ({
    table: each,
    columns: each.columns,
    notes: new Map(),
  })),
};
beforeAll(() => {
  question = { text: 'amount?', knowledge: [], ledger: new TokenLedger() };
});

const uncertain = (id: string): UncertainItem => ({
  id,
  kind: id.includes('.') ? 'field' : 'table',
  support: 1,
  paths: 2,
  credibility: 0.5,
  evidence: [],
  notes: [],
});
const refineView = (turn: number, ids: readonly string[], turns: RefineView['turns'] = []): RefineView => ({
  turn,
  turnsLeft: 8 - turn,
  hypotheses: [],
  required: [],
  uncertain: ids.map(uncertain),
  turns,
});

describe('groundedLinkReasoner', () => {
  it('has the ranking as its first hypothesis, and each reading that parses as another', async () => {
    const reasoner = groundedLinkReasoner(OPINION, [READING, 'SELECT ((', READING], CATALOG);
    const hypotheses = await reasoner.hypothesise(question, view, 4);
    expect(hypotheses.map(({ id }) => id)).toEqual(['h1', 'h2', 'h4']);
    expect(hypotheses[0]?.entities).toEqual(['orders']);
    expect(hypotheses[1]?.entities).toEqual(['shops']);
    expect(await reasoner.hypothesise(question, view, 1)).toHaveLength(1);
  });

  it('grounds a reading on its own items and the surest others', async () => {
    const reasoner = groundedLinkReasoner(OPINION, [READING], CATALOG);
    const [words, reading] = await reasoner.hypothesise(question, view, 4);
    const fieldsOf = async (hypothesis: typeof words) =>
      (await reasoner.selectFields(question, hypothesis!, view)).map(
        ({ table: of, column: name }) => `${of}.${name}`,
      );
    expect(await fieldsOf(words)).toEqual(['orders.id', 'orders.amount', 'orders.colour']);
    expect(await fieldsOf(reading)).toEqual(['orders.amount', 'shops.city']);
    expect((await reasoner.selectTables(question, reading!, view)).map(({ name }) => name)).toEqual([
      'orders',
      'shops',
    ]);
  });

  it('runs its readings first, then keeps what is likely or read and puts aside what nothing speaks for', async () => {
    const reasoner = groundedLinkReasoner(OPINION, [READING], CATALOG);
    await reasoner.hypothesise(question, view, 4);
    const items = ['orders.id', 'orders.colour', 'shops', 'shops.city'];
    const probes = await reasoner.refine(question, refineView(1, items));
    expect(probes).toEqual([
      { id: 'probe h2', tool: 'probe_sql', arguments: { sql: READING, purpose: 'does h2 give rows' } },
    ]);
    const result = (text: string) => [[{ call: probes[0]!, text }]];
    expect(await reasoner.refine(question, refineView(2, items, result('3 rows\ncity\nUlm')))).toEqual([
      { id: 'keep', tool: 'keep', arguments: { items: ['orders.id', 'shops', 'shops.city'] } },
      {
        id: 'discard',
        tool: 'discard',
        arguments: { items: ['orders.colour'], reason: [expect.stringContaining('neither its name')] },
      },
    ]);
    const [, discard] = await reasoner.refine(question, refineView(2, items, result('0 rows\ncity')));
    // Fields before their table: a table with a field that stays could not go.
    expect(discard?.arguments).toMatchObject({ items: ['orders.colour', 'shops.city', 'shops'] });
  });

  it('puts no more into one call than a call may decide', async () => {
    const reasoner = groundedLinkReasoner({ ...OPINION, reasons: () => [] }, [], CATALOG);
    await reasoner.hypothesise(question, view, 4);
    const many = Array.from({ length: 1_201 }, (_, at) => `orders.c${at}`);
    const calls = await reasoner.refine(question, refineView(1, many));
    const sizes = calls.map(({ id, arguments: given }) => [id, (given as { items: string[] }).items.length]);
    expect(sizes).toEqual([
      ['discard', 500],
      ['discard 2', 500],
      ['discard 3', 201],
    ]);
  });

  it.each([
    ['error: database.query-failed: no such function: x', true],
    ['error: the SQL is refused: it writes', true],
    ['error: database.timeout: 10 s were not enough', false],
    ['error: database.policy-invalid: the session has no :tenant', false],
    ['error: database.too-expensive: 4,000,000 rows', false],
    ['error: all 10 probes of this question are used', false],
    ['rows: not available, there is no database to ask', false],
  ])('holds against a reading what its SQL is to blame for: %s', async (text, isFailed) => {
    const reasoner = groundedLinkReasoner(OPINION, [READING], CATALOG);
    await reasoner.hypothesise(question, view, 4);
    const [call] = await reasoner.refine(question, refineView(1, ['shops']));
    const [decision] = await reasoner.refine(question, refineView(2, ['shops'], [[{ call: call!, text }]]));
    expect(decision?.tool).toBe(isFailed ? 'discard' : 'keep');
  });
});
