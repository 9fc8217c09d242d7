/** `candor eval broken`: queries are mended by rules and by a real service over HTTP that says what the test tells it to. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fix } from '../../../src/answering/index.ts';
import { connect } from '../../../src/database/index.ts';
import { makeNorthwind } from '../../../src/lab/corpus/case-databases.ts';
import { copyNorthwind } from '../../../src/lab/corpus/engine-databases.ts';
import { questionFile, resolvePlaces } from '../../../src/lab/corpus/index.ts';
import { GOLD_LIMITS } from '../../../src/lab/evaluation/comparators/run-query.ts';
import { judgeFix, readBrokenCases } from '../../../src/lab/suites/broken/run-broken.ts';
import { type ModelServer, startModelServer } from '../../models/model-server.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-eval-broken-'));
let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer(() => {
    // Whatever it is asked in turn: that enough was found, and the query.
    const found = { isEnough: true, advice: 'take one' };
    const written = {
      thinking: 'one',
      query: 'SELECT 1 AS one',
      sql: 'SELECT 1 AS one',
      because: 'profit is not kept',
    };
    const reply = { ...found, ...written };
    return { text: JSON.stringify(reply), usage: { prompt: 1_000, completion: 50 } };
  });
  writeFileSync(
    join(folder, 'candor.yml'),
    `database: sqlite:none.db\nmodel:\n  name: openai:scripted\n  url: ${server.url}\n`,
  );
  makeShop(join(folder, 'shop.sqlite'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const LYON = "SELECT COUNT(*) FROM customers WHERE city = 'Lyon'";
const fixOf = (more: Partial<Fix>): Fix => ({
  ...{ sql: 'SELECT COUNT(*) FROM customer', problems: [], changes: [], left: [], ok: true },
  ...more,
});

describe('the verdict of a query', () => {
  it.each<readonly [string, Fix, string | null, string]>([
    ['mended', fixOf({ repaired: LYON }), 'SELECT 3', 'right'],
    ['mended to other rows', fixOf({ repaired: LYON }), 'SELECT 4', 'wrong'],
    ['mended to what fails', fixOf({ repaired: 'SELECT paw FROM customers' }), 'SELECT 3', 'wrong'],
    ['left with an error', fixOf({ ok: false }), 'SELECT 3', 'told'],
    [
      'with an offer',
      fixOf({ ok: false, offers: [{ sql: LYON, means: 'customers' }] }),
      'SELECT 3',
      'offered',
    ],
    ['left that nothing mends', fixOf({ ok: false }), null, 'right'],
    ['mended that nothing mends', fixOf({ repaired: LYON }), null, 'forced'],
    ['whose gold fails', fixOf({ repaired: LYON }), 'SELECT 1 FROM gone', 'gold-failed'],
  ])('%s', async (_, fix, gold, verdict) => {
    const database = await connect(`sqlite:${join(folder, 'shop.sqlite')}`);
    const setting = { database, limits: GOLD_LIMITS, signal: new AbortController().signal };
    try {
      expect(
        (await judgeFix(fix, gold === null ? null : [gold, 'SELECT 1 FROM gone'], setting)).verdict,
      ).toBe(verdict);
    } finally {
      await database.close();
    }
  });
});

const CASES = [
  {
    ...{ id: 'name', engine: 'sqlite', query: LYON.replace('city', 'citty'), gold: [LYON] },
    error: 'no such column: citty',
  },
  {
    ...{ id: 'none', engine: 'sqlite', query: 'SELECT profit FROM orders', gold: null },
    error: 'no such column: profit',
  },
  { id: 'far', engine: 'postgres', query: 'SELECT 1', gold: ['SELECT 1'], error: 'x' },
].map((row) => ({ ...row, database: 'shop.sqlite', intent: 'a count' }));

function write(cases: readonly unknown[]): void {
  writeFileSync(join(folder, 'cases.jsonl'), cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

function evaluate(...argv: readonly string[]) {
  return runCandor(['eval', 'broken', 'cases.jsonl', ...argv], folder);
}

describe('a run', () => {
  it('by rules alone mends what is sure, and says which engines were left out', async () => {
    write(CASES);
    const { code, stdout, stderr } = await evaluate('--model', 'none');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain('2 right');
    expect(stdout).toContain('1 of postgres are left out: no server');
    expect(stdout).toMatch(/\nsqlite +2 +2 of 2\n/);
    expect(server.asked).toHaveLength(0);
  }, 60_000);

  it('with a model counts its calls, and a mend that is none as wrong', async () => {
    write(CASES);
    const asked = ['--model', 'openai:scripted', '--output', 'json'];
    const { code, stdout } = await evaluate(...asked, '--record', 'kept');
    expect(code).toBe(0);
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ suite: 'broken', cases: 2, leftOut: { postgres: 1 } });
    expect(summary.metrics).toMatchObject({ mended: 100, unmendableTold: 0, wrongMend: 50 });
    expect(summary.metrics.calls).toBeGreaterThan(0);
    const before = server.asked.length;
    expect(JSON.parse((await evaluate(...asked, '--replay', 'kept')).stdout).metrics).toEqual({
      ...summary.metrics,
      cost: 0,
    });
    expect(server.asked).toHaveLength(before);
  }, 60_000);
});

describe('a file of broken queries', () => {
  const [name] = CASES;
  it.each([
    ['an engine that there is not', { ...name, engine: 'oracle' }],
    ['a query without the words of the engine', { ...name, error: '' }],
    ['a SQLite file for another engine', { ...name, engine: 'duckdb' }],
  ])('with %s is refused', async (_, row) => {
    write([row]);
    expect((await evaluate()).stderr).toContain('eval.case-invalid');
  });

  it.each([
    ['that is not there', 'gone.jsonl', 'gone.jsonl: it cannot be read'],
    ['that is not JSON', 'text.jsonl', 'text.jsonl:1: the line is not JSON'],
  ])('%s is named, with what to do', async (_, file, said) => {
    writeFileSync(join(folder, 'text.jsonl'), 'nonsense\n');
    const { code, stderr } = await runCandor(['eval', 'broken', file], folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(stderr).toContain('→');
  });

  it('of our own is read', async () => {
    const cases = await readBrokenCases(questionFile('broken.jsonl'));
    expect(cases).toHaveLength(60);
    expect(new Set(cases.map(({ engine }) => engine)).size).toBe(4);
  });
});

it('has Northwind with the same rows on DuckDB', async ({ skip }) => {
  const { dataDirectory } = resolvePlaces({ dataDirectory: process.env.CANDOR_DATA });
  if (!existsSync(join(dataDirectory, 'demo', 'northwind.sqlite.sql'))) return skip('the data is not here');
  const source = await makeNorthwind({ dataDirectory, cacheDirectory: folder });
  const target = { engine: 'duckdb', server: undefined, cacheDirectory: folder } as const;
  const sums =
    'SELECT COUNT(*), SUM("Quantity"), ROUND(SUM("UnitPrice" * "Quantity" * (1 - "Discount")), 2) FROM "Order Details"';
  const found = [];
  for (const url of [`sqlite:${source}`, await copyNorthwind(source, target)]) {
    const database = await connect(url);
    found.push((await database.query(sums, GOLD_LIMITS)).rows[0]?.map(Number));
    await database.close();
  }
  expect(found).toEqual([
    [2_155, 51_317, 1_265_793.04],
    [2_155, 51_317, 1_265_793.04],
  ]);
}, 60_000);
