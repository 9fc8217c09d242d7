import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shopCatalog } from '../../../test/fixtures/usage/shop-catalog.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { StateFile } from '../../store/index.ts';
import { readUsage, type UsageOptions } from './read-usage.ts';
import { ingestLogs } from './state/ingest-logs.ts';
import { openUsageFile } from './state/usage-file.ts';

interface Run {
  readonly sql: string;
  readonly user?: string;
  readonly at?: string;
  readonly runs?: number;
  readonly file?: string;
}

let folder = '';
let file: StateFile;
let logs = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-usage-'));
  file = await openUsageFile(join(folder, 'usage.sqlite'));
});
afterEach(async () => {
  file.close();
  await rm(folder, { recursive: true, force: true });
});

async function usageOf(
  runs: readonly Run[],
  options: Partial<UsageOptions> = {},
  catalog: Catalog = shopCatalog('postgres'),
) {
  logs += 1;
  const path = join(folder, `log-${logs}.jsonl`);
  writeFileSync(
    path,
    runs.map((run) => `${JSON.stringify({ user: 'anna', at: '2024-05-06', ...run })}\n`).join(''),
  );
  await ingestLogs(file, [path], { catalog });
  return readUsage(file, { asOf: '2024-05-31', ...options });
}

const ORDERS = 'SELECT id FROM orders';
const CITIES = 'SELECT c.city FROM orders o JOIN customers c ON c.id = o.customer_id';

describe('readUsage', () => {
  it('weighs users and runs of tables and columns', async () => {
    const { tables, columns, from, to } = await usageOf([
      { sql: ORDERS, runs: 4 },
      { sql: ORDERS, user: 'ben', at: '2024-05-07' },
      { sql: CITIES, runs: 2 },
    ]);
    expect([from, to]).toEqual(['2024-03-03', '2024-05-31']);
    // log1p(2 users) + 0.3 · log1p(7 runs) = 1.0986 + 0.3 · 2.0794 = 1.7224
    expect(tables[0]).toEqual({
      tableId: 'orders',
      runs: 7,
      users: 2,
      popularity: expect.closeTo(1.7224, 4),
      lastAt: '2024-05-07',
    });
    // log1p(1) + 0.3 · log1p(2) = 0.6931 + 0.3 · 1.0986 = 1.0227
    expect(tables[1]).toEqual({
      tableId: 'customers',
      runs: 2,
      users: 1,
      popularity: expect.closeTo(1.0227, 4),
      lastAt: '2024-05-06',
    });
    expect(columns.map(({ columnId, runs, users }) => [columnId, runs, users])).toEqual([
      ['orders.id', 5, 2],
      ['customers.city', 2, 1],
      ['customers.id', 2, 1],
      ['orders.customer_id', 2, 1],
    ]);
  });

  it('gives joins, tables that stand together, and who reads what', async () => {
    const { joins, coQueried, accesses } = await usageOf([
      { sql: CITIES, runs: 2 },
      { sql: 'SELECT 1 FROM customers, orders WHERE customer_id = customers.id AND amount > 3', user: 'ben' },
      { sql: 'SELECT 1 FROM products, orders', user: 'ben' },
    ]);
    expect(joins).toEqual([
      {
        leftTable: 'customers',
        rightTable: 'orders',
        on: [['customers.id', 'orders.customer_id']],
        runs: 3,
        users: 2,
      },
    ]);
    expect(coQueried).toEqual([
      { leftTable: 'customers', rightTable: 'orders', runs: 3 },
      { leftTable: 'orders', rightTable: 'products', runs: 1 },
    ]);
    expect([...accesses]).toEqual([
      { user: 'anna', tableId: 'customers', runs: 2 },
      { user: 'anna', tableId: 'orders', runs: 2 },
      { user: 'ben', tableId: 'customers', runs: 1 },
      { user: 'ben', tableId: 'orders', runs: 2 },
      { user: 'ben', tableId: 'products', runs: 1 },
    ]);
  });

  it('looks at the days of the window only', async () => {
    const runs = ['2024-03-02', '2024-03-03', '2024-05-31', '2024-06-01'].map((at) => ({ sql: ORDERS, at }));
    expect((await usageOf(runs)).tables[0]?.runs).toBe(2);
    expect(readUsage(file, { asOf: '2024-06-01', days: 1 }).tables[0]?.runs).toBe(1);
    expect(readUsage(file, { asOf: '2020-01-01' }).tables).toEqual([]);
  });

  it('leaves programs out and says so', async () => {
    const base = shopCatalog('postgres');
    const [orders] = base.tables.filter(({ id }) => id === 'orders');
    const many = Array.from({ length: 201 }, (_, n) => ({
      ...orders!,
      id: `t${n}`,
      name: `t${n}`,
      columns: [],
    }));
    const catalog = { ...base, tables: [...base.tables, ...many] };
    const sweep = (user: string, tables: number, perDay: number): Run[] =>
      Array.from({ length: tables }, (_, n) => ({
        sql: `SELECT * FROM t${n}`,
        user,
        at: `2024-05-${String(1 + Math.floor(n / perDay)).padStart(2, '0')}`,
      }));
    const usage = await usageOf(
      [
        ...sweep('backup', 201, 201),
        ...sweep('slow', 201, 100),
        { sql: ORDERS, user: 'etl' },
        { sql: ORDERS },
      ],
      { serviceAccounts: ['etl'] },
      catalog,
    );
    expect(usage.serviceAccounts).toEqual([
      { user: 'etl', because: 'named as a service account' },
      { user: 'backup', because: 'read 201 tables on one day, more than 200' },
    ]);
    expect(usage.tables.find(({ tableId }) => tableId === 'orders')?.runs).toBe(1);
    expect(new Set([...usage.accesses].map(({ user }) => user))).toEqual(new Set(['anna', 'slow']));
    expect(usage.examples).toEqual([]);
  });
});

