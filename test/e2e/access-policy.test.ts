/** Row filters and masks of the semantic model, as a person meets them: in answers, in SQL, in what is known. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, runSql } from '../../src/answering/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import type { SessionProperties } from '../../src/sql/rewrite/index.ts';
import { runCandor } from './cli/run-candor.ts';

/** Stand in rows of tenant 2 and in masked cells of tenant 1; neither may come out anywhere. */
const FOREIGN = ['Zagreb', 'Foreign GmbH', '777.5'];
const MASKED = ['ana@example.com', 'bob@example.com'];

const SEMANTICS = `
version: "0.2.0"
semantic_model:
  - name: shop
    datasets:
      - name: customers
        source: customers
        fields:
          - name: email
            expression: {dialects: [{dialect: ANSI_SQL, expression: email}]}
            custom_extensions:
              - vendor_name: CANDOR
                data: {mask: "SUBSTR(email, 1, 1) || '***'"}
        custom_extensions:
          - vendor_name: CANDOR
            data: {row_filter: "tenant = :tenant"}
      - name: orders
        source: orders
        custom_extensions:
          - vendor_name: CANDOR
            data: {row_filter: "customer_id IN (SELECT c.id FROM customers AS c WHERE c.tenant = :tenant)"}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-policy-'));
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant INTEGER, name TEXT, city TEXT, email TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount REAL);
    INSERT INTO customers VALUES (1, 1, 'Ana', 'Lyon', 'ana@example.com'), (2, 1, 'Bob', 'Nice', 'bob@example.com'),
      (3, 2, 'Foreign GmbH', 'Zagreb', 'eve@example.org');
    INSERT INTO orders VALUES (1, 1, 10), (2, 2, 20), (3, 3, 777.5), (4, 3, 777.5);
    CREATE VIEW all_orders AS SELECT * FROM orders;
    CREATE VIRTUAL TABLE found USING fts5(name, content='customers', content_rowid='id');
  `);
  database.close();
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics', 'shop.yml'), SEMANTICS);
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shop.db\nsession: { tenant: 1 }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withSession<T>(sessionProperties: SessionProperties, use: (session: Session) => Promise<T>) {
  const session = await openSession(await readConfig({ cwd: folder, env: {}, sessionProperties }));
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

describe('answers', () => {
  it.each([
    ['how many customers?', [[2]]],
    ['how many orders?', [[2]]],
    ['what is the total amount of orders?', [[30]]],
  ])('%s', (question, rows) =>
    withSession({}, async (session) => {
      expect(await ask(question, session, { record: false })).toMatchObject({ kind: 'answered', rows });
    }),
  );

  it('follow the tenant of the session', () =>
    withSession({ tenant: 2 }, async (session) => {
      const answer = await ask('what is the total amount of orders?', session, { record: false });
      expect(answer).toMatchObject({ kind: 'answered', rows: [[1555]] });
    }));

  it.each([
    'show all customers',
    'list the email of all customers',
    'how many customers are in Zagreb?',
    'customers per city',
    'what is the highest order amount?',
    'orders of Foreign GmbH',
    'which customers are called Foreign?',
  ])('never hold what is hidden: %s', (question) =>
    withSession({}, async (session) => {
      const answer = JSON.stringify({ ...(await ask(question, session, { record: false })), question: '' });
      // A refusal may repeat the words of the question, and nothing else.
      const named = FOREIGN.filter((text) => question.includes(text.split(' ')[0] ?? text));
      for (const text of [...FOREIGN, ...MASKED].filter((hidden) => !named.includes(hidden)))
        expect(answer).not.toContain(text);
      if (answer.includes('"kind":"answered"')) expect(answer).not.toMatch(/Foreign GmbH|777\.5/);
    }),
  );

  it('are refused where the session has no tenant', async () => {
    writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shop.db\n');
    try {
      await withSession({}, async (session) => {
        const answer = ask('how many customers?', session, { record: false });
        await expect(answer).rejects.toMatchObject({ code: 'database.policy-invalid' });
      });
    } finally {
      writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shop.db\nsession: { tenant: 1 }\n');
    }
  });
});

describe('SQL of a person', () => {
  it.each([
    [
      'SELECT name, email FROM customers ORDER BY id',
      [
        ['Ana', 'a***'],
        ['Bob', 'b***'],
      ],
    ],
    ["SELECT COUNT(*) FROM customers WHERE email LIKE 'ana@%'", [[0]]],
    ['WITH c AS (SELECT * FROM orders) SELECT SUM(amount) FROM c', [[30]]],
    ['SELECT id FROM orders UNION SELECT id FROM customers ORDER BY 1', [[1], [2]]],
    ['SELECT :tenant = 2', undefined],
  ])('%s', (sql, rows) =>
    withSession({}, async (session) => {
      const outcome = await runSql(sql, session);
      if (rows === undefined) expect(outcome).toMatchObject({ kind: 'reject', reason: 'unsafe' });
      else expect(outcome).toMatchObject({ kind: 'answered', rows });
    }),
  );

  it.each(['all_orders', 'found'])('may not read %s, behind which a filtered table stands', (table) =>
    withSession({}, async (session) => {
      expect(await runSql(`SELECT * FROM ${table}`, session)).toMatchObject({
        kind: 'reject',
        reason: 'permission',
      });
    }),
  );

  it('is told of the tables that the policy refuses by `candor doctor`', async () => {
    await withSession({}, async () => {});
    const { stdout } = await runCandor(['doctor', '--output', 'json'], folder);
    expect(JSON.parse(stdout).findings).toContainEqual({
      ...{ name: 'access policy', status: 'ok', next: expect.stringContaining('trusted_view: true') },
      detail: '2 row filters, 1 masks; refused, since they may show rows of other tables: all_orders, found',
    });
  });

  it('takes the tenant from the command line', async () => {
    const { code, stdout, stderr } = await runCandor(
      ['sql', '--property', 'tenant=2', '--output', 'csv', 'SELECT name FROM customers'],
      folder,
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'name\r\nForeign GmbH\r\n', stderr: '' });
  });
});

it('what is known of hidden values stays in the derived files, not in the session', () =>
  withSession({}, async (session) => {
    const known = JSON.stringify([session.catalog, [...session.values.columns().values()]]);
    for (const text of [...FOREIGN, ...MASKED]) {
      const found = [...session.values.lookup(text), ...session.values.similar(text, { limit: 1_000 })];
      expect(known + JSON.stringify(found)).not.toContain(text);
    }
    expect(readFileSync(join(folder, 'candor.yml'), 'utf8')).toContain('tenant: 1');
  }));
