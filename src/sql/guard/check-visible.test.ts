import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import type { NamedSchema, NamedTable } from '../scope/state/schema-index.ts';
import { checkVisible } from './check-visible.ts';

function table(id: string, name: string, home: Partial<NamedTable> = {}): NamedTable {
  const columns = ['id', 'email'].map((column) => ({ id: `${id}.${column}`, name: column }));
  return { id, name, columns, ...home };
}

/** The search path of this server is `app`: names in `public` and `secret` need their schema. */
const POSTGRES: NamedSchema = {
  tables: [
    table('public.orders', 'orders', { schema: 'public', qualifier: ['public'] }),
    table('orders', 'orders', { schema: 'app' }),
    table('secret.rows', 'rows', { schema: 'secret', qualifier: ['secret'] }),
    table('mixed', 'Mixed', { schema: 'app' }),
  ],
};
const PLAIN: NamedSchema = { tables: [table('orders', 'orders'), table('notes', 'notes')] };
const RAISED: NamedSchema = {
  tables: [table('s.orders', 'ORDERS', { catalog: 'DB', schema: 'S', qualifier: ['DB', 'S'] })],
};
const SHARDS: NamedSchema = {
  tables: [table('p.d.events_1', 'events_1', { catalog: 'p', schema: 'd', qualifier: ['p', 'd'] })],
};

const AT_HOME: NamedSchema = { ...PLAIN, home: { schema: 'shop' } };
const FILE: NamedSchema = {
  tables: [
    table('orders', 'orders'),
    table('sales.lines', 'lines', { schema: 'sales', qualifier: ['sales'] }),
  ],
  home: { catalog: 'shop', schema: 'main' },
};
const PROJECT: NamedSchema = {
  tables: [table('d.orders', 'orders', { schema: 'd', qualifier: ['d'] })],
  home: { catalog: 'p-1' },
};

