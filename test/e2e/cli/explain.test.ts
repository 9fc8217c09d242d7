import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-explain-'));
  makeShop(join(folder, 'shop.db'));
  await runCandor(['onboard', 'sqlite:shop.db', '--quiet'], folder);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const explain = (...argv: readonly string[]) => runCandor(['explain', '--quiet', ...argv], folder);

describe('candor explain', () => {
  it('says what the words name, which rules read them, and why each part of the SQL stands there', async () => {
    const { code, stdout, stderr } = await explain('how many customers are in Lyon?');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/Lyon +exact value of customers\.city/);
    expect(stdout).toMatch(/reading 1 {2}\d+ % sure: count of customers/);
    expect(stdout).toContain("   WHERE customers.city = 'Lyon'");
    expect(stdout).toContain("“customers.city = 'Lyon'” because of  “Lyon” on customers.city");
    expect(stdout).toMatch(/rules {2}count, .*value/);
    expect(stdout).toContain('ask would  answer with the first reading that passes its checks');
  });

  it('names what was not understood, shows the reading without it, and ends as ask would', async () => {
    const question = 'orders per city for each zorkmid';
    const { code, stdout } = await explain(question);
    expect(stdout).toMatch(/zorkmid +not understood/);
    expect(stdout).toContain('GROUP BY customers.city');
    expect(stdout).toContain('ask would  refuse (dimension)');
    expect(code).toBe(12);
    expect((await runCandor(['ask', question, '--quiet'], folder)).code).toBe(code);
  });

  it.each([
    ['delete all customers', 12, 'refuse (unsafe)'],
    ['frobnicate the gleebs', 12, 'I did not understand “frobnicate” or “gleebs” here'],
  ])('%s: ends with %d and says %s', async (question, expected, says) => {
    const { code, stdout } = await explain(question);
    expect(code).toBe(expected);
    expect(stdout).toContain(says);
    expect(stdout).not.toContain('reading 1');
  });

  it('of a name, is said to be absent by ask where everything was looked through', async () => {
    const { stdout } = await runCandor(['ask', 'customers in Atlantis', '--output', 'json'], folder);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'reject', cause: 'absent' });
  });

  it('is data for programs: readings likeliest first, with their parts', async () => {
    const { stdout } = await explain('--output', 'json', 'top 2 customers by number of orders');
    const { readings, unexplained, decision } = JSON.parse(stdout);
    expect(decision).toEqual({ kind: 'sql' });
    expect(unexplained).toEqual([]);
    const sure = readings.map(({ probability }: { readonly probability: number }) => probability);
    expect(sure).toEqual(sure.toSorted((one: number, other: number) => other - one));
    expect(readings[0].parts).toContainEqual({ sql: 'customers.name', because: '“customers”' });
    expect(readings[0].rules).toContain('superlative');
  });

  it('reads today as it is told', async () => {
    const { stdout } = await explain('--today', '2024-05-15', 'orders this month');
    expect(stdout).toContain('2024-05-01');
  });

  it.each([
    [' ', 2, 'question.empty'],
    ['SELECT name FROM customers', 2, 'question.is-sql'],
  ])('refuses %j', async (text, expected, says) => {
    const { code, stderr } = await explain(text);
    expect(code).toBe(expected);
    expect(stderr).toContain(says);
  });
});