describe('candidates for examples', () => {
  const EXAMPLES: readonly (readonly [what: string, runs: readonly Run[], count: number])[] = [
    ['ran three times', [{ sql: ORDERS, runs: 3 }], 1],
    ['ran twice', [{ sql: ORDERS, runs: 2 }], 0],
    [
      'ran in other words',
      [
        { sql: ORDERS, runs: 2 },
        { sql: 'select o.id from orders as o', user: 'ben' },
      ],
      1,
    ],
    ['last ran 18 months ago', [{ sql: ORDERS, runs: 9, at: '2022-12-01' }], 1],
    ['last ran before that', [{ sql: ORDERS, runs: 9, at: '2022-11-01' }], 0],
    ['reads a test table', [{ sql: 'SELECT amount FROM test_orders', runs: 9 }], 0],
    ['stands in a scratch file', [{ sql: ORDERS, runs: 9, file: 'my/scratch.sql' }], 0],
    ['stands in a file with test inside a word', [{ sql: ORDERS, runs: 9, file: 'latest_contest.sql' }], 1],
    ['names what is not there', [{ sql: 'SELECT nothing FROM orders', runs: 9 }], 0],
    ['writes what it reads', [{ sql: 'INSERT INTO orders SELECT * FROM orders', runs: 9 }], 0],
  ];

  it.each(EXAMPLES)('a statement that %s', async (_, runs, count) => {
    expect((await usageOf(runs)).examples).toHaveLength(count);
  });

  it('say who ran them most, and keep the newest words', async () => {
    const { examples } = await usageOf([
      { sql: ORDERS, runs: 2, at: '2024-05-01' },
      { sql: 'SELECT orders.id FROM orders', user: 'ben', runs: 5, at: '2024-05-03' },
      { sql: CITIES, runs: 3 },
    ]);
    expect(examples).toEqual([
      {
        ...{
          key: expect.any(String),
          sql: 'SELECT orders.id FROM orders',
          tables: ['orders'],
          runs: 7,
          users: 2,
        },
        ...{ author: 'ben', firstAt: '2024-05-01', lastAt: '2024-05-03' },
      },
      expect.objectContaining({ sql: CITIES, tables: ['customers', 'orders'], runs: 3, author: 'anna' }),
    ]);
  });

  it('pass in any case when they are certified', async () => {
    await usageOf([{ sql: 'SELECT amount FROM test_orders', runs: 1, at: '2020-01-01' }]);
    const key = String(file.prepare('SELECT key FROM statements').get()?.key);
    const { examples } = readUsage(file, { asOf: '2024-05-31', certified: new Set([key]) });
    expect(examples).toMatchObject([{ key, runs: 1, author: 'anna', firstAt: '2020-01-01' }]);
  });
});

describe('the order of a log', () => {
  it('does not change what is counted', async () => {
    const run = fc.record({
      sql: fc.integer({ min: 0, max: 30 }).map((n) => `SELECT id FROM orders WHERE amount = ${n}`),
      user: fc.constantFrom('anna', 'ben', 'eve'),
      at: fc.integer({ min: 1, max: 28 }).map((day) => `2024-05-${String(day).padStart(2, '0')}`),
      runs: fc.integer({ min: 1, max: 5 }),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 80 }), async (runs) => {
        const totals: unknown[] = [];
        for (const order of [runs, runs.toReversed()]) {
          round += 1;
          file.close();
          file = await openUsageFile(join(folder, `usage-${round}.sqlite`));
          const { examples, ...usage } = await usageOf(order);
          totals.push([usage, examples.map(({ sql: _, ...example }) => example)]);
        }
        expect(totals[1]).toEqual(totals[0]);
      }),
      { numRuns: 15 },
    );
  });
});
