/** Linking as a person meets it whose project hides rows, columns and views. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { renderSchema } from '../../catalog/prompt-schema/index.ts';
import { readConfig } from '../../config/index.ts';
import { openKnowledgeBase } from '../../knowledge/base/knowledge-base.ts';
import { LINK_DEFAULTS, type LinkSettings } from '../../linking/index.ts';
import { openSession } from '../../session/project/open-session.ts';
import type { SessionProperties } from '../../sql/rewrite/index.ts';
import { type LinkedQuestion, type LinkQuestionOptions, linkQuestion, openLinking } from './link-question.ts';

/** Stand in rows of tenant 2 and in masked cells of tenant 1. */
const HIDDEN = ['Zagreb', 'Foreign GmbH', '777.5', 'ana@example.com', 'bob@example.com'];

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
  folder = mkdtempSync(join(tmpdir(), 'candor-link-'));
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, tenant INTEGER, name TEXT, city TEXT, email TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount REAL);
    CREATE TABLE products (id INTEGER PRIMARY KEY, colour TEXT);
    INSERT INTO customers VALUES (1, 1, 'Ana', 'Lyon', 'ana@example.com'), (2, 1, 'Bob', 'Nice', 'bob@example.com'),
      (3, 2, 'Foreign GmbH', 'Zagreb', 'eve@example.org');
    INSERT INTO orders VALUES (1, 1, 10), (2, 2, 20), (3, 3, 777.5), (4, 3, 777.5);
    INSERT INTO products VALUES (1, 'red'), (2, 'blue');
    CREATE VIEW all_orders AS SELECT * FROM orders;
  `);
  database.close();
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics', 'shop.yml'), SEMANTICS);
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shop.db\nsearch: { embedding: none }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function link(
  text: string,
  sessionProperties: SessionProperties,
  options: LinkQuestionOptions = {},
): Promise<LinkedQuestion> {
  const config = await readConfig({ cwd: folder, env: {}, sessionProperties });
  const session = await openSession(config);
  try {
    const base = await openKnowledgeBase(config, session, { now: session.clock(), useVectors: false });
    try {
      return await linkQuestion(text, await openLinking(session, base), options);
    } finally {
      await base.close();
    }
  } finally {
    await session.close();
  }
}

describe('what the policy hides', () => {
  const statistics = {
    ...LINK_DEFAULTS.evilink,
    tableLevel: 'L3',
    fieldLevel: 'L3',
    refineLevel: 'L3',
  } as const;
  const ways: readonly (readonly [name: string, settings: Partial<LinkSettings>])[] = [
    ['full', { mode: 'full' }],
    ['filter', { mode: 'filter' }],
    ['filter by retrieval', { mode: 'filter', filterBy: 'retrieval' }],
    ['evilink', { mode: 'evilink' }],
    ['evilink with statistics', { mode: 'evilink', evilink: statistics }],
    ['rankers', { mode: 'rankers' }],
  ];
  it.each(ways)('stands nowhere in what linking says: %s', async (_, settings) => {
    for (const question of [
      'status of orders per city and email',
      'amount above 700 of all orders by name',
    ]) {
      const { linked } = await link(question, { tenant: 1 }, { settings: { ...LINK_DEFAULTS, ...settings } });
      const said = JSON.stringify(linked) + (linked === null ? '' : renderSchema(linked.catalog));
      for (const text of [...HIDDEN, 'all_orders']) expect(said).not.toContain(text);
      expect(linked?.items.length).toBeGreaterThan(0);
    }
  });

  it('a stored value of hidden rows is none that a word of the question was found in', async () => {
    const { linked } = await link('orders in Zagreb, products in red', { tenant: 1 });
    const reasons = linked?.items.flatMap(({ because }) => because).filter(({ kind }) => kind === 'value');
    expect(reasons?.map(({ text }) => text).join()).toContain('“red”');
    expect(reasons?.map(({ text }) => text).join()).not.toContain('Zagreb');
  });

  it('dry runs are those of the session: its properties are asked for, and nothing is held against a reading without', async () => {
    // Only the reading chooses: what its dry run gives decides.
    const nothing = { table: 100, column: 100 };
    const grounded = { ...LINK_DEFAULTS.grounded, wide: nothing, narrow: nothing };
    const settings: LinkSettings = { ...LINK_DEFAULTS, mode: 'evilink', grounded };
    const question = 'orders that are more than 700';
    const answers = async (properties: SessionProperties) => {
      const { linked } = await link(question, properties, { settings });
      const texts = linked?.turns.flat().flatMap(({ call, text }) => (call.tool === 'probe_sql' ? text : []));
      return { texts: texts ?? [], ids: linked?.items.map(({ id }) => id) };
    };
    const [first, second, none] = [
      await answers({ tenant: 1 }),
      await answers({ tenant: 2 }),
      await answers({}),
    ];
    expect(first.texts.join()).toMatch(/^0 rows/);
    expect(second.texts.join()).toMatch(/^2 rows/);
    expect(none.texts.join()).toMatch(/^error: database\.policy-invalid/);
    expect(second.ids).toContain('orders.amount');
    expect(none.ids).toEqual(second.ids);
  });
});

it('a question of a hundred thousand characters is refused', async () => {
  await expect(codeOf(link('orders '.repeat(15_000), { tenant: 1 }))).resolves.toBe('question.too-long');
});
