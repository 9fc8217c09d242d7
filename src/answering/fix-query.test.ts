import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import type { Session } from '../session.ts';
import { fixQuery } from './fix-query.ts';

const SHOP = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), ordered_on TEXT, fee REAL)',
  'CREATE TABLE lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), item TEXT, price REAL)',
  "INSERT INTO customers VALUES (1, 'Ada', 'Lyon'), (2, 'Ben', 'Paris'), (3, 'Cleo', 'Marseille')",
  "INSERT INTO orders VALUES (1, 1, '2024-01-02', 5), (2, 2, '2024-02-02', 7)",
  "INSERT INTO lines VALUES (1, 1, 'pen', 2), (2, 1, 'ink', 3), (3, 2, 'pen', 2)",
];

let small: SmallSession;
let session: Pick<Session, 'catalog' | 'database' | 'values' | 'semantics'>;
beforeAll(async () => {
  small = await openSmallSession({ statements: SHOP });
  const { catalog, values, database, semantics } = small.session;
  // A fix that ran its query would fail here.
  const unrun = { ...database, query: () => Promise.reject(new Error('it was run')) };
  session = { catalog, values, semantics, database: unrun };
}, 60_000);
afterAll(() => small.close());

describe('fixQuery', () => {
  it('mends a table although its columns turn out to be wrong too', async () => {
    const fix = await fixQuery('SELECT nmae, birthstone FROM custmers', session);
    expect(fix.repaired).toBe('SELECT name, birthstone FROM customers');
    expect(fix.left.map(({ kind }) => kind)).toEqual(['unknown-column']);
  });

  it('finds all problems at once, mends them, and asks the engine about the result', async () => {
    const fix = await fixQuery(' SELECT nmae, customers.city FROM orders WHERE fea > 3\n', session);
    expect(fix.problems.map(({ kind, severity }) => `${severity} ${kind}`)).toEqual([
      'error unknown-column',
      'error unknown-table',
      'error unknown-column',
    ]);
    expect(fix.repaired).toBe(
      'SELECT name, customers.city FROM orders JOIN customers ON orders.customer_id = customers.id WHERE orders.fee > 3',
    );
    expect(fix).toMatchObject({ ok: true, left: [] });
  });

  it('leaves what is right as it is', async () => {
    const sql = 'SELECT city, COUNT(*) FROM customers GROUP BY city';
    expect(await fixQuery(sql, session)).toEqual({ sql, problems: [], changes: [], left: [], ok: true });
  });

  it.each([
    [
      'functions of another engine',
      'SELECT YEAR(ordered_on) FROM orders',
      "SELECT CAST(STRFTIME('%Y', ordered_on) AS INTEGER) FROM orders",
    ],
    [
      'what stands around a query',
      'Here it is:\n```sql\nSELECT name FROM customers\n```',
      'SELECT name FROM customers',
    ],
    [
      'a value by the value index',
      "SELECT name FROM customers WHERE city = 'Marseile'",
      "SELECT name FROM customers WHERE city = 'Marseille'",
    ],
  ])('mends %s', async (_, sql, expected) => {
    expect(await fixQuery(sql, session)).toMatchObject({ repaired: expected, ok: true, left: [] });
  });

  it('warns of a sum over rows that a join repeats', async () => {
    const sql = 'SELECT SUM(orders.fee) FROM orders JOIN lines ON lines.order_id = orders.id';
    const { ok, left } = await fixQuery(sql, session);
    expect(ok).toBe(true);
    expect(left).toMatchObject([
      {
        kind: 'fan-out',
        severity: 'warning',
        text: 'SUM(orders.fee) adds rows of orders once for each row of lines that is joined to them',
      },
    ]);
  });

  it('gives what rules cannot mend to whoever can, and takes only what is better', async () => {
    const sql = 'SELECT salary FROM customers';
    const asked: unknown[] = [];
    const mend = (answer: string) => async (left: unknown) => {
      asked.push(left);
      return { sql: answer, because: 'the model says so' };
    };
    const mended = await fixQuery(sql, session, {
      question: 'who?',
      mend: mend('SELECT name FROM customers'),
    });
    expect(mended).toMatchObject({
      repaired: 'SELECT name FROM customers',
      ok: true,
      changes: [{ kind: 'mended' }],
    });
    expect(asked).toMatchObject([{ sql, question: 'who?', problems: [{ kind: 'unknown-column' }] }]);
    const worse = await fixQuery(sql, session, { mend: mend('SELECT pay, salary FROM customers') });
    expect(worse).toMatchObject({ ok: false, changes: [], left: [{ kind: 'unknown-column' }] });
    const write = await fixQuery(sql, session, { mend: mend('DELETE FROM customers') });
    expect(write.repaired).toBeUndefined();
  });

  it('never offers to run what writes', async () => {
    const { ok, left, repaired } = await fixQuery('DELETE FROM customers', session);
    expect({ ok, repaired }).toEqual({ ok: false, repaired: undefined });
    expect(left[0]?.severity).toBe('error');
  });
});

