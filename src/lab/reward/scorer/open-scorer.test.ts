import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeShop } from '../../../../test/e2e/cli/make-shop.ts';
import { type Catalog, outlineCatalog } from '../../../catalog/index.ts';
import { connect, type Database, guarded } from '../../../database/index.ts';
import { type EmbeddingModel, openEmbeddingModel } from '../../../model/index.ts';
import type { RewardOptions } from '../formula/compute-reward.ts';
import { openScorer, type Scorer } from './open-scorer.ts';
import type { ScoreItem, VirtualTable } from './virtual-schema.ts';

const LIMITS = { rows: 100, bytes: 1_000_000, timeoutMs: 1_000 };
const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'candor-scorer-'));
const file = join(folder, 'shop.db');
let database: Database;
let catalog: Catalog;
let embedding: EmbeddingModel;
beforeAll(async () => {
  makeShop(file);
  const engine = await connect(`sqlite:${file}`, { baseDirectory: folder });
  catalog = await outlineCatalog(engine);
  database = guarded(engine, { kind: 'caller-queries', catalog });
  embedding = await openEmbeddingModel({ embedding: 'hashed' });
});
afterAll(async () => {
  await database.close();
  await embedding.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (options: RewardOptions = {}): Scorer =>
  openScorer({ databases: [database], schema: catalog, limits: LIMITS, embedding, ...options });
const say = (answer: string) => `<think>because</think><answer>${answer}</answer>`;

const GOLD = 'SELECT city, COUNT(*) AS customers FROM customers GROUP BY city';
const ITEM: Omit<ScoreItem, 'output'> = {
  category: 'standard',
  goldKind: 'sql',
  gold: GOLD,
  lengthTokens: 40,
};

const CASES: readonly (readonly [
  answer: string,
  grammar: number,
  isEqual: boolean | undefined,
  error: string | undefined,
])[] = [
  [GOLD, 1, true, undefined],
  ['SELECT COUNT(id) AS n, city AS town FROM customers GROUP BY 2', 1, true, undefined],
  ['SELECT city, COUNT(*) AS customers FROM customers GROUP BY city ORDER BY 2', 1, true, undefined],
  ["SELECT city, COUNT(*) FROM customers WHERE city <> 'Nice' GROUP BY city", 1, false, undefined],
  ['SELECT town FROM customers', 0, undefined, 'database.not-visible'],
  ['SELECT city FROM clients', 0, undefined, 'database.not-visible'],
  ['SELECT city, SUM(COUNT(*)) FROM customers', 0, undefined, 'database.query-failed'],
  // It is planned, and fails on the way.
  ['SELECT ABS(-9223372036854775807 - id) FROM customers', 1, undefined, 'database.query-failed'],
  ['SELECT a.id FROM orders a, orders b', 1, undefined, 'reward.result-cut'],
  [
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n',
    1,
    undefined,
    'database.timeout',
  ],
];

describe('answers in SQL', () => {
  it.each(CASES)('%s', async (answer, grammar, isEqual, error) => {
    const score = await open().score({ ...ITEM, output: say(answer) }, signal);
    expect(score).toMatchObject({ format: 1, grammar, length: 0 });
    expect(score.detail.isEqual).toBe(isEqual);
    expect(score.detail.answerError?.code).toBe(error);
    expect(score.accuracy === 1).toBe(isEqual === true);
    if (isEqual !== true) expect(score.accuracy).toBeLessThan(0.9);
  });

  it('in order only where the question asks for it and the gold has it', async () => {
    const scorer = open();
    const ordered = `${GOLD} ORDER BY customers DESC`;
    const turned = say(`${GOLD} ORDER BY customers`);
    const score = (gold: string, orderMatters: boolean) =>
      scorer.score({ ...ITEM, gold, orderMatters, output: turned }, signal);
    expect((await score(ordered, true)).detail.isEqual).toBe(false);
    expect((await score(ordered, false)).detail.isEqual).toBe(true);
    expect((await score(GOLD, true)).detail.isEqual).toBe(true);
  });

  it('a gold that fails is told, and structure is all there is to earn', async () => {
    const { accuracy, detail } = await open().score(
      { ...ITEM, gold: 'SELECT town FROM customers', output: say('SELECT town FROM customers') },
      signal,
    );
    expect(detail).toMatchObject({ goldError: { code: 'database.not-visible' }, tree: 1 });
    expect(accuracy).toBe(0.5);
  });

  it('runs a gold once for all outputs, and again when the file has changed', async () => {
    const asked: string[] = [];
    const spied: Database = {
      ...database,
      query: (sql, ...rest) => {
        asked.push(sql);
        return database.query(sql, ...rest);
      },
    };
    const scorer = openScorer({ databases: [spied], schema: catalog, limits: LIMITS, embedding });
    const output = say('SELECT COUNT(*) FROM customers');
    await scorer.refresh();
    await Promise.all([1, 2, 3].map((id) => scorer.score({ ...ITEM, id, output }, signal)));
    expect(asked.filter((sql) => sql === GOLD)).toHaveLength(1);
    const writer = new DatabaseSync(file);
    writer.exec("INSERT INTO customers VALUES (99, 'Customer 99', 'Brest')");
    await scorer.refresh();
    const { detail } = await scorer.score({ ...ITEM, output: say(GOLD) }, signal);
    writer.exec('DELETE FROM customers WHERE id = 99');
    writer.close();
    expect(detail.isEqual).toBe(true);
    expect(asked.filter((sql) => sql === GOLD)).toHaveLength(2);
  });

  it('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const slow = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n';
    const scored = open().score({ ...ITEM, output: say(slow) }, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await expect(scored).rejects.toMatchObject({ code: 'database.cancelled' });
  });
});

describe('answers in words', () => {
  const WORDS = { category: 'ambiguity', goldKind: 'nl', gold: 'Which period do you mean?' } as const;
  it.each([
    ['Which period do you mean?', 1, 1],
    // Two of the five words differ.
    ['Which month do they mean?', 1, 0],
    ['SELECT COUNT(*) FROM customers', 0, 0],
  ])('%s', async (answer, grammar, accuracy) => {
    const score = await open().score({ ...WORDS, output: say(answer) }, signal);
    expect(score).toMatchObject({ grammar, accuracy });
  });

  it('SQL earns grammar with codeCompat, if it can be planned', async () => {
    const scorer = open({ codeCompat: true });
    const grammarOf = async (answer: string) =>
      (await scorer.score({ ...WORDS, output: say(answer) }, signal)).grammar;
    expect(await grammarOf('SELECT COUNT(*) FROM customers')).toBe(1);
    expect(await grammarOf('SELECT COUNT(*) FROM clients')).toBe(0);
    expect(await grammarOf('I cannot select that')).toBe(0);
  });

  it('estimates a length that is not given, and says so', async () => {
    const given = await open().score({ ...WORDS, output: say('x'), lengthTokens: 2048 }, signal);
    const estimated = await open().score({ ...WORDS, output: say('x'.repeat(8_000)) }, signal);
    expect(given).toMatchObject({ length: -1, detail: { tokens: 2048 } });
    expect(given.detail.areTokensEstimated).toBeUndefined();
    expect(estimated).toMatchObject({ detail: { tokens: 2009, areTokensEstimated: true } });
  });
});

describe('degenerate schemas', () => {
  const gold = 'SELECT city, SUM(amount) FROM orders GROUP BY city';
  const DEGENERATE: Omit<ScoreItem, 'output'> = { ...ITEM, category: 'degenerate', gold };
  const TABLE: VirtualTable = { name: 'orders', columns: ['id', 'amount', 'city'] };
  const VIEW = 'SELECT o.id, o.amount, c.city FROM orders o JOIN customers c ON c.id = o.customer_id';
  const score = (answer: string, virtualTables?: readonly VirtualTable[]) =>
    open().score({ ...DEGENERATE, output: say(answer), ...(virtualTables && { virtualTables }) }, signal);

  it.each<readonly [string, number, number]>([
    [gold, 1, 1],
    ['SELECT city, SUM(amount) FROM orders GROUP BY 1', 1, 1],
    // sel, sel, from, grp ‖ sel, sel, from.
    ['SELECT city, SUM(amount) FROM orders', 1, 6 / 7],
    ['SELECT town, SUM(amount) FROM orders GROUP BY town', 0, 0.5],
  ])('by names and structure: %s', async (answer, grammar, accuracy) => {
    for (const tables of [undefined, [TABLE]]) {
      const scored = await score(answer, tables);
      expect(scored).toMatchObject({ grammar, detail: { isByNames: true } });
      expect(scored.accuracy).toBeCloseTo(accuracy, 9);
    }
  });

  it('a column that is real and not in the schema of the question is unknown', async () => {
    expect(await score('SELECT ordered_on FROM orders', [TABLE])).toMatchObject({ grammar: 0 });
  });

  it('by results where the virtual table says what it is made of', async () => {
    const tables = [{ ...TABLE, sql: VIEW }];
    const right = await score('SELECT SUM(orders.amount) AS x, city FROM orders GROUP BY 2', tables);
    expect(right).toMatchObject({ grammar: 1, accuracy: 1, detail: { isEqual: true } });
    const wrong = await score('SELECT city, MAX(amount) FROM orders GROUP BY city', tables);
    expect(wrong).toMatchObject({ grammar: 1, detail: { isEqual: false } });
    const unknown = await score('SELECT ordered_on FROM orders', tables);
    expect(unknown).toMatchObject({ grammar: 0, detail: { answerError: { code: 'reward.unknown-name' } } });
    expect(unknown.accuracy).toBeLessThanOrEqual(0.5);
  });

  it('by results where the database has the view', async () => {
    const path = join(folder, 'merged.db');
    makeShop(path);
    const writer = new DatabaseSync(path);
    writer.exec(`CREATE VIEW merged AS ${VIEW}`);
    writer.close();
    const engine = await connect(`sqlite:${path}`, { baseDirectory: folder });
    const schema = await outlineCatalog(engine);
    const merged = guarded(engine, { kind: 'caller-queries', catalog: schema });
    const scorer = openScorer({ databases: [merged], schema, limits: LIMITS, embedding });
    const text = gold.replace('orders', 'merged');
    const output = say('SELECT SUM(amount), city FROM merged GROUP BY city');
    for (const virtualTables of [undefined, [{ ...TABLE, name: 'Merged' }]]) {
      const item = { ...DEGENERATE, gold: text, output, ...(virtualTables && { virtualTables }) };
      expect(await scorer.score(item, signal)).toMatchObject({ accuracy: 1, detail: { isEqual: true } });
    }
    await merged.close();
  });

  it('is turned round with codeCompat', async () => {
    const scorer = open({ codeCompat: true });
    const scored = await scorer.score({ ...DEGENERATE, output: say(gold) }, signal);
    expect(scored).toMatchObject({ grammar: 1, accuracy: 1 });
    const planned = await scorer.score(
      { ...DEGENERATE, output: say('SELECT SUM(amount) FROM orders') },
      signal,
    );
    expect(planned).toMatchObject({ grammar: 0 });
  });
});