/** The name that is refused, or none. */
const CASES: readonly (readonly [DialectName, string, NamedSchema, refused: string | undefined])[] = [
  ['postgres', 'SELECT id FROM orders', POSTGRES, undefined],
  ['postgres', 'SELECT id FROM app.orders', POSTGRES, undefined],
  ['postgres', 'SELECT id FROM public.orders', POSTGRES, undefined],
  ['postgres', 'SELECT id FROM secret.rows AS r WHERE r.email IS NULL', POSTGRES, undefined],
  // The engine would look for this name in the schemas of its search path.
  ['postgres', 'SELECT id FROM rows', POSTGRES, 'rows'],
  ['postgres', 'SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM rows)', POSTGRES, 'rows'],
  ['postgres', 'SELECT id FROM other.orders', POSTGRES, 'other.orders'],
  // Letters: plain names are lowered, quoted ones are not.
  ['postgres', 'SELECT ID FROM Orders', POSTGRES, undefined],
  ['postgres', 'SELECT id FROM "Orders"', POSTGRES, 'Orders'],
  ['postgres', 'SELECT id FROM Mixed', POSTGRES, 'Mixed'],
  ['postgres', 'SELECT id FROM "Mixed"', POSTGRES, undefined],
  // Steps hide no table, and none takes what the steps before it call something for a table.
  ...(
    [
      'FROM d.secret',
      'FROM d.orders |> JOIN d.secret USING (id)',
      'FROM d.orders |> WHERE id > 1 |> LEFT JOIN d.secret AS s ON TRUE |> SELECT 1 AS x',
      'FROM d.orders |> UNION ALL (FROM d.orders), (FROM d.secret)',
      'FROM d.orders |> AS c |> EXTEND (SELECT MAX(v) FROM d.secret) AS x',
      'FROM d.orders |> AGGREGATE COUNT(*) AS n |> WHERE n IN (FROM d.secret |> SELECT v)',
      'FROM d.orders AS a, d.orders AS d |> JOIN d.secret ON TRUE',
      'SELECT * FROM (FROM d.secret |> SELECT v)',
      'SELECT * FROM d.orders |> WHERE EXISTS (FROM d.secret)',
      'WITH orders AS (FROM d.secret) FROM orders |> SELECT 1 AS x',
    ] as const
  ).map((sql) => ['bigquery', sql, PROJECT, 'd.secret'] as const),
  ['bigquery', 'FROM d.orders |> AS d |> SELECT d.id |> JOIN d.email AS e ON TRUE', PROJECT, 'd.email'],
  [
    'bigquery',
    'WITH s AS (FROM d.orders |> SELECT id) FROM s |> DROP id |> CROSS JOIN s',
    PROJECT,
    undefined,
  ],
  ['bigquery', 'FROM d.orders |> SELECT id |> WHERE email IS NULL', PROJECT, 'email'],
  ['bigquery', 'FROM d.orders |> DROP email |> SELECT orders.email', PROJECT, 'orders'],
  // A name with escapes is the one that it spells.
  ['postgres', 'SELECT id FROM U&"\\0072ows"', POSTGRES, 'rows'],
  ['postgres', 'SELECT id FROM U&"orders#0073" UESCAPE \'#\'', POSTGRES, 'orderss'],
  ['postgres', 'WITH U&"Row\\0073" AS (SELECT 1 AS id) SELECT id FROM rows', POSTGRES, 'rows'],
  ['postgres', 'SELECT U&"\\0069d" FROM U&"s\\0065cret".U&"row!0073" UESCAPE \'!\'', POSTGRES, undefined],
  // A quoted path is never that of an array, though an alias is called like its first part.
  ['bigquery', 'SELECT x FROM (SELECT [1] AS secret) AS d, d.secret AS x', PROJECT, undefined],
  ['bigquery', 'SELECT x FROM (SELECT [1] AS secret) AS d, `d`.`secret` AS x', PROJECT, undefined],
  ['bigquery', 'SELECT x FROM (SELECT [1] AS secret) AS d, `d.secret` AS x', PROJECT, 'd.secret'],
  ['bigquery', 'SELECT x FROM (SELECT STRUCT([1] AS b) AS d) AS p, `p.d`.b AS x', PROJECT, 'p.d.b'],
  ['snowflake', 'SELECT id FROM db.s.orders', RAISED, undefined],
  ['snowflake', 'SELECT id FROM db.s."orders"', RAISED, 'db.s.orders'],
  ['snowflake', 'SELECT id FROM orders', RAISED, 'orders'],
  ['mysql', 'SELECT id FROM orders', PLAIN, undefined],
  ['mysql', 'SELECT id FROM ORDERS', PLAIN, 'ORDERS'],
  ['mysql', 'SELECT id FROM mysql2.orders', PLAIN, 'mysql2.orders'],
  ['mysql', 'SELECT 1 FROM dual WHERE EXISTS (SELECT 1 FROM orders)', PLAIN, undefined],
  ['mysql', 'SELECT 1 FROM `dual`', PLAIN, 'dual'],
  ['mysql', 'SELECT 1 FROM x.dual', PLAIN, 'x.dual'],
  ['duckdb', 'SELECT id FROM ORDERS', PLAIN, undefined],
  // The place of the connection may stand before a name, and no other.
  ['mysql', 'SELECT shop.orders.id FROM shop.orders', AT_HOME, undefined],
  ['mysql', 'SELECT id FROM `shop`.`orders` AS o JOIN notes USING (id)', AT_HOME, undefined],
  ['mysql', 'SELECT id FROM Shop.orders', AT_HOME, 'Shop.orders'],
  ['mysql', 'SELECT id FROM other.orders', AT_HOME, 'other.orders'],
  ['mysql', 'SELECT id FROM orders WHERE id IN (SELECT id FROM other.notes)', AT_HOME, 'other.notes'],
  ['mysql', 'SELECT id FROM shop.hidden', AT_HOME, 'shop.hidden'],
  ['mysql', 'WITH orders AS (SELECT 1 AS id) SELECT id FROM shop.orders', AT_HOME, undefined],
  ['mysql', 'WITH hidden AS (SELECT 1 AS id) SELECT id FROM shop.hidden', AT_HOME, 'shop.hidden'],
  ['duckdb', 'SELECT main.orders.id FROM main.orders', FILE, undefined],
  ['duckdb', 'SELECT id FROM SHOP.main."orders"', FILE, undefined],
  ['duckdb', 'SELECT id FROM shop.orders', FILE, undefined],
  ['duckdb', 'SELECT id FROM shop.sales.lines, sales.lines', FILE, undefined],
  ['duckdb', 'SELECT id FROM shop.lines', FILE, 'shop.lines'],
  ['duckdb', 'SELECT id FROM main.lines', FILE, 'main.lines'],
  ['duckdb', 'SELECT id FROM other.main.orders', FILE, 'other.main.orders'],
  ['duckdb', 'SELECT id FROM other.orders', FILE, 'other.orders'],
  ['duckdb', 'SELECT id FROM shop.shop.orders', FILE, 'shop.shop.orders'],
  ['duckdb', 'SELECT id FROM main.orders', PLAIN, 'main.orders'],
  ['postgres', 'SELECT id FROM shop.app.orders', { ...POSTGRES, home: { catalog: 'shop' } }, undefined],
  ['postgres', 'SELECT id FROM "shop".public.orders', { ...POSTGRES, home: { catalog: 'shop' } }, undefined],
  [
    'postgres',
    'SELECT id FROM other.public.orders',
    { ...POSTGRES, home: { catalog: 'shop' } },
    'other.public.orders',
  ],
  ['postgres', 'SELECT id FROM shop.orders', { ...POSTGRES, home: { catalog: 'shop' } }, 'shop.orders'],
  ['postgres', 'SELECT id FROM shop.app.rows', { ...POSTGRES, home: { catalog: 'shop' } }, 'shop.app.rows'],
  ['postgres', 'SELECT id FROM shop.secret.rows', { ...POSTGRES, home: { catalog: 'shop' } }, undefined],
  ['bigquery', 'SELECT id FROM `p-1.d.orders`, p-1.d.orders AS o, d.orders AS q', PROJECT, undefined],
  ['bigquery', 'SELECT id FROM `p-2.d.orders`', PROJECT, 'p-2.d.orders'],
  ['sqlite', 'SELECT id FROM "Orders", main.notes AS n', PLAIN, undefined],
  ['sqlite', 'SELECT id FROM temp.orders', PLAIN, 'temp.orders'],
  // U+212A, the Kelvin sign, is K to JavaScript and to no engine.
  ['sqlite', 'SELECT id FROM note\u212A', { tables: [table('notek', 'notek')] }, 'note\u212A'],
  ['sqlite', 'SELECT 1 IN orders, 2 IN main.orders', PLAIN, undefined],
  ['sqlite', 'SELECT 1 IN hidden', PLAIN, 'hidden'],
  // FTS5: the table's own name and its rank are columns that no star shows.
  ['sqlite', "SELECT id, rank FROM notes WHERE notes MATCH 'x' ORDER BY rank, bm25(notes)", PLAIN, undefined],
  ['sqlite', "SELECT highlight(notes, 0, '<', '>') FROM notes WHERE email MATCH 'x'", PLAIN, undefined],
  ['sqlite', 'SELECT rank FROM notes', PLAIN, 'rank'],
  ['sqlite', "SELECT id FROM notes WHERE orders MATCH 'x'", PLAIN, 'orders'],
  ['sqlite', 'SELECT bm25(orders) FROM notes', PLAIN, 'orders'],
  ['snowflake', 'SELECT $1 FROM db.s.orders AS o WHERE o.$2 IS NULL', RAISED, undefined],
  [
    'snowflake',
    'SELECT LEVEL FROM db.s.orders START WITH id = 1 CONNECT BY PRIOR id = email',
    RAISED,
    undefined,
  ],
  ['snowflake', 'SELECT LEVEL FROM db.s.orders', RAISED, 'LEVEL'],
  ['duckdb', 'SELECT #1 FROM orders ORDER BY #2', PLAIN, undefined],
  ['duckdb', 'SELECT #1 FROM hidden', PLAIN, 'hidden'],
  ['mysql', "SELECT j.a FROM orders, JSON_TABLE(email, '$' COLUMNS (a INT PATH '$')) AS j", PLAIN, undefined],
  ['mysql', "SELECT j.b FROM orders, JSON_TABLE(email, '$' COLUMNS (a INT PATH '$')) AS j", PLAIN, 'j.b'],
  [
    'mysql',
    "SELECT 1 FROM JSON_TABLE((SELECT email FROM hidden), '$' COLUMNS (a INT PATH '$')) AS j",
    PLAIN,
    'hidden',
  ],
  // A CTE hides the table of its name, but only where every engine thinks so.
  ['postgres', 'WITH orders AS (SELECT id FROM orders) SELECT id FROM orders', POSTGRES, undefined],
  ['postgres', 'WITH rows AS (SELECT 1 AS id) SELECT id FROM rows', POSTGRES, undefined],
  ['postgres', 'WITH "Rows" AS (SELECT 1 AS id) SELECT id FROM rows', POSTGRES, 'rows'],
  ['postgres', 'WITH Rows AS (SELECT 1 AS id) SELECT id FROM "rows"', POSTGRES, undefined],
  ['mysql', 'WITH Hidden AS (SELECT 1 AS id) SELECT id FROM hidden', PLAIN, 'hidden'],
  ['bigquery', 'WITH Hidden AS (SELECT 1 AS id) SELECT id FROM hidden', PLAIN, undefined],
  [
    'postgres',
    '(WITH rows AS (SELECT 1 AS id) SELECT id FROM rows) UNION SELECT id FROM rows',
    POSTGRES,
    'rows',
  ],
  [
    'duckdb',
    'WITH RECURSIVE a AS (SELECT id FROM hidden), hidden AS (SELECT 1 AS id) SELECT id FROM a',
    PLAIN,
    'hidden',
  ],
  [
    'duckdb',
    'WITH RECURSIVE n AS (SELECT id, email FROM n UNION ALL SELECT email, id FROM n) SELECT id FROM n',
    PLAIN,
    'n',
  ],
  [
    'postgres',
    'WITH RECURSIVE n (id) AS (SELECT id FROM orders UNION ALL SELECT id + 1 FROM n WHERE id < 5) SELECT id FROM n',
    POSTGRES,
    undefined,
  ],
  ['duckdb', 'SELECT id FROM (PIVOT hidden ON id USING count(*))', PLAIN, 'hidden'],
  ['duckdb', 'FROM (FROM hidden)', PLAIN, 'hidden'],
  [
    'trino',
    'SELECT id, n FROM orders MATCH_RECOGNIZE (PARTITION BY id MEASURES A.email AS n PATTERN (A) DEFINE A AS TRUE)',
    PLAIN,
    undefined,
  ],
  [
    'trino',
    'SELECT * FROM hidden MATCH_RECOGNIZE (MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE)',
    PLAIN,
    'hidden',
  ],
  [
    'trino',
    'SELECT * FROM orders MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS EXISTS (SELECT 1 FROM hidden))',
    PLAIN,
    'hidden',
  ],
  [
    'snowflake',
    'SELECT n FROM db.s.orders MATCH_RECOGNIZE (MEASURES (SELECT MAX(id) FROM hidden) n PATTERN (a) DEFINE a AS TRUE)',
    RAISED,
    'hidden',
  ],
  ['trino', 'SELECT * FROM orders MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS A.phone = 1)', PLAIN, 'A.phone'],
  [
    'trino',
    'SELECT * FROM orders MATCH_RECOGNIZE (MEASURES LAST(U.phone) AS p PATTERN (A B) SUBSET U = (A, B) DEFINE A AS TRUE)',
    PLAIN,
    'U.phone',
  ],
  [
    'snowflake',
    'SELECT * FROM db.s.orders MATCH_RECOGNIZE (ORDER BY phone PATTERN (a) DEFINE a AS TRUE)',
    RAISED,
    'phone',
  ],
  // Neither another table nor the own one has a name inside, and the rest of its columns is gone outside.
  [
    'trino',
    'SELECT * FROM notes, orders MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS notes.id = 1)',
    PLAIN,
    'notes',
  ],
  ['trino', 'SELECT * FROM orders MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS orders.id = 1)', PLAIN, 'orders'],
  [
    'trino',
    'SELECT email FROM orders MATCH_RECOGNIZE (PARTITION BY id PATTERN (A) DEFINE A AS TRUE)',
    PLAIN,
    'email',
  ],
  ['postgres', 'TABLE rows', POSTGRES, 'rows'],
  ['bigquery', 'SELECT id FROM `p.d.events_*`', SHARDS, undefined],
  ['bigquery', 'SELECT id FROM `p.other.events_*`', SHARDS, 'p.other.events_*'],
  ['sqlite', 'SELECT phone FROM orders', PLAIN, 'phone'],
  ['sqlite', 'SELECT o.phone FROM orders AS o', PLAIN, 'o.phone'],
];

function hiddenName(dialect: DialectName, sql: string, schema: NamedSchema, allowsWildcards = true) {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return checkVisible(parsed.tree, schema, { allowsWildcards });
}

describe('checkVisible', () => {
  it.each(CASES)('%s: %s', (dialect, sql, schema, refused) => {
    expect(hiddenName(dialect, sql, schema)?.name).toBe(refused);
  });

  it('lets no wildcard pass where tables are hidden', () => {
    const found = hiddenName('bigquery', 'SELECT id FROM `p.d.events_*`', SHARDS, false);
    expect(found?.name).toBe('p.d.events_*');
  });

  it('says how the table is written, and what is near', () => {
    expect(hiddenName('postgres', 'SELECT id FROM rows', POSTGRES)?.reason).toBe(
      'the table is written secret.rows',
    );
    expect(hiddenName('sqlite', 'SELECT id FROM ordres', PLAIN)).toMatchObject({
      reason: 'there is no such table',
      nearest: ['orders'],
      span: { start: 15, end: 21 },
    });
  });
});
