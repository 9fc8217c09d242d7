import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import { checkRestriction, restrictTables, type TableRestriction } from './restrict-tables.ts';
import type { RewriteResult } from './rewrite-result.ts';

const SCHEMA: NamedSchema = {
  tables: [
    {
      id: 'people',
      name: 'People',
      columns: [
        { id: 'people.id', name: 'id', type: 'INTEGER' },
        { id: 'people.e-mail', name: 'e-mail', type: 'VARCHAR(20)' },
      ],
    },
    { id: 'rights', name: 'rights', columns: [{ id: 'rights.id', name: 'id' }] },
  ],
};
const BOTH: TableRestriction = {
  filter: 'id > 1 OR id IS NULL -- own',
  masks: new Map([['people.e-mail', 'NULL']]),
};
const BY_RIGHTS: TableRestriction = { filter: 'id IN (SELECT id FROM rights)', masks: new Map() };

/** What the engine gets; ⏎ stands for a line break. */
const CASES: readonly (readonly [DialectName, string, TableRestriction, string])[] = [
  [
    'sqlite',
    'SELECT id FROM people AS p',
    BOTH,
    'SELECT id FROM (SELECT "People"."id", CAST(NULL AS VARCHAR(20)) AS "e-mail" FROM people WHERE ("People".id > 1 OR "People".id IS NULL -- own⏎) LIMIT -1⏎) AS p',
  ],
  [
    'postgres',
    'SELECT id FROM "People" -- all',
    BOTH,
    'SELECT id FROM (SELECT "People"."id", CASE WHEN 1 = 0 THEN "People"."e-mail" END AS "e-mail" FROM "People" WHERE ("People".id > 1 OR "People".id IS NULL -- own⏎) UNION ALL SELECT "People"."id", CASE WHEN 1 = 0 THEN "People"."e-mail" END AS "e-mail" FROM "People" WHERE FALSE OFFSET 0⏎) AS "People" -- all',
  ],
  [
    'mysql',
    'SELECT COUNT(*) FROM `People`',
    { masks: new Map([['people.e-mail', "CONCAT(LEFT(`e-mail`, 1), '…')"]]) },
    "SELECT COUNT(*) FROM (SELECT `People`.`id`, (CONCAT(LEFT(`e-mail`, 1), '…')⏎) AS `e-mail` FROM `People` LIMIT 18446744073709551615⏎) AS `People`",
  ],
  [
    'duckdb',
    'SELECT id FROM People',
    BY_RIGHTS,
    'SELECT id FROM (SELECT TRY("candor shown"."id") AS "id", TRY("candor shown"."e-mail") AS "e-mail" FROM (SELECT * FROM People WHERE ("People".id IN (SELECT id FROM rights)⏎) LIMIT 9223372036854775807) AS "candor shown"⏎) AS People',
  ],
  [
    'snowflake',
    'SELECT {*} FROM People',
    BY_RIGHTS,
    'SELECT {*} FROM (SELECT * FROM People WHERE ("People".id IN (SELECT id FROM rights)⏎)⏎) AS People',
  ],
  [
    'bigquery',
    'FROM People |> PIVOT (COUNT(*) FOR id IN (1)) AS p |> LEFT UNION ALL BY NAME (SELECT 1 AS id)',
    BY_RIGHTS,
    'FROM (SELECT * FROM People WHERE (`People`.id IN (SELECT id FROM rights)⏎)⏎) AS People |> PIVOT (COUNT(*) FOR id IN (1)) AS p |> LEFT UNION ALL BY NAME (SELECT 1 AS id)',
  ],
  [
    'snowflake',
    'SELECT 1 FROM rights AS r, People WHERE r.id = People.id(+)',
    BY_RIGHTS,
    'SELECT 1 FROM rights AS r, (SELECT * FROM People WHERE ("People".id IN (SELECT id FROM rights)⏎)⏎) AS People WHERE r.id = People.id(+)',
  ],
  [
    'bigquery',
    'FROM People |> WHERE People.id > 1 |> EXTEND 1 AS x |> JOIN People AS p ON p.id = People.id |> AGGREGATE COUNT(*) GROUP BY p.id |> UNION ALL (FROM `People` |> SELECT id, 1)',
    BY_RIGHTS,
    'FROM (SELECT * FROM People WHERE (`People`.id IN (SELECT id FROM rights)⏎)⏎) AS People |> WHERE People.id > 1 |> EXTEND 1 AS x |> JOIN (SELECT * FROM People WHERE (`People`.id IN (SELECT id FROM rights)⏎)⏎) AS p ON p.id = People.id |> AGGREGATE COUNT(*) GROUP BY p.id |> UNION ALL (FROM (SELECT * FROM `People` WHERE (`People`.id IN (SELECT id FROM rights)⏎)⏎) AS `People` |> SELECT id, 1)',
  ],
  [
    'bigquery',
    'SELECT id FROM People',
    BY_RIGHTS,
    'SELECT id FROM (SELECT * FROM People WHERE (`People`.id IN (SELECT id FROM rights)⏎)⏎) AS People',
  ],
];

