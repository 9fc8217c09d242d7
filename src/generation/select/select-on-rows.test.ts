/** Candidates that SQLite and DuckDB ran. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, guarded } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { parse } from '../../sql/index.ts';
import { selectCandidate } from './select-candidate.ts';
import type { CandidateOutcome, SelectionCandidate } from './selection-candidate.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 30_000 };
const SALES = `CREATE TABLE sales AS
  SELECT 'Lyon' AS city, 10.25 AS amount UNION ALL SELECT 'Lyon', 9.75 UNION ALL SELECT 'Nice', 4.0`;

const CASES: readonly { readonly why: string; readonly sqls: readonly string[]; readonly chosen: number }[] =
  [
    {
      why: 'columns, rows and types in another order and form are one answer',
      sqls: [
        'SELECT city, SUM(amount) FROM sales GROUP BY city HAVING SUM(amount) > 5',
        'SELECT city, SUM(amount) FROM sales GROUP BY city ORDER BY 2 DESC',
        'SELECT CAST(SUM(amount) AS INTEGER) AS total, city FROM sales GROUP BY city ORDER BY city DESC',
      ],
      chosen: 1,
    },
    {
      why: 'a value in another spelling finds nothing and outvotes nobody',
      sqls: [
        "SELECT amount FROM sales WHERE city = 'NICE'",
        "SELECT amount FROM sales WHERE city = 'Nice'",
        "SELECT SUM(amount) FROM sales WHERE city = 'NICE'",
      ],
      chosen: 1,
    },
    {
      why: 'what the engine refuses does not vote',
      sqls: [
        'SELECT COUNT(town) FROM sales',
        'SELECT COUNT(town) FROM sales',
        'SELECT COUNT(city) FROM sales',
      ],
      chosen: 2,
    },
  ];

const make = {
  sqlite: async (path: string) => {
    const writer = new DatabaseSync(path);
    writer.exec(SALES);
    writer.close();
  },
  duckdb: async (path: string) => {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(SALES);
    connection.closeSync();
    instance.closeSync();
  },
};

describe.each(['sqlite', 'duckdb'] as const)('selectCandidate on rows of %s', (dialect) => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'candor-select-'));
    const path = join(folder, `sales.${dialect}`);
    await make[dialect](path);
    database = guarded(await connect(`${dialect}:${path}`), { kind: 'own-queries' });
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const run = async (sql: string): Promise<CandidateOutcome> => {
    try {
      return { kind: 'rows', result: await database.query(sql, LIMITS) };
    } catch (error) {
      if (error instanceof CandorError) return { kind: 'failed', message: error.message };
      throw error;
    }
  };

  it.each(CASES)('$why', async ({ sqls, chosen }) => {
    const candidates: SelectionCandidate[] = [];
    for (const [index, sql] of sqls.entries()) {
      const read = parse(sql, dialect);
      const outcome = await run(sql);
      candidates.push({ index, problems: [], outcome, ...(read.ok && { tree: read.tree }) });
    }
    expect(selectCandidate(candidates).chosen).toBe(chosen);
  });
});
