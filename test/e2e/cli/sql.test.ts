import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
const SHOP = ['--database', 'sqlite:shop.db'];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-sql-'));
  makeShop(join(folder, 'shop.db'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sql = (...argv: readonly string[]) => runCandor(['sql', ...SHOP, ...argv], folder);
const COUNT = 'SELECT city, COUNT(*) AS n FROM customers GROUP BY city ORDER BY n DESC, city';

describe('candor sql', () => {
  it('prints rows, before any onboarding too', async () => {
    const { code, stdout, stderr } = await sql(COUNT);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/city +n\n.*\nLyon +3\nParis +2\nNice +1\n/s);
    expect(stdout).toMatch(/3 rows in \d+ ms/);
  });

  it('prints JSON and CSV for scripts', async () => {
    const json = await sql('--output', 'json', COUNT);
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'answered',
      columns: ['city', 'n'],
      rows: [
        ['Lyon', 3],
        ['Paris', 2],
        ['Nice', 1],
      ],
      truncatedBy: null,
      cutCells: 0,
      notices: [],
    });
    const csv = await sql('--output', 'csv', '--limit', '1', COUNT);
    expect(csv.stdout).toBe('city,n\r\nLyon,3\r\n');
    expect(csv.stderr).toContain('cut at the limit of rows after 1 row');
  });

  it('reads a file and plans without running', async () => {
    writeFileSync(join(folder, 'report.sql'), `-- the report\n${COUNT};\n`);
    expect((await sql('--file', 'report.sql')).stdout).toContain('Lyon');
    const planned = await sql('--plan', '--file', 'report.sql');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toContain('passes the guard');
    expect(planned.stdout).not.toContain('Lyon');
  });

  it.each([
    ['DROP TABLE customers', 'DROP'],
    ['SELECT 1; DELETE FROM orders', 'more than one statement'],
    ["SELECT load_extension('x')", 'load_extension'],
    ['PRAGMA writable_schema = 1', 'PRAGMA'],
    ['WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone', 'DELETE'],
  ])('refuses %s', async (text, says) => {
    const before = stateOf(folder);
    const { code, stdout, stderr } = await sql(text);
    expect({ code, stdout }).toEqual({ code: 12, stdout: '' });
    expect(stderr).toContain(says);
    expect(stateOf(folder)).toEqual(before);
  });

  it('says which table is not there and which is near', async () => {
    const { code, stderr } = await sql('--output', 'json', 'SELECT * FROM custmers');
    expect(code, stderr).toBe(12);
    const { stdout } = await sql('--output', 'json', 'SELECT * FROM custmers');
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'reject',
      reason: 'permission',
      offending: 'custmers',
      nearest: ['customers'],
    });
  });

  it('wants exactly one statement', async () => {
    for (const argv of [[], ['SELECT 1', '--file', 'report.sql']]) {
      const { code, stderr } = await sql(...argv);
      expect(code).toBe(2);
      expect(stderr).toContain('sql.not-given');
    }
    expect((await sql('--file', 'missing.sql')).code).toBe(3);
    expect((await sql('--property', 'tenant', 'SELECT 1')).code).toBe(2);
  });
});

/** Hashes of what a query could change; derived files of Candor are its own. */
function stateOf(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => name.startsWith('shop.db'));
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex'),
    ]),
  );
}

describe('candor sql --to', () => {
  it('translates without a database where --from says what it is written in', async () => {
    const argv = ['sql', '--from', 'sqlite', '--to', 'duckdb', 'SELECT IFNULL(a, 0) FROM t LIMIT 5, 10'];
    expect(await runCandor(argv, folder)).toMatchObject({
      code: 0,
      stdout: 'SELECT COALESCE(a, 0) FROM t LIMIT 10 OFFSET 5\n',
    });
  });

  it('takes the dialect of the database, and runs nothing', async () => {
    const { code, stdout, stderr } = await sql(
      '--to',
      'postgres',
      '--output',
      'json',
      'SELECT IFNULL(a, 0) FROM t',
    );
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      sql: 'SELECT COALESCE(a, 0) FROM t',
      from: 'sqlite',
      to: 'postgres',
      isWhole: true,
      diagnostics: [],
    });
  });

  it('says what may differ', async () => {
    const { code, stdout, stderr } = await sql('--to', 'mysql', 'SELECT substr(a, 0, 2) FROM t');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'SELECT substr(a, 0, 2) FROM t\n' });
    expect(stderr).toBe(
      'may give other rows: place 0 of a text differs between dialects (substr(a, 0, 2))\n',
    );
  });

  it('prints nothing that must not be run, and says why', async () => {
    const { code, stdout, stderr } = await sql('--to', 'postgres', 'SELECT no_such_function(a) FROM t');
    expect({ code, stdout }).toEqual({ code: 12, stdout: '' });
    expect(stderr).toContain('cannot be said in postgres');
    expect(stderr).toContain('no_such_function');
  });

  it.each([
    [['--to', 'postgres', 'SELECT FROM WHERE'], 'sql.parse-failed'],
    [['--from', 'postgres', 'SELECT 1'], '--to'],
    [['--to', 'oracle', 'SELECT 1'], 'Allowed choices are sqlite'],
  ])('refuses %j', async (argv, says) => {
    const { code, stderr } = await sql(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });
});
