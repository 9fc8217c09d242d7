import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeShop } from '../../../test/e2e/cli/make-shop.ts';
import { keepSpans, type SpansInMemory } from '../../../test/fixtures/spans-in-memory.ts';
import { CandorError } from '../../errors.ts';
import { inSpan } from '../../tracing/index.ts';
import { connect, type Database, tracedDatabase } from '../index.ts';

const LIMITS = { rows: 10, bytes: 10_000, timeoutMs: 10_000 };

let kept: SpansInMemory;
let database: Database;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-traced-'));
  makeShop(join(folder, 'shop.db'));
  database = await connect('sqlite:shop.db', { baseDirectory: folder });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  kept = keepSpans();
});
afterEach(() => kept.stop());

const below = <T>(work: () => Promise<T>) => inSpan('question', {}, work);
const query = (sql: string, on = tracedDatabase(database)) => below(() => on.query(sql, LIMITS));

describe('the span of a statement', () => {
  it.each([
    ['SELECT 42 AS secret', 'SELECT', 1],
    ['  with a as (select 42 as secret) select * from a', 'SELECT', 1],
    ['SELECT 42 AS secret UNION ALL SELECT 43', 'SELECT', 2],
    ['VALUES (42), (43), (44)', 'VALUES', 3],
  ])(
    'of %s says what is done and how many rows come, and nothing of what is in it',
    async (sql, operation, rows) => {
      await query(sql);
      const [span] = kept.spans();
      expect(span).toMatchObject({ name: `${operation} ${database.name}`, below: 'question' });
      expect(span?.attributes).toEqual({
        'db.system.name': 'sqlite',
        'db.namespace': database.name,
        'db.operation.name': operation,
        'db.response.returned_rows': rows,
      });
      expect(JSON.stringify(kept.spans())).not.toMatch(/42|secret/);
    },
  );

  it('has the text where it is wanted', async () => {
    await query('SELECT 42', tracedDatabase(database, { hasContent: true }));
    expect(kept.spans()[0]?.attributes).toMatchObject({ 'db.query.text': 'SELECT 42' });
  });

  it('is there for a plan too', async () => {
    await below(() => tracedDatabase(database).explain('SELECT 42'));
    expect(kept.spans()[0]?.attributes).toMatchObject({ 'db.operation.name': 'EXPLAIN' });
  });

  it('of a failure has the code, not the words of the engine', async () => {
    const failed = query("SELECT * FROM nowhere WHERE a = 'secret'");
    await expect(failed).rejects.toBeInstanceOf(CandorError);
    expect(kept.spans()[0]).toMatchObject({
      attributes: { 'error.type': 'database.query-failed' },
      status: { code: 2, message: 'database.query-failed' },
    });
    expect(JSON.stringify(kept.spans())).not.toMatch(/secret|nowhere/);
  });

  it('is not there outside of a question', async () => {
    await tracedDatabase(database).query('SELECT 42', LIMITS);
    expect(kept.spans()).toEqual([]);
  });
});

it.each([
  ['postgres', 'postgres://reader@db.example:5433/shop', 'postgresql', 5433],
  ['bigquery', 'bigquery://project/shop', 'gcp.bigquery', undefined],
  ['mysql', 'mysql://db.example/shop', 'mysql', undefined],
] as const)('names the system and the server of %s', async (dialect, url, system, port) => {
  await query(
    'SELECT 1',
    tracedDatabase({ ...database, dialect, url, name: 'shop', query: database.query.bind(database) }),
  );
  const { attributes } = kept.spans()[0] ?? {};
  expect(attributes).toMatchObject({ 'db.system.name': system, 'db.namespace': 'shop' });
  expect(attributes?.['server.port']).toBe(port);
  expect(attributes?.['server.address']).toBe(new URL(url).hostname);
});
