/** What a database redefines is said by `candor doctor`, with the line that allows it, and once by `candor onboard`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCandor } from './run-candor.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-own-code-'));
const write = (more: string): void =>
  writeFileSync(
    join(folder, 'candor.yml'),
    `database: duckdb:shop.duckdb\nsearch: {embedding: none}\n${more}\n`,
  );

beforeAll(async () => {
  const instance = await DuckDBInstance.create(join(folder, 'shop.duckdb'));
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE orders (id INTEGER, city VARCHAR);
    CREATE MACRO upper(a) AS 'x'; CREATE MACRO year(a) AS 1; CREATE MACRO net_price(a) AS a * 0.8`);
  connection.closeSync();
  instance.closeSync();
  write('');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function ownCode(): Promise<{ status: string; detail: string; next?: string }> {
  const { stdout } = await runCandor(['doctor', '--output', 'json'], folder);
  return JSON.parse(stdout).findings.find(({ name }: { name: string }) => name === 'own code');
}

it('is a warning until candor.yml allows it', async () => {
  const { status, detail, next = '' } = await ownCode();
  expect(status).toBe('warning');
  expect(detail).toMatch(/: function upper, function year$/);
  const line = next.slice(next.indexOf('guard: '));
  expect(line).toBe('guard: {allow: {functions: ["upper", "year"]}}');
  write(line);
  expect(await ownCode()).toEqual({
    name: 'own code',
    status: 'ok',
    detail: 'no name of the engine is redefined',
  });
  write('');
});

it('is said when a database is onboarded, and not again', async () => {
  const first = await runCandor(['onboard'], folder);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain('function upper, function year');
  const second = await runCandor(['onboard'], folder);
  expect(second.stderr).not.toContain('function upper');
});
