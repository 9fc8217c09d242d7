import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import type { Session } from '../../session/project/session.ts';
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
    const fix = await fixQuery(' SELECT nmae, customers.city FROM orders WHERE feee > 3\n', session);
    expect(fix.problems.map(({ kind, severity }) => `${severity} ${kind}`)).toEqual([
      'error unknown-column',
      'error unknown-table',
      'error unknown-column',
    ]);
    expect(fix.repaired).toBe('SELECT nmae, customers.city FROM orders WHERE fee > 3');
    expect(fix.offers).toEqual([
      {
        sql: 'SELECT name, customers.city FROM orders JOIN customers ON orders.customer_id = customers.id WHERE fee > 3',
        means: 'customers is joined by orders.customer_id = customers.id',
      },
    ]);
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

describe('a column of two tables that a key makes equal', () => {
  let accounts: SmallSession;
  beforeAll(async () => {
    accounts = await openSmallSession({
      statements: [
        'CREATE TABLE acct (acct_id INTEGER PRIMARY KEY, region TEXT)',
        'CREATE TABLE move (move_id INTEGER PRIMARY KEY, acct_id INTEGER REFERENCES acct(acct_id), eur INTEGER)',
      ],
    });
  });
  afterAll(() => accounts.close());

  it.each([
    ['SELECT acct_id FROM acct JOIN move ON acct.acct_id = move.acct_id', true],
    ['SELECT acct_id FROM acct, move WHERE acct.acct_id = move.acct_id AND eur > 5', true],
    ['SELECT acct_id FROM acct LEFT JOIN move ON acct.acct_id = move.acct_id', false],
    ['SELECT acct_id FROM acct JOIN move ON NOT (acct.acct_id = move.acct_id)', false],
    ['SELECT acct_id FROM acct JOIN move ON acct.acct_id = move.acct_id OR move.acct_id IS NULL', false],
    ['SELECT acct_id FROM acct CROSS JOIN move WHERE acct.acct_id = move.acct_id OR eur > 50', false],
    [
      'SELECT acct_id FROM acct, move WHERE EXISTS (SELECT 1 FROM acct a JOIN move m ON a.acct_id = m.acct_id)',
      false,
    ],
  ])('is taken of either: %s', async (sql, isSure) => {
    const { ok, offers = [] } = await fixQuery(sql, accounts.session);
    expect([ok, offers.length]).toEqual(isSure ? [true, 0] : [false, 2]);
  });
});

describe('what rules would have to guess', () => {
  const AMBIGUOUS = 'SELECT id, nmae FROM customers JOIN orders ON orders.customer_id = customers.id';
  const MEANT = [
    {
      sql: 'SELECT customers.id, name FROM customers JOIN orders ON orders.customer_id = customers.id',
      means: 'id is that of customers',
    },
    {
      sql: 'SELECT orders.id, name FROM customers JOIN orders ON orders.customer_id = customers.id',
      means: 'id is that of orders',
    },
  ];

  it('is offered, each with its whole query, beside what is sure and done', async () => {
    const fix = await fixQuery(AMBIGUOUS, session);
    expect(fix).toMatchObject({
      ok: false,
      repaired: AMBIGUOUS.replace('nmae', 'name'),
      changes: [{ kind: 'spelling' }],
      left: [{ kind: 'ambiguous-column' }],
      offers: MEANT,
    });
    expect(fix.next).toContain('take one of them');
  });

  it.each<[string, string, readonly string[]]>([
    [
      'a near name of another meaning',
      'SELECT delivery_fee FROM orders',
      ['delivery_fee stands for fee of orders'],
    ],
    [
      'a column of a table whose join repeats rows',
      'SELECT customers.name, price FROM customers',
      ['price is price of lines, joined by customers.id = orders.customer_id, orders.id = lines.order_id'],
    ],
    [
      'a value that is only like a stored one',
      "SELECT name FROM customers WHERE city = 'Marsei'",
      ['“Marsei” stands for “Marseille”'],
    ],
  ])('is told with what it means: %s', async (_, sql, means) => {
    const { offers = [], repaired } = await fixQuery(sql, session);
    expect(offers.map((offer) => offer.means)).toEqual(expect.arrayContaining([...means]));
    expect(repaired).toBeUndefined();
    for (const offer of offers) expect((await fixQuery(offer.sql, session)).ok).toBe(true);
  });

  it('is left to a model where there is one, and offered where that knows nothing', async () => {
    const asked: unknown[] = [];
    const mend = (answer: string | undefined) => async (left: { readonly sql: string }) => {
      asked.push(left.sql);
      return answer === undefined ? undefined : { sql: answer, because: 'said so' };
    };
    const [, meant] = MEANT;
    const mended = await fixQuery(AMBIGUOUS, session, { mend: mend(meant?.sql) });
    expect(mended).toMatchObject({ ok: true, repaired: meant?.sql });
    expect(mended.offers).toBeUndefined();
    expect(await fixQuery(AMBIGUOUS, session, { mend: mend(undefined) })).toMatchObject({
      ok: false,
      offers: MEANT,
    });
    // Nothing was guessed before it was asked.
    expect(asked).toEqual(Array(2).fill(AMBIGUOUS.replace('nmae', 'name')));
  });

  it('is not offered where an engine denies what it would still read', async () => {
    const fix = await fixQuery(
      'SELECT id FROM customers JOIN orders ON customer_id = customers.id',
      session,
      {
        engineError: 'permission denied for table orders',
      },
    );
    expect(fix).toMatchObject({ ok: false });
    expect(fix.offers).toBeUndefined();
  });
});

