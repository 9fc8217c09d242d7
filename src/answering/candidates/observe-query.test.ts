import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { observeQuery } from './observe-query.ts';

/** Every sort of mess once: a shop whose tidy table has none of it. */
const MESSY = [
  'CREATE TABLE shops (id INTEGER PRIMARY KEY, name TEXT, town TEXT)',
  "INSERT INTO shops VALUES (1, 'Nord', 'Kiel'), (2, 'Nord', 'Ulm'), (3, 'Mitte', 'kiel '), (4, 'Leer', 'Ulm')",
  `CREATE TABLE sales (id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shops(id), state TEXT, day TEXT, pieces INTEGER, price TEXT,
    rating REAL)`,
  `INSERT INTO sales VALUES
    (1, 1, 'paid', '2024-01-05', 1, '10', 5), (2, 1, 'Paid ', '2024-01-31 09:00', 2, '20', NULL),
    (3, 2, 'open', '2024-02-01', 3, '30', 4), (4, 3, NULL, '03/02/2024', 4, 'n/a', 3), (5, NULL, 'paid', '2024-02-03', 5, '50', 2)`,
  'CREATE TABLE "order" (id INTEGER PRIMARY KEY, price TEXT, code STRING)',
  `INSERT INTO "order" VALUES (1, '10', '007'), (2, 'n/a', '8'), (3, '30', '9')`,
  'CREATE TABLE shifts (id INTEGER PRIMARY KEY, worker TEXT, state TEXT, hours INTEGER)',
  'CREATE INDEX by_state ON shifts (state, worker)',
  "INSERT INTO shifts VALUES (1, 'Zoe', 'ok', 8), (2, 'Ann', 'ok', 8), (3, 'Bob', 'bad', 8), (4, 'Cyd', 'ok', 8)",
  'CREATE TABLE tidy (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount INTEGER NOT NULL)',
  "INSERT INTO tidy VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30)",
];

let shop: SmallSession;
beforeAll(async () => {
  shop = await openSmallSession({ statements: MESSY });
});
afterAll(() => shop.close());

async function observed(sql: string): Promise<readonly string[]> {
  const { session } = shop;
  const result = await session.database.query(sql, session.config.limits);
  const notices = await observeQuery(sql, result, { session });
  return notices.map(({ text }) => text);
}

