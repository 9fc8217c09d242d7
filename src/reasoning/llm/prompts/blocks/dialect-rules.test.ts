import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../../../database/index.ts';
import { type DialectName, parse } from '../../../../sql/index.ts';
import { DIALECT_RULES } from './dialect-rules.ts';

/** What the rules say, as a query with what it gives on an engine that is here; undefined: it fails there. */
const CASES: readonly (readonly [DialectName, said: string, sql: string, value: unknown])[] = [
  ['sqlite', "STRFTIME('%Y', d)", "SELECT STRFTIME('%Y', '2024-01-31')", '2024'],
  ['sqlite', "DATE(d, '-1 month')", "SELECT DATE('2024-01-15', '-1 month')", '2023-12-15'],
  ['sqlite', 'JULIANDAY(a) - JULIANDAY(b)', "SELECT JULIANDAY('2024-01-15') - JULIANDAY('2024-01-10')", 5],
  ['sqlite', 'Whole numbers divide to whole numbers', 'SELECT 3 / 2', 1],
  ['sqlite', 'CAST(a AS REAL) / b', 'SELECT CAST(3 AS REAL) / 2', 1.5],
  ['sqlite', 'no ILIKE', "SELECT 'a' ILIKE 'A'", undefined],
  ['sqlite', 'YEAR', "SELECT YEAR('2024-01-31')", undefined],
  ['duckdb', "DATE '2024-01-31', YEAR(d)", "SELECT YEAR(DATE '2024-01-31')", 2024],
  ['duckdb', "STRFTIME(d, '%Y-%m')", "SELECT STRFTIME(DATE '2024-01-31', '%Y-%m')", '2024-01'],
  ['duckdb', "DATE_DIFF('day', a, b)", "SELECT DATE_DIFF('day', DATE '2024-01-10', DATE '2024-01-15')", 5],
  ['duckdb', '/ gives a fraction', 'SELECT 3 / 2', 1.5],
  ['duckdb', '// a whole number', 'SELECT 3 // 2', 1],
  ['duckdb', 'ILIKE', "SELECT 'a' ILIKE 'A'", true],
];

/** What the rules say for engines that are not here: our parser knows it as SQL of the dialect. */
const WRITTEN: readonly (readonly [DialectName, said: string, sql: string])[] = [
  ['postgres', "TO_CHAR(d, 'YYYY-MM')", "SELECT TO_CHAR(d, 'YYYY-MM') FROM t"],
  ['postgres', "d + INTERVAL '1 day'", "SELECT d + INTERVAL '1 day' FROM t"],
  ['mysql', 'DATE_SUB(d, INTERVAL 1 MONTH)', 'SELECT DATE_SUB(d, INTERVAL 1 MONTH) FROM `a b`'],
  ['mysql', 'ORDER BY x IS NULL, x', 'SELECT x FROM t ORDER BY x IS NULL, x'],
  ['mysql', 'DIV a whole number', 'SELECT 3 DIV 2'],
  ['trino', 'OFFSET stands before LIMIT', 'SELECT x FROM t OFFSET 1 LIMIT 2'],
  ['trino', "DATE_DIFF('day', a, b)", "SELECT DATE_DIFF('day', a, b) FROM t"],
  ['snowflake', 'v:key::STRING', 'SELECT v:key::STRING FROM t'],
  ['snowflake', 'LATERAL FLATTEN(input => v)', 'SELECT f.value FROM t, LATERAL FLATTEN(input => v) f'],
  ['bigquery', 'DATE_TRUNC(d, MONTH)', 'SELECT DATE_TRUNC(d, MONTH) FROM `p.s.t`'],
  ['bigquery', 'Lists: UNNEST', 'SELECT x FROM t, UNNEST(xs) AS x'],
];

describe('the rules of a dialect', () => {
  let folder: string;
  const engines = new Map<DialectName, Database>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'candor-dialects-'));
    new DatabaseSync(join(folder, 'a.sqlite')).exec('CREATE TABLE t (a)');
    const duckdb = await DuckDBInstance.create(join(folder, 'a.duckdb'));
    duckdb.closeSync();
    engines.set('sqlite', await connect(`sqlite:${join(folder, 'a.sqlite')}`));
    engines.set('duckdb', await connect(`duckdb:${join(folder, 'a.duckdb')}`));
  });
  afterAll(async () => {
    for (const engine of engines.values()) await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(CASES)('hold on %s: %s', async (dialect, said, sql, value) => {
    expect(Object.values(DIALECT_RULES[dialect]).join(' ')).toContain(said);
    const limits = { rows: 1, bytes: 1_000, timeoutMs: 10_000 };
    const run = engines.get(dialect)?.query(sql, limits);
    if (value === undefined) await expect(run).rejects.toThrow();
    else expect((await run)?.rows).toEqual([[value]]);
  });

  it.each(WRITTEN)('are SQL of %s: %s', (dialect, said, sql) => {
    expect(Object.values(DIALECT_RULES[dialect]).join(' ')).toContain(said);
    expect(parse(sql, dialect)).not.toHaveProperty('error');
  });
});
