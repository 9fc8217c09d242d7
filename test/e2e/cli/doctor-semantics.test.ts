/** What a semantic model says and the database does not bear out is said by `candor onboard` and `candor doctor`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCandor } from './run-candor.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-misfit-'));

beforeAll(() => {
  const file = new DatabaseSync(join(folder, 'shop.db'));
  file.exec(
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT); INSERT INTO orders VALUES (1, 'OPEN'), (2, 'DONE')",
  );
  file.close();
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shop.db\nsearch: {embedding: none}\n');
  mkdirSync(join(folder, 'semantics'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['SHUT', 'warning', 'metric closed orders: orders.status has no value SHUT'],
  ['DONE', 'ok', undefined],
])('%s: %s', async (value, status, sentence) => {
  const metric = `SUM(CASE WHEN orders.status = '${value}' THEN 1 ELSE 0 END)`;
  writeFileSync(join(folder, 'semantics', 'shop.yml'), MODEL(metric));
  const onboarded = await runCandor(['onboard'], folder);
  expect(onboarded.code, onboarded.stderr).toBe(0);
  const { stdout } = await runCandor(['doctor', '--output', 'json'], folder);
  const found = JSON.parse(stdout).findings.find(({ name }: { name: string }) => name === 'semantic model');
  expect(found).toMatchObject({ status });
  if (sentence === undefined) expect(onboarded.stderr).not.toContain('does not fit');
  else for (const text of [onboarded.stderr, found.detail]) expect(text).toContain(sentence);
});

const MODEL = (metric: string): string => `version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
    metrics:
      - name: closed orders
        expression:
          dialects:
            - dialect: ANSI_SQL
              expression: "${metric}"
        custom_extensions: [{vendor_name: CANDOR, data: {table: orders}}]
`;