describe('what the data say of a query', () => {
  it.each([
    [
      'a text that is stored in another case',
      "SELECT COUNT(*) FROM sales WHERE state = 'paid'",
      ["state = 'paid' is compared without regard to case and blanks: 3 instead of 2, +50 %"],
    ],
    [
      'rows that a denied value leaves out',
      "SELECT COUNT(*) FROM sales WHERE state <> 'open'",
      ["rows where state is NULL are kept beside state <> 'open': 4 instead of 3, +33 %"],
    ],
    [
      'a list that is denied',
      "SELECT SUM(pieces) FROM sales WHERE state NOT IN ('open', 'paid')",
      [
        "state NOT IN ('open', 'paid') is compared without regard to case and blanks: another row",
        "rows where state is NULL are kept beside state NOT IN ('open', 'paid'): 6 instead of 2, +200 %",
      ],
    ],
    [
      'rows without a partner that a total is short of',
      'SELECT SUM(pieces) FROM sales JOIN shops ON shops.id = sales.shop_id',
      ['rows without a row of shops are kept (LEFT JOIN): 15 instead of 10, +50 %'],
    ],
    [
      'nothing of rows without a partner that a list leaves out',
      'SELECT sales.id FROM sales JOIN shops ON shops.id = sales.shop_id',
      [],
    ],
    [
      'nothing of a quarter',
      'SELECT (CAST(SUBSTR(name, 1, 1) AS INTEGER) + 2) / 3, SUM(amount) FROM tidy GROUP BY 1',
      [],
    ],
    [
      'nothing of ties that are no more rows',
      'SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY name) AS place FROM shops) WHERE place = 4',
      [],
    ],
    [
      'groups that are called alike',
      'SELECT name, COUNT(*) FROM shops GROUP BY name ORDER BY 2 DESC',
      ['rows of shops that have the same name are kept apart (by id): 4 rows instead of 3'],
    ],
    [
      'groups that differ in case and blanks alone',
      'SELECT town, COUNT(*) FROM shops GROUP BY town',
      [
        'groups whose town differs in case or blanks alone are one: 2 rows instead of 3',
        'rows of shops that have the same town are kept apart (by id): 4 rows instead of 3',
      ],
    ],
    [
      'a tie where LIMIT cuts',
      'SELECT town, COUNT(*) AS n FROM shops GROUP BY town ORDER BY n DESC LIMIT 2',
      ['one row after the 2 that LIMIT takes: it ties with the last one that is shown'],
    ],
    [
      'a tie of ROW_NUMBER',
      'SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY name DESC) AS place FROM shops) WHERE place = 1',
      ['rows that tie are all taken (RANK in place of ROW_NUMBER): 2 rows instead of 1'],
    ],
    [
      'NULLs in an average',
      'SELECT AVG(rating) FROM sales',
      ['where rating is NULL it counts as 0 in the average: 2.8 instead of 3.5, −20 %'],
    ],
    [
      'whole numbers divided',
      'SELECT SUM(pieces) / 2 FROM sales',
      ['SUM(pieces) / 2 keeps its fraction: 7.5 instead of 7, +7.1 %'],
    ],
    [
      'a last day with times, and several forms of a day',
      "SELECT COUNT(*) FROM sales WHERE day BETWEEN '2024-01-01' AND '2024-01-31'",
      [
        'all of 2024-01-31 is in, whatever the time of day: 2 instead of 1, +100 %',
        "sales.day is stored as '2024-01-05' in 3 rows, '03/02/2024' in 1, '2024-01-31 09:00' in 1.",
      ],
    ],
    [
      'a text among numbers',
      'SELECT SUM(price) FROM sales',
      ["sales.price is stored as '10' in 4 rows, 'n/a' in 1."],
    ],
    [
      'a text among numbers, in a table whose name is quoted',
      'SELECT SUM(price) FROM "order"',
      [`"order".price is stored as '10' in 2 rows, 'n/a' in 1`],
    ],
    [
      'nothing of a number that is compared with a text',
      `SELECT COUNT(*) FROM "order" WHERE code = '007'`,
      [],
    ],
    ['nothing of ties behind a star', 'SELECT *, id * 2 AS total FROM tidy ORDER BY total DESC LIMIT 2', []],
    [
      'nothing of groups within',
      'SELECT id FROM shops WHERE town IN (SELECT town FROM shops GROUP BY town)',
      [],
    ],
    ['nothing of any row that LIMIT takes', "SELECT id FROM sales WHERE state = 'paid' LIMIT 1", []],
    ['nothing of rows that are others each time', "SELECT RANDOM() FROM sales WHERE state <> 'open'", []],
    [
      'nothing of spelling where one of equal rows is taken',
      "SELECT worker FROM (SELECT worker, ROW_NUMBER() OVER (ORDER BY hours) AS n FROM shifts WHERE state = 'ok') WHERE n = 3",
      [],
    ],
    [
      'nothing of a column beside an aggregate',
      "SELECT MAX(hours), worker FROM shifts WHERE state = 'ok'",
      [],
    ],
    ['nothing of the order of a list', "SELECT GROUP_CONCAT(worker) FROM shifts WHERE state = 'ok'", []],
    [
      'nothing of partners that ON leaves out',
      "SELECT SUM(pieces) FROM sales JOIN shops ON shops.id = sales.shop_id AND shops.town = 'Ulm'",
      [],
    ],
    [
      'a chain of divisions from its first',
      'SELECT 7 / 2 / 2 FROM tidy WHERE id = 1',
      ['7 / 2 keeps its fraction: 1.75 instead of 1, +75 %'],
    ],
    [
      'no last day that is left out',
      "SELECT COUNT(*) FROM sales WHERE day NOT BETWEEN '2024-01-01' AND '2024-01-31'",
      ["sales.day is stored as '2024-01-05' in 3 rows, '03/02/2024' in 1, '2024-01-31 09:00' in 1"],
    ],
    [
      'no NULL where another denial lets it pass',
      "SELECT COUNT(*) FROM shops WHERE NOT EXISTS (SELECT 1 FROM sales WHERE sales.shop_id = shops.id AND state <> 'open')",
      [],
    ],
    [
      'nothing of tidy rows',
      "SELECT name, SUM(amount) FROM tidy WHERE name <> 'z' GROUP BY name ORDER BY name LIMIT 2",
      [],
    ],
    ['nothing of a query that does not parse', 'SELECT 1 UNION SELECT 2', []],
  ])('tells of %s', async (_, sql, told) => {
    const sentences = told.map((one) =>
      one.includes(' is stored as ') ? `${one.replace(/\.$/, '')}.` : `Done otherwise, ${one}.`,
    );
    expect([...(await observed(sql))].sort()).toEqual(sentences.sort());
  });

  it('tells four things at most, and what is stored first', async () => {
    const told = await observed(
      "SELECT COUNT(*), SUM(price) FROM sales WHERE state <> 'paid' AND state <> 'open' AND day <= '2024-01-31' OR state = 'paid'",
    );
    expect(told).toHaveLength(4);
    expect(told[0]).toMatch(/^sales\.\w+ is stored as/);
  });

  it('ends where the person cancels', async () => {
    const sql = "SELECT COUNT(*) FROM sales WHERE state = 'paid'";
    const { session } = shop;
    const result = await session.database.query(sql, session.config.limits);
    const observing = { session, signal: AbortSignal.abort() };
    await expect(observeQuery(sql, result, observing)).rejects.toThrow();
  });
});
