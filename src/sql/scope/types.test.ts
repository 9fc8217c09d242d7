import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { childrenIn } from '../tree/node.ts';
import { scopes } from './scopes.ts';
import type { NamedSchema } from './state/schema-index.ts';
import { types } from './types.ts';

const TYPES = {
  i: 'INTEGER',
  r: 'DECIMAL(8,2)',
  s: 'VARCHAR(20)',
  d: 'DATE',
  t: 'TIMESTAMP',
  b: 'BOOLEAN',
  j: 'JSON',
  l: 'ARRAY<STRING>',
};
const SCHEMA: NamedSchema = {
  tables: [
    {
      id: 'x',
      name: 'x',
      columns: Object.entries(TYPES).map(([name, type]) => ({ id: `x.${name}`, name, type })),
    },
  ],
};

/** The families of the select list. */
function familiesOf(sql: string, dialect: DialectName): string {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${sql}: ${parsed.error.message}`);
  const { tree } = parsed;
  const families = types(tree, scopes(tree, SCHEMA));
  const select = tree.root.type === 'Select' ? tree.root : tree.root.children[0];
  return childrenIn(select ?? tree.root, 'expressions')
    .map((item) => families[item.id])
    .join(' ');
}

const CASES: readonly (readonly [dialect: DialectName, sql: string, families: string])[] = [
  ['sqlite', 'SELECT i, r, s, d, t, b, j, nope FROM x', 'numeric numeric text date date bool other unknown'],
  ['sqlite', `SELECT 1, 1.5, 'a', "a", NULL, x'ff' FROM x`, 'numeric numeric text text unknown other'],
  ['postgres', "SELECT TRUE, DATE '2024-01-01', INTERVAL '1 day' FROM x", 'bool date other'],
  [
    'sqlite',
    'SELECT i + r, i * 2, -i, i / 2, s || i, (i) FROM x',
    'numeric numeric numeric numeric text numeric',
  ],
  [
    'sqlite',
    'SELECT i = 1, NOT b, s LIKE 1, i IN (1), i IS NULL, i BETWEEN 1 AND 2 FROM x',
    'bool bool bool bool bool bool',
  ],
  [
    'postgres',
    "SELECT d + 1, d - d, d + INTERVAL '1 day', t - INTERVAL '1 day' FROM x",
    'date numeric date date',
  ],
  ['sqlite', 'SELECT CAST(s AS REAL), CAST(i AS TEXT), CAST(s AS whatever) FROM x', 'numeric text unknown'],
  ['postgres', 'SELECT s::int, s::timestamp with time zone, j->s, j->>s FROM x', 'numeric date other text'],
  [
    'sqlite',
    'SELECT CASE WHEN b THEN 1 ELSE 2 END, CASE WHEN b THEN s END, CASE WHEN b THEN 1 ELSE s END FROM x',
    'numeric text unknown',
  ],
  [
    'sqlite',
    'SELECT count(*), max(s), min(DISTINCT d), avg(i), total(i) FROM x',
    'numeric text date numeric numeric',
  ],
  [
    'sqlite',
    "SELECT coalesce(NULL, s), ifnull(i, 0), iif(b, d, NULL), nullif(s, '') FROM x",
    'text numeric date text',
  ],
  [
    'sqlite',
    "SELECT upper(s), length(s), strftime('%Y', d), date(s), julianday(d) FROM x",
    'text numeric text date numeric',
  ],
  [
    'sqlite',
    'SELECT row_number() OVER (), lag(s) OVER (ORDER BY i), sum(i) FILTER (WHERE b) FROM x',
    'numeric text numeric',
  ],
  [
    'postgres',
    'SELECT extract(year FROM d), date_trunc(s, d), now(), current_date FROM x',
    'numeric date date date',
  ],
  [
    'snowflake',
    'SELECT DATEDIFF(day, d, d), DATEADD(day, 1, d), IFF(b, s, s), j:a, j:a::string FROM x',
    'numeric date text other text',
  ],
  [
    'bigquery',
    'SELECT SAFE_CAST(s AS INT64), PARSE_DATE(s, s), REGEXP_CONTAINS(s, s), [1], STRUCT(1) FROM x',
    'numeric date bool other other',
  ],
  [
    'mysql',
    "SELECT DATE_FORMAT(d, '%Y'), TIMESTAMPDIFF(YEAR, d, d), CONCAT(s, i), IF(b, 1, 2) FROM x",
    'text numeric text numeric',
  ],
  [
    'trino',
    'SELECT date_diff(s, d, d), element_at(l, 1), cardinality(l), any_value(d) FROM x',
    'numeric unknown numeric date',
  ],
  // Through names: aliases, derived tables, CTEs, set operations, subqueries, merged columns, arrays.
  ['sqlite', 'SELECT q, w FROM (SELECT i + 1 AS q, max(s) AS w FROM x)', 'numeric text'],
  ['sqlite', 'WITH c(q) AS (SELECT d FROM x) SELECT q, (SELECT max(q) FROM c) FROM c', 'date date'],
  ['sqlite', 'WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c) SELECT n FROM c', 'numeric'],
  ['sqlite', 'SELECT q FROM (SELECT i AS q FROM x UNION SELECT r FROM x)', 'numeric'],
  ['sqlite', 'SELECT q FROM (SELECT i AS q FROM x UNION SELECT s FROM x)', 'unknown'],
  ['sqlite', 'SELECT i, a.s FROM x a JOIN x b2 USING (i)', 'numeric text'],
  ['duckdb', 'SELECT i + 1 AS q, q, q || s FROM x', 'numeric numeric text'],
  ['sqlite', "SELECT column1, column2 FROM (VALUES (1, 'a'), (2, 'b'))", 'numeric text'],
  [
    'bigquery',
    'SELECT e, n, p FROM x, UNNEST(l) AS e WITH OFFSET AS p, UNNEST([1, 2]) AS n',
    'text numeric numeric',
  ],
  [
    'snowflake',
    'SELECT f.index, f.key, f.value FROM x, LATERAL FLATTEN(input => j) f',
    'numeric text unknown',
  ],
  ['bigquery', 'SELECT j.a, x.j, x FROM x', 'unknown other other'],
];

describe('the families of select lists', () => {
  it.each(CASES)('%s: %s', (dialect, sql, families) => {
    expect(familiesOf(sql, dialect)).toBe(families);
  });
});

it('reads a chain as long as the parser lets through', () => {
  expect(familiesOf(`SELECT i${' + 1'.repeat(900)} FROM x`, 'postgres')).toBe('numeric');
});