describe('what an engine said', () => {
  const SQL = 'SELECT SUM(fee / 2) FROM orders';
  it.each([
    [
      'Access Denied: Table p:d.orders: User does not have permission',
      'access-denied',
      /right to read p:d\.orders/,
    ],
    ['permission denied', 'access-denied', /right to read orders/],
    ['ERROR: relation "shop.orders" does not exist', 'missing-table', /database and schema/],
    ['column "fee" does not exist', 'missing-column', /whether fee was renamed/],
    ['database is locked', 'unavailable', /nothing in the query to change\. Try again/],
    ['server closed the connection unexpectedly', 'unavailable', /Try again/],
    ['ERROR 1040 (HY000): Too many connections', 'unavailable', /Try again/],
    ['integer out of range', 'out-of-range', /wider type/],
    ['there is no parameter $1', 'parameter', /in place of the parameter/],
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

describe('what an engine refuses and the schema lets pass', () => {
  it.each([
    [
      'a column that is not grouped',
      'SELECT city, COUNT(*) FROM customers',
      'column "customers.city" must appear in the GROUP BY clause or be used in an aggregate function',
      'SELECT city, COUNT(*) FROM customers GROUP BY city',
    ],
    [
      'one beside others that are',
      'SELECT city, name, COUNT(*) FROM customers GROUP BY city',
      "ERROR 1055 (42000): 'shop.customers.name' isn't in GROUP BY",
      'SELECT city, name, COUNT(*) FROM customers GROUP BY city, name',
    ],
    [
      'an expression that is not grouped',
      'SELECT UPPER(city) AS big, COUNT(*) FROM customers',
      "line 1:8: 'UPPER(city)' must be an aggregate expression or appear in GROUP BY clause",
      'SELECT UPPER(city) AS big, COUNT(*) FROM customers GROUP BY UPPER(city)',
    ],
    [
      'HAVING without a group',
      'SELECT city FROM customers HAVING COUNT(*) > 1',
      'HAVING clause on a non-aggregate query',
      'SELECT city FROM customers GROUP BY city HAVING COUNT(*) > 1',
    ],
    [
      'a subquery of several rows that is compared with =',
      'SELECT name FROM customers WHERE id = (SELECT customer_id FROM orders)',
      'more than one row returned by a subquery used as an expression',
      'SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)',
    ],
    [
      'one that stands before the column',
      'SELECT name FROM customers WHERE (SELECT customer_id FROM orders) = id',
      'Subquery returns more than 1 row',
      'SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)',
    ],
    [
      'an aggregate in WHERE',
      "SELECT city FROM customers WHERE COUNT(*) > 1 AND name <> 'Ada' GROUP BY city",
      'aggregate functions are not allowed in WHERE',
      "SELECT city FROM customers WHERE name <> 'Ada' GROUP BY city HAVING COUNT(*) > 1",
    ],
    [
      'a text in double quotes',
      'SELECT name FROM customers WHERE city = "Lyon"',
      'no such column: "Lyon" - should this be a string literal in single-quotes?',
      "SELECT name FROM customers WHERE city = 'Lyon'",
    ],
  ])('is mended: %s', async (_, sql, engineError, repaired) => {
    const fix = await fixQuery(sql, session, { engineError });
    expect(fix).toMatchObject({ repaired, ok: true, left: [] });
    expect(fix.problems.some(({ severity }) => severity === 'error')).toBe(true);
    expect(fix.problems.some(({ kind }) => kind === 'engine')).toBe(false);
  });

  it.each([
    [
      'SELECT *, COUNT(*) FROM customers',
      '"id" must appear in the GROUP BY clause',
      'missing-group-by',
      /GROUP BY/,
    ],
    [
      'SELECT COUNT(*) FROM customers ORDER BY city',
      "'city' isn't in GROUP BY",
      'missing-group-by',
      /GROUP BY/,
    ],
    [
      'SELECT name FROM customers WHERE id <> (SELECT customer_id FROM orders)',
      'Subquery returns more than 1 row',
      'subquery-rows',
      /IN \(SELECT …\) for any of them, MIN/,
    ],
    [
      'SELECT name, (SELECT fee FROM orders o WHERE o.customer_id = c.id) FROM customers c',
      'Subquery returns more than 1 row',
      'subquery-rows',
      /ORDER BY … LIMIT 1/,
    ],
  ])(
    'is left with what to do where more than one thing may be meant: %s',
    async (sql, engineError, kind, next) => {
      const fix = await fixQuery(sql, session, { engineError });
      expect(fix).toMatchObject({ ok: false, changes: [], left: [{ kind, severity: 'error' }] });
      expect(fix.next).toMatch(next);
    },
  );

  it('is looked for only where the engine says so', async () => {
    const sql = 'SELECT name FROM customers WHERE id = (SELECT customer_id FROM orders)';
    expect(await fixQuery(sql, session)).toMatchObject({ ok: true, problems: [] });
  });

  it.each([
    'SELECT name FROM customers WHERE id = (SELECT MAX(customer_id) FROM orders)',
    'SELECT name FROM customers WHERE id = (SELECT customer_id FROM orders LIMIT 1)',
    'SELECT name FROM customers WHERE id = (SELECT customer_id FROM orders WHERE id = 2)',
  ])('finds no subquery that gives one row: %s', async (sql) => {
    const fix = await fixQuery(sql, session, { engineError: 'Subquery returns more than 1 row' });
    expect(fix).toMatchObject({ changes: [], left: [{ kind: 'engine' }] });
  });
});

describe('stored text that is no number', () => {
  const SQL = 'SELECT SUM(CAST(item AS INTEGER)) FROM lines';
  it.each([
    ['sqlite', 'invalid input syntax for type integer: "n/a"', "CAST(NULLIF(item, 'n/a') AS INTEGER)"],
    ['duckdb', "Conversion Error: Could not convert string 'n/a' to INT32", 'TRY_CAST(item AS INTEGER)'],
    ['trino', "Cannot cast 'n/a' to INT", 'TRY_CAST(item AS INTEGER)'],
  ] as const)('is named, with what to write in %s', async (dialect, engineError, write) => {
    const { database, ...rest } = session;
    const there = {
      ...rest,
      catalog: { ...session.catalog, dialect },
      database: { ...database, explain: async () => ({}) },
    };
    const fix = await fixQuery(SQL, there, { engineError });
    expect(fix.engine).toMatchObject({ kind: 'conversion', value: 'n/a' });
    expect(fix.problems[0]?.text).toContain('“n/a” is no number');
    expect(fix.next).toContain('“n/a” is stored text and no number');
    expect(fix.next).toContain(write);
    expect(fix.next).toContain("WHERE item <> 'n/a'");
  });

  it('is told from one that stands in the query', async () => {
    const sql = "SELECT COUNT(*) FROM orders WHERE id = 'n/a'";
    const fix = await fixQuery(sql, session, { engineError: 'invalid input syntax for type integer: "n/a"' });
    expect(fix.next).toContain('stands in the query and is no number');
  });
});

describe('a message that is not of this query', () => {
  it.each([
    ['division by zero', 'SELECT COUNT(*) FROM orders', 'it divides nowhere'],
    ['no such column: birth_year', 'SELECT name FROM customers', 'birth_year does not stand in it'],
    [
      'relation "shop.invoices" does not exist',
      'SELECT name FROM customers',
      'invoices does not stand in it',
    ],
    ['division by zero', "SELECT 'a/b' AS path, name FROM customers -- 1/2", 'it divides nowhere'],
  ])('is said to be none: %s', async (engineError, sql, why) => {
    let isAsked = false;
    const mend = async () => {
      isAsked = true;
      return { sql: 'SELECT 1', because: 'whatever' };
    };
    const fix = await fixQuery(sql, session, { engineError, mend });
    expect(fix).toMatchObject({ ok: false, changes: [], left: [{ kind: 'engine' }] });
    expect(fix.left[0]?.text).toContain('the message is not of this query');
    expect(fix.next).toContain(`does not belong to this query: `);
    expect(fix.next).toContain(why);
    expect(isAsked).toBe(false);
  });

  it.each([
    ['division by zero', 'SELECT SUM(fee) / COUNT(*) FROM orders'],
    ['division by zero', 'SELECT MOD(id, 2) FROM orders'],
    ['schema "shop" does not exist', 'SELECT name FROM customers'],
  ])('may be of it: %s, %s', async (engineError, sql) => {
    const { next } = await fixQuery(sql, session, { engineError });
    expect(next).not.toContain('does not belong');
  });
});

describe('what is denied', () => {
  it.each(['permission denied for table orders', 'attempt to write a readonly database'])(
    'is denied as a write where the query writes: %s',
    async (engineError) => {
      const fix = await fixQuery('UPDATE orders SET fee = 0', session, { engineError });
      expect(fix).toMatchObject({ ok: false, engine: { kind: 'write' }, left: [{ kind: 'not-read-only' }] });
      expect(fix.next).toContain('refused as a write');
      expect(fix.next).not.toContain('Ask for SELECT');
    },
  );

  it('is not misspelt: a table that the engine denies is there, and no other takes its place', async () => {
    const engineError = 'ERROR: permission denied for table customrs';
    const fix = await fixQuery('SELECT name FROM customrs', session, { engineError });
    expect(fix).toMatchObject({ ok: false, changes: [] });
    expect(fix.problems.map(({ text }) => text)).toEqual([
      'customrs is not in the catalog, which holds only what may be read',
      `the engine denies access; the engine says: ${engineError}`,
    ]);
    expect(fix.next).toContain('read customrs');
  });

  it('is over where the engine was not sure that there is such a table, and it is misspelt', async () => {
    const engineError =
      'Access Denied: Table p:d.customrs: User does not have permission, or perhaps it does not exist.';
    const fix = await fixQuery('SELECT name FROM customrs', session, { engineError });
    expect(fix).toMatchObject({ ok: true, repaired: 'SELECT name FROM customers', left: [] });
  });
});

describe('a qualified column', () => {
  it('keeps its table: joining the one that has the column is offered', async () => {
    const fix = await fixQuery('SELECT o.city FROM orders o', session);
    expect(fix).toMatchObject({
      ok: false,
      changes: [],
      offers: [{ sql: 'SELECT customers.city FROM orders o JOIN customers ON o.customer_id = customers.id' }],
    });
  });
});

it.each([
  ['SELECT salary FROM customers', /candor search/],
  ['SELECT what, ever FROM nothing_of_the_kind', /candor search/],
  ['SELECT name FROM customers WHERE', /in quotes/],
  ['DELETE FROM customers', /refused as a write/],
  ['SELECT load_extension(name) FROM customers', /only compute/],
  ['SELECT * FROM sqlite_master', /of your own/],
  ['SELECT name FROM customers WHERE id = ?', /in place of the parameter/],
  ['SELECT SUBSTR(name) FROM customers', /how many arguments SUBSTR/],
  ['SELECT id FROM orders ORDER BY 3', /position/],
])('an error that is left comes with what to do: %s', async (sql, next) => {
  const fix = await fixQuery(sql, session);
  expect(fix.ok).toBe(false);
  expect(fix.next).toMatch(next);
});

it('says nothing to do where only warnings are left', async () => {
  const sql = 'SELECT SUM(orders.fee) FROM orders JOIN lines ON lines.order_id = orders.id';
  expect((await fixQuery(sql, session)).next).toBeUndefined();
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

  it('is named with the schema it stands in', async () => {
    const { left } = await fixQuery('SELECT * FROM information_schema.tables', session);
    expect(left.map(({ text }) => text)).toEqual([
      "information_schema.tables belongs to the engine, it is not the user's data",
    ]);
  });

  it('is no table of the user that is called like one', async () => {
    const fix = await fixQuery('SELECT * FROM user_tables_2024', session);
    expect(fix.left).toMatchObject([{ kind: 'unknown-table' }]);
  });
});
