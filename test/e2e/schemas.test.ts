/** Questions over tables of several schemas, and names that an engine would fold. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, it } from 'vitest';
import { ask, runSql } from '../../src/answering/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-schemas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `public.orders` is no business of these questions; `"Order"` and `"Größe"` need their quotes. */
const setup = (home: string) => `
  CREATE SCHEMA sales; CREATE SCHEMA hr;
  CREATE TABLE ${home}.customers (id integer PRIMARY KEY, city varchar(20), "Größe" integer);
  CREATE TABLE sales.orders (id integer PRIMARY KEY, customer_id integer, amount integer);
  CREATE TABLE sales."Invoice" (id integer PRIMARY KEY, "Total" integer);
  CREATE TABLE hr.employees (id integer PRIMARY KEY, city varchar(20));
  INSERT INTO ${home}.customers VALUES (1, 'Lyon', 3), (2, 'Nice', 4);
  INSERT INTO sales.orders VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5);
  INSERT INTO sales."Invoice" VALUES (1, 100), (2, 50);
  INSERT INTO hr.employees VALUES (1, 'Lyon')`;

const CASES = [
  ['how many customers are in Lyon?', [[1]], /FROM customers\b/],
  ['what is the total amount of orders?', [[35]], /FROM sales\.orders\b/],
  [
    'total amount of orders per customer city',
    [
      ['Lyon', 30],
      ['Nice', 5],
    ],
    /sales\.orders/,
  ],
  ['how many invoices?', [[2]], /FROM sales\."?Invoice"?/],
  ['how many employees are in Lyon?', [[1]], /FROM hr\.employees\b/],
] as const;

async function checkSchemas(url: string): Promise<void> {
  const session = await openSession(await readConfig({ cwd: folder, database: url, env: {} }));
  for (const [question, rows, sql] of CASES) {
    const answer = await ask(question, session, { record: false });
    expect(answer, question).toMatchObject({ kind: 'answered', sql: expect.stringMatching(sql) });
    const got = answer.kind === 'answered' ? answer.rows : [];
    expect([...got].sort(), question).toEqual(rows);
  }
  // A bare name never reaches a table of another schema.
  expect(await runSql('SELECT * FROM orders', session)).toMatchObject({
    kind: 'reject',
    reason: 'permission',
    nearest: expect.arrayContaining(['sales.orders']),
  });
  expect(await runSql('SELECT SUM(amount) FROM sales.orders', session)).toMatchObject({ rows: [[35]] });
  await session.close();
}

it('work in DuckDB', async () => {
  const file = join(folder, 'shop.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(setup('main'));
  connection.closeSync();
  instance.closeSync();
  await checkSchemas(`duckdb:${file}`);
});

describeWithServer('postgres', 'schemas of PostgreSQL', () => {
  it('work', async () => {
    const database = await (await postgresServer()).createDatabase('schemas');
    await database.run(setup('public'));
    await database.run(
      'GRANT USAGE ON SCHEMA sales, hr TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA sales, hr TO PUBLIC',
    );
    await checkSchemas(database.url);
    await database.drop();
  });
});