function restricted(dialect: DialectName, sql: string, restriction: TableRestriction): RewriteResult {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return restrictTables(parsed.tree, new Map([['people', restriction]]), SCHEMA);
}

describe('restrictTables', () => {
  it.each(CASES)('%s: %s', (dialect, sql, restriction, expected) => {
    const result = restricted(dialect, sql, restriction);
    expect(result.ok ? result.tree.text : result.reason).toBe(expected.replaceAll('⏎', '\n'));
  });

  it('takes no column of the query around for one of the table', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE people (name)');
    // The schema still has the column `id`, which the table has lost.
    const sql = 'SELECT (SELECT COUNT(*) FROM people) FROM (SELECT 5 AS id) AS x';
    const result = restricted('sqlite', sql, { filter: 'id > 1', masks: new Map() });
    expect(result.ok).toBe(true);
    expect(() => database.prepare(result.ok ? result.tree.text : '')).toThrow('no such column: People.id');
    database.close();
  });

  it.each<[DialectName, string, TableRestriction, string]>([
    ['sqlite', 'SELECT rowid FROM people', BOTH, 'no star shows'],
    ['postgres', 'SELECT id FROM "People" TABLESAMPLE SYSTEM (50)', BOTH, 'TableSample'],
    [
      'sqlite',
      'WITH Rights AS (SELECT 1 AS id) SELECT id FROM people',
      BY_RIGHTS,
      'no common table expression may be called rights',
    ],
    ['trino', 'SELECT id FROM People TABLESAMPLE SYSTEM (50)', BOTH, 'by blocks'],
    ['trino', 'WITH p AS (TABLE People) SELECT id FROM p TABLESAMPLE SYSTEM (50)', BOTH, 'by blocks'],
    ['snowflake', 'SELECT id FROM (SELECT * FROM People) AS p SAMPLE BLOCK (50)', BY_RIGHTS, 'by blocks'],
    ['duckdb', 'SELECT id FROM People USING SAMPLE 50%', BOTH, 'by blocks'],
    ['duckdb', 'WITH p AS (FROM People) FROM p TABLESAMPLE 50 PERCENT (system)', BOTH, 'by blocks'],
    ['mysql', 'SELECT * FROM (VALUES ((SELECT id FROM `People`))) AS v', BOTH, 'columns of VALUES'],
    [
      'sqlite',
      'SELECT id FROM people WHERE id IN (WITH rights AS (SELECT 1) SELECT 1)',
      BY_RIGHTS,
      'no common table expression may be called',
    ],
    ['sqlite', 'SELECT phone FROM people', BOTH, 'phone has no meaning'],
    [
      'sqlite',
      'SELECT id FROM people',
      { filter: '1 = 1) OR (1 = 1', masks: new Map() },
      'no condition of its own',
    ],
    [
      'sqlite',
      'SELECT id FROM people',
      { filter: 'random() > 0 AND readfile(id)', masks: new Map() },
      'readfile',
    ],
  ])('%s refuses %s', (dialect, sql, restriction, reason) => {
    const result = restricted(dialect, sql, restriction);
    expect(result.ok ? 'restricted' : result.reason).toContain(reason);
  });
});

it('checkRestriction finds a mask of no column', () => {
  const [people] = SCHEMA.tables;
  if (people === undefined) throw new Error('no table');
  const restriction = { masks: new Map([['people.name', 'NULL']]) };
  expect(checkRestriction(restriction, { table: people, dialect: 'sqlite', schema: SCHEMA })).toBe(
    'people.name is masked and no column of people',
  );
});
