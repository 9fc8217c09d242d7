/** Plain tables of a project with default filters: deleted orders count nowhere, unless somebody asks for them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskOptions, ask } from '../../answering/index.ts';
import { readConfig } from '../../config/index.ts';
import { openSession } from '../../session/project/open-session.ts';
import type { Session } from '../../session/project/session.ts';

const SCHEMA = `
CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, buyer_id INTEGER NOT NULL REFERENCES buyers (buyer_id), price REAL NOT NULL, is_deleted INTEGER NOT NULL);
INSERT INTO buyers VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
INSERT INTO orders VALUES (1, 1, 10, 0), (2, 1, 20, 0), (3, 2, 30, 0), (4, 2, 900, 1), (5, 3, 50, 1);
`;
const SEMANTICS = `version: "0.2.0"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        custom_extensions:
          - vendor_name: CANDOR
            data: {default_filter: {sql: orders.is_deleted = 0, text: without deleted orders}}
`;

let folder: string;
let session: Session;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-default-filters-'));
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(SCHEMA);
  database.close();
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics/shop.yml'), SEMANTICS);
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shop.db\nsearch: { embedding: none }\n');
  session = await openSession(await readConfig({ cwd: folder }));
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answerTo(question: string, options: AskOptions = {}) {
  const answer = await ask(question, session, { record: false, related: false, ...options });
  if (answer.kind !== 'answered') throw new Error(`${question}: ${JSON.stringify(answer)}`);
  return answer;
}

describe('default filters of plain tables', () => {
  it.each<[string, readonly (readonly unknown[])[]]>([
    ['how many orders are there?', [[3]]],
    ['What is the maximum price of orders?', [[30]]],
    ['What are the names of buyers with orders?', [['Ada'], ['Bo']]],
    ['What are the names of buyers who have no orders?', [['Cy']]],
    ['How many buyers have more than 1 order?', [[1]]],
    ['How many buyers are there?', [[3]]],
  ])('%s', async (question, rows) => {
    const answer = await answerTo(question);
    expect([...answer.rows].sort(), answer.sql).toEqual(rows);
  });

  it('are said, and lifted by whoever wants every row', async () => {
    const { assumptions } = await answerTo('how many orders are there?');
    expect(assumptions).toContainEqual(expect.objectContaining({ id: 'filter.orders', taken: 'on' }));
    const every = await answerTo('how many orders are there?', { assume: { 'filter.orders': 'none' } });
    expect([every.rows, every.assumptions]).toMatchObject([[[5]], [{ taken: 'none' }]]);
  });

  it('give way to what is said of the same column', async () => {
    const { rows, assumptions } = await answerTo('how many deleted orders are there?');
    expect([rows, assumptions.filter(({ kind }) => kind === 'filter')]).toEqual([[[2]], []]);
  });
});
