/** Queries that do not work, as a person brings them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/index.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-fix-'));
  makeShop(join(folder, 'shop.db'));
  expect((await run(['onboard', 'sqlite:shop.db', '--quiet'])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], given: Partial<Io> = {}) => runCandor(argv, folder, given);

describe('candor fix', () => {
  it('prints what is wrong, the repaired query as a diff, why, and that nothing is left', async () => {
    const { code, stdout } = await run(['fix', 'SELECT ctiy, naem\nFROM customers']);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "  error    no table here has a column ctiy (there is city)
        error    no table here has a column naem (there is name)

      - SELECT ctiy, naem
      + SELECT city, name
        FROM customers

      Changed:
        spelling  no table here has a column ctiy
        spelling  no table here has a column naem

      Nothing is left. It was not run: whether it answers the question is for you to judge.
      "
    `);
  });

  it('has nothing to say of a query that works', async () => {
    expect(await run(['fix', 'SELECT name FROM customers'])).toMatchObject({
      code: 0,
      stdout: 'Nothing is wrong with it by schema, values and engine.\n',
    });
  });

  it('says what is left, and ends as an abstention does', async () => {
    const { code, stdout } = await run(['fix', 'SELECT nmae, zzz FROM customers']);
    expect(code).toBe(13);
    expect(stdout).toContain('+ SELECT name, zzz FROM customers');
    expect(stdout).toMatch(/Left:\n {2}error {4}no table here has a column zzz/);
  });

  it('offers what it would have to guess, with the whole query of each', async () => {
    const sql = 'SELECT id, name FROM customers JOIN orders ON customer_id = customers.id';
    const { code, stdout } = await run(['fix', '--run', sql]);
    expect(code).toBe(13);
    expect(stdout).toMatchInlineSnapshot(`
      "  error    several tables here have a column id (there is customers.id, orders.id)

      May be meant (nothing of it is taken):
        1. id is that of customers
           SELECT customers.id, name FROM customers JOIN orders ON customer_id = customers.id
        2. id is that of orders
           SELECT orders.id, name FROM customers JOIN orders ON customer_id = customers.id

      Next: Rules cannot tell which of the possibilities is meant: take one of them, or say in words what the query is to answer.
      "
    `);
  });

  it('runs nothing but with --run', async () => {
    const { code, stdout } = await run(['fix', '--run', "SELECT nmae FROM customers WHERE city = 'Nice'"]);
    expect(code).toBe(0);
    expect(stdout).toContain('Customer 4');
    const { stdout: alone } = await run(['fix', "SELECT nmae FROM customers WHERE city = 'Nice'"]);
    expect(alone).not.toContain('Customer 4');
  });

  it('reads standard input and prints JSON', async () => {
    const { code, stdout } = await run(
      ['fix', '-', '--output', 'json', '--error', 'no such function: YEAR'],
      {
        readInput: async () => 'SELECT YEAR(ordered_on) FROM orders\n',
      },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      repaired: "SELECT CAST(STRFTIME('%Y', ordered_on) AS INTEGER) FROM orders",
      changes: [{ kind: 'dialect' }],
      left: [],
      ok: true,
    });
  });

  it('rejects what would do more than read', async () => {
    const { code, stdout } = await run(['fix', '--run', 'DELETE FROM orders']);
    expect(code).toBe(12);
    expect(stdout).toContain('a statement that begins with DELETE is not a query');
  });

  it('tells what the engine says and whom to ask for which right', async () => {
    const error = 'ERROR: permission denied for table orders';
    const { code, stdout } = await run(['fix', 'SELECT COUNT(*) FROM orders', '--error', error]);
    expect(code).toBe(13);
    expect(stdout).toMatchInlineSnapshot(`
      "  error    the engine denies access; the engine says: ERROR: permission denied for table orders

      Nothing is wrong with the text of the query by schema, values and the engine that was asked here.

      Next: Ask for the right to read orders, or for read permission on the file of the database. No other wording of the query helps.
      "
    `);
    const json = await run(['fix', 'SELECT COUNT(*) FROM orders', '--error', error, '--output', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      problems: [{ kind: 'engine', severity: 'error' }],
      engine: { kind: 'access-denied', name: 'orders', message: error },
    });
  });

  it('refuses a system catalog for what it is', async () => {
    const { code, stdout } = await run(['fix', 'SELECT * FROM sqlite_master']);
    expect(code).toBe(12);
    expect(stdout).toMatchInlineSnapshot(`
      "  error    sqlite_master belongs to the engine, it is not the user's data

      No table takes its place.

      Next: Name a table of your own: \`candor search\` finds them.
      "
    `);
  });

  it('needs a query', async () => {
    expect((await run(['fix'])).code).toBe(2);
  });
});
