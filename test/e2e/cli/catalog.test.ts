import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
const run = (...argv: readonly string[]) => runCandor(argv, folder);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-catalog-'));
  makeShop(join(folder, 'shop.db'));
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(`
    CREATE TABLE contacts (id INTEGER PRIMARY KEY, customer_id INTEGER, email TEXT, note TEXT);
    INSERT INTO contacts SELECT id, id, 'person' || id || '@example.com', 'met in ' || city FROM customers;`);
  database.close();
  const { code, stderr } = await run('onboard', 'sqlite:shop.db');
  expect(code, stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('candor catalog', () => {
  it('lists tables, or those with a part of a name', async () => {
    const all = await run('catalog');
    expect(all.stdout).toMatch(/^customers +table +6 +3/m);
    expect(all.stdout).toContain('3 tables');
    expect((await run('catalog', 'order')).stdout).toContain('1 table\n');
    expect((await run('catalog', '--limit', '2')).stdout).toContain('3 tables, 2 shown');
  });

  it('shows the columns of a table and the links between tables', async () => {
    expect((await run('catalog', 'orders')).stdout).toMatch(
      /customer_id +INTEGER +number +not null +→ customers\.id/,
    );
    const { stdout } = await run('catalog', '--keys');
    expect(stdout).toMatch(/orders\.customer_id +customers\.id +declared/);
    expect(stdout).toMatch(
      /contacts\.customer_id +customers\.id +inferred +0\.\d\d|contacts\.customer_id +customers\.id +inferred +1\.00/,
    );
  });

  it('prints JSON without profiles', async () => {
    const { tables, foreignKeys } = JSON.parse((await run('catalog', '--output', 'json')).stdout);
    expect(tables).toHaveLength(3);
    expect(foreignKeys).toHaveLength(2);
    expect(JSON.stringify(tables)).not.toContain('Lyon');
  });
});

describe('candor profile', () => {
  it('shows the columns of a table, or all of one column', async () => {
    const table = await run('profile', 'customers');
    expect(table.stdout).toMatch(
      /^city +TEXT +category +not available +Lyon \| Paris \| Nice +0 % of 6 rows +3/m,
    );
    const column = await run('profile', 'Customers.City', '--level', 'L3');
    expect(column.stdout).toMatch(/^most frequent +Lyon \(3\) \| Paris \(2\) \| Nice \(1\)$/m);
    const names = await run('profile', 'customers', '--level', 'L0');
    expect(names.stdout).not.toContain('Lyon');
  });

  it('withholds what looks personal, says so, and keeps it nowhere', async () => {
    expect((await run('profile', '--pii')).stdout).toMatch(/contacts\.email +email +withheld/);
    expect((await run('profile', 'contacts.email', '--level', 'L3')).stdout).toMatch(/^values +withheld$/m);
    expect(derivedText()).not.toContain('person1@example.com');
    expect((await run('ask', 'contacts whose email is person1@example.com')).stdout).not.toContain('met in');
  });

  it('keeps what candor.yml allows, after the next onboarding', async () => {
    appendFileSync(
      join(folder, 'candor.yml'),
      'profile: { keep: [contacts.email], skip: [contacts.note] }\n',
    );
    expect((await run('onboard')).code).toBe(0);
    expect((await run('profile', 'contacts.email')).stdout).toContain('person1@example.com');
    expect((await run('profile', 'contacts.note', '--level', 'L3')).stdout).not.toContain('met in');
    expect(derivedText()).not.toContain('met in Lyon');
  });

  it('says what is near a name that is not there', async () => {
    const { code, stderr } = await run('profile', 'custmers.city');
    expect(code).toBe(2);
    expect(stderr).toContain('near it: customers');
  });
});

/** Everything that an onboarding leaves behind. */
function derivedText(): string {
  const entries = readdirSync(join(folder, '.candor'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('records'));
  const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
  expect(text).toContain('Lyon');
  return text;
}