describe('what an engine said', () => {
  const SQL = 'SELECT COUNT(*) FROM orders';
  it.each([
    [
      'Access Denied: Table p:d.orders: User does not have permission',
      'access-denied',
      /right to read p:d\.orders/,
    ],
    ['permission denied', 'access-denied', /right to read orders/],
    ['ERROR: relation "shop.orders" does not exist', 'missing-table', /database and schema/],
    ['column "fee" does not exist', 'missing-column', /whether fee was renamed/],
    ['No matching signature for operator =', 'type', /CAST/],
    ['syntax error at or near "FROM"', 'syntax', /valid for SQLite/],
    ['canceling statement due to statement timeout', 'timeout', /partition of orders/],
    ['Resources exceeded during query execution', 'resources', /GROUP BY/],
    ['division by zero', 'division-by-zero', /NULLIF/],
    ['the moon is in the wrong phase', 'unknown', /No rule knows/],
  ])('is told with what to do next: %s', async (engineError, kind, next) => {
    const fix = await fixQuery(SQL, session, { engineError });
    expect(fix).toMatchObject({ ok: false, changes: [], engine: { kind, message: engineError } });
    expect(fix.problems).toMatchObject([{ kind: 'engine', severity: 'error' }]);
    expect(fix.problems[0]?.text).toContain(engineError);
    expect(fix.left).toEqual(fix.problems);
    expect(fix.engine?.next).toMatch(next);
  });

  it('is no second problem where the checks explain it', async () => {
    const fix = await fixQuery('SELECT nmae FROM customers', session, {
      engineError: 'no such column: nmae',
    });
    expect(fix).toMatchObject({ ok: true, repaired: 'SELECT name FROM customers', left: [] });
    expect(fix.problems.map(({ kind }) => kind)).toEqual(['unknown-column']);
  });

  it('about rights stays beside what the checks find and rules mend', async () => {
    const engineError = 'permission denied for table customers';
    const fix = await fixQuery('SELECT nmae FROM customers', session, { engineError });
    expect(fix).toMatchObject({
      ok: false,
      repaired: 'SELECT name FROM customers',
      left: [{ kind: 'engine' }],
    });
  });

  it.each([
    [
      'keeps to what is denied',
      'permission denied for table orders',
      'SELECT COUNT(id) FROM orders',
      undefined,
    ],
    [
      'leaves it',
      'permission denied for table orders',
      'SELECT COUNT(*) FROM lines',
      'SELECT COUNT(*) FROM lines',
    ],
    ['is faulty itself', 'division by zero', 'SELECT COUNT(ids) FROM orders', undefined],
    ['passes the checks', 'division by zero', 'SELECT COUNT(id) FROM orders', 'SELECT COUNT(id) FROM orders'],
    ['writes', 'division by zero', 'DELETE FROM orders', undefined],
  ])('is mended by whoever can, and not taken where the mend %s', async (_, engineError, sql, repaired) => {
    const asked: unknown[] = [];
    const fix = await fixQuery(SQL, session, {
      engineError,
      mend: async (left) => {
        asked.push(left);
        return { sql, because: 'said so' };
      },
    });
    expect(asked).toMatchObject([{ sql: SQL, engineError, problems: [{ kind: 'engine' }] }]);
    expect(fix.repaired).toBe(repaired);
    expect(fix.ok).toBe(repaired !== undefined);
  });
});

describe('a system catalog', () => {
  it.each([
    'SELECT * FROM sqlite_master',
    'SELECT name FROM main.sqlite_schema',
    'SELECT * FROM information_schema.tables',
    'SELECT relname FROM pg_class',
    'SELECT nmae FROM customers WHERE id IN (SELECT rootpage FROM sqlite_master)',
  ])('is refused for what it is, and nobody mends it: %s', async (sql) => {
    const mend = async () => ({ sql: 'SELECT * FROM customers', because: 'it is like it' });
    const fix = await fixQuery(sql, session, { mend });
    expect(fix.ok).toBe(false);
    expect(fix.left.filter(({ kind }) => kind === 'system-table')).toMatchObject([
      { text: expect.stringContaining('belongs to the engine'), instead: [] },
    ]);
    expect(fix.repaired ?? sql).toMatch(/sqlite_|information_schema|pg_class/);
  });

  it('is no table of the user that is called like one', async () => {
    const fix = await fixQuery('SELECT * FROM user_tables_2024', session);
    expect(fix.left).toMatchObject([{ kind: 'unknown-table' }]);
  });
});
