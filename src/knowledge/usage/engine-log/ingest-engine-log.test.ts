import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../../test/fixtures/code-of.ts';
import { shopCatalog } from '../../../../test/fixtures/usage/shop-catalog.ts';
import { describeWithServer, postgresServer } from '../../../../test/servers/server-of-run.ts';
import { guard } from '../../../database/guard/guard.ts';
import { connect, type Database, guarded } from '../../../database/index.ts';
import { DIALECTS } from '../../../sql/dialects/index.ts';
import { type DialectName, parse } from '../../../sql/index.ts';
import type { StateFile } from '../../../store/index.ts';
import { readUsage } from '../read-usage.ts';
import { ingestLogs } from '../state/ingest-logs.ts';
import { openUsageFile } from '../state/usage-file.ts';
import {
  type EngineLog,
  groupLog,
  ingestEngineLog,
  isOfEngine,
  rangeOfDay,
  readGroups,
} from './ingest-engine-log.ts';

const STATEMENTS = [
  'SELECT c.name FROM orders o JOIN customers c ON o.customer_id = c.id WHERE o.amount > 10',
  'SELECT COUNT(*) FROM order_items',
  'DELETE FROM orders',
  'SELECT * FROM nowhere',
  "SELECT 'not closed",
];
const TABLES = ['orders', 'customers', 'shop.orders', 'elsewhere'];
const DAYS = ['2025-01-28', '2025-01-29', '2025-01-30', '2025-01-31'];

interface Run {
  readonly user: string;
  readonly sql: string;
  readonly table: string;
  readonly at: string;
  readonly isSuccess: boolean;
}

/** Some hundred runs over four days; the last day is not over. */
const RUNS: readonly Run[] = Array.from({ length: 400 }, (_, at) => ({
  user: `user_${(at * 7) % 11}`,
  sql: STATEMENTS[(at + (at >> 3)) % STATEMENTS.length] ?? '',
  table: TABLES[(at + (at >> 2)) % TABLES.length] ?? '',
  at: `${DAYS[at % DAYS.length]} ${String(at % 24).padStart(2, '0')}:${String((at * 13) % 60).padStart(2, '0')}:07`,
  isSuccess: at % 9 !== 0,
}));

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const VALUES = RUNS.map(
  ({ user, sql, table, at, isSuccess }) =>
    `(${quoted(user)}, ${quoted(sql)}, ${quoted(table)}, TIMESTAMP '${at}', ${isSuccess})`,
).join(',\n');
const MAKE = `CREATE TABLE query_log (who TEXT, query TEXT, "Read Table" TEXT, started TIMESTAMP, ok BOOLEAN);
INSERT INTO query_log VALUES ${VALUES}`;

const BY_STATEMENT: EngineLog = {
  ...{ name: 'queries', kind: 'statements', table: ['query_log'] },
  columns: { user: 'who', time: 'started', sql: 'query', success: 'ok' },
};
const BY_TABLE: EngineLog = {
  ...{ name: 'reads', kind: 'tables', table: ['query_log'] },
  columns: { user: 'who', time: 'started', table: 'Read Table', success: 'ok' },
};
const RULES = { catalog: shopCatalog('duckdb'), today: '2025-01-31', days: 10 };

let folder: string;
let database: Database;
let file: StateFile;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-engine-log-'));
  const instance = await DuckDBInstance.create(join(folder, 'log.duckdb'));
  const connection = await instance.connect();
  await connection.run(MAKE);
  connection.closeSync();
  instance.closeSync();
  database = guarded(await connect(`duckdb:${join(folder, 'log.duckdb')}`), { kind: 'own-queries' });
});
beforeEach(async () => {
  files += 1;
  file = await openUsageFile(join(folder, `usage-${files}.sqlite`));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the same runs say, read line by line from a file. */
async function usageOfLines(runs: readonly Run[]) {
  const path = join(folder, `runs-${files}.jsonl`);
  const lines = runs.map(({ user, sql, at, isSuccess }) =>
    JSON.stringify({ user, sql, at, success: isSuccess }),
  );
  await writeFile(path, lines.join('\n'));
  const other = await openUsageFile(join(folder, `lines-${files}.sqlite`));
  await ingestLogs(other, [path], { catalog: RULES.catalog });
  const usage = readUsage(other, { asOf: '2025-01-31' });
  other.close();
  return usage;
}

const past = RUNS.filter(({ at }) => at < '2025-01-31');

describe('ingestEngineLog', () => {
  it('counts what reading the same runs one by one counts', async () => {
    const { counts, readDays, knownDays, groups } = await ingestEngineLog(
      file,
      database,
      BY_STATEMENT,
      RULES,
    );
    expect(readUsage(file, { asOf: '2025-01-31' })).toEqual(await usageOfLines(past));
    expect([readDays, knownDays]).toEqual([10, 0]);
    expect(groups).toBeLessThan(past.length);
    const runsOf = (...which: number[]): number =>
      past.filter(({ sql, isSuccess }) => isSuccess && which.includes(STATEMENTS.indexOf(sql))).length;
    expect(counts).toEqual({
      counted: runsOf(0, 1),
      notReading: runsOf(2),
      unknownTables: runsOf(3),
      'rejected.not-sql': runsOf(4),
    });
  });

  it('counts a table for every run that names it, with schema or without', async () => {
    const { counts } = await ingestEngineLog(file, database, BY_TABLE, RULES);
    const usage = readUsage(file, { asOf: '2025-01-31' });
    const runsOf = (...names: string[]): number =>
      past.filter(({ table, isSuccess }) => isSuccess && names.includes(table)).length;
    expect(Object.fromEntries(usage.tables.map(({ tableId, runs }) => [tableId, runs]))).toEqual({
      orders: runsOf('orders', 'shop.orders'),
      customers: runsOf('customers'),
    });
    expect(counts).toEqual({
      counted: runsOf('orders', 'shop.orders', 'customers'),
      unknownTables: runsOf('elsewhere'),
    });
    expect(usage.unknownTables).toEqual([{ name: 'elsewhere', runs: runsOf('elsewhere') }]);
    expect(usage.examples).toEqual([]);
  });

  it('reads a day once, and later days when they are over', async () => {
    await ingestEngineLog(file, database, BY_STATEMENT, { ...RULES, today: '2025-01-30' });
    const before = readUsage(file, { asOf: '2025-01-31' });
    expect(
      await ingestEngineLog(file, database, BY_STATEMENT, { ...RULES, today: '2025-01-30' }),
    ).toMatchObject({
      ...{ counts: {}, readDays: 0, groups: 0 },
    });
    expect(readUsage(file, { asOf: '2025-01-31' })).toEqual(before);
    expect(await ingestEngineLog(file, database, BY_STATEMENT, RULES)).toMatchObject({
      readDays: 1,
      knownDays: 9,
    });
    expect(readUsage(file, { asOf: '2025-01-31' })).toEqual(await usageOfLines(past));
  });

  it('goes on with the day it was stopped in', async () => {
    const controller = new AbortController();
    const stopped = ingestEngineLog(file, database, BY_STATEMENT, {
      ...RULES,
      signal: controller.signal,
      onProgress: ({ day }) => {
        if (day === '2025-01-29') controller.abort();
      },
    });
    expect(await codeOf(stopped)).toBe('usage.cancelled');
    const { knownDays } = await ingestEngineLog(file, database, BY_STATEMENT, RULES);
    expect(knownDays).toBe(8);
    expect(readUsage(file, { asOf: '2025-01-31' })).toEqual(await usageOfLines(past));
  });

  it('refuses a kind that the engine does not have, and a log without the column it needs', async () => {
    const wrong: EngineLog = { name: 'jobs', kind: 'bigquery-jobs', table: ['x', 'JOBS'] };
    expect(await codeOf(ingestEngineLog(file, database, wrong, RULES))).toBe('usage.no-live-source');
    const without: EngineLog = { ...BY_TABLE, columns: { user: 'who', time: 'started' } };
    expect(await codeOf(ingestEngineLog(file, database, without, RULES))).toBe('config.invalid');
  });
});

describe('readGroups', () => {
  async function sum(rows: number): Promise<Map<string, number>> {
    const runs = new Map<string, number>();
    const limits = { rows, bytes: 1_000_000, timeoutMs: 10_000 };
    for await (const groups of readGroups(database, BY_STATEMENT, rangeOfDay('2025-01-29'), { limits }))
      for (const { user, what, runs: count } of groups)
        runs.set(`${user} ${what}`, (runs.get(`${user} ${what}`) ?? 0) + count);
    return runs;
  }

  it('asks for halves of a range that does not fit, which come to the same', async () => {
    const whole = await sum(10_000);
    expect(whole.size).toBeGreaterThan(20);
    expect(await sum(7)).toEqual(whole);
  });

  it('refuses a second with more groups than fit', async () => {
    expect(await codeOf(sum(0))).toBe('usage.too-many-groups');
  });
});

describe('groupLog', () => {
  const range = rangeOfDay('2025-01-31');
  const kinds: readonly (readonly [DialectName, EngineLog])[] = [
    ...(Object.keys(DIALECTS) as DialectName[]).flatMap((dialect) => [
      [dialect, BY_STATEMENT] as const,
      [dialect, BY_TABLE] as const,
    ]),
    [
      'snowflake',
      { name: 'h', kind: 'snowflake-query-history', table: ['SNOWFLAKE', 'ACCOUNT_USAGE', 'QUERY_HISTORY'] },
    ],
    [
      'snowflake',
      {
        name: 'a',
        kind: 'snowflake-access-history',
        table: ['SNOWFLAKE', 'ACCOUNT_USAGE', 'ACCESS_HISTORY'],
      },
    ],
    ['bigquery', { name: 'j', kind: 'bigquery-jobs', table: ['region-eu', 'INFORMATION_SCHEMA', 'JOBS'] }],
  ];

  it.each(kinds.map(([dialect, log]) => [dialect, log.kind, log] as const))(
    'is SQL of %s that the guard takes: %s',
    (dialect, _, log) => {
      const sql = groupLog(log, dialect, range);
      expect(parse(sql, dialect).ok).toBe(true);
      // The histories of warehouses belong to the engine: all else about them is as the guard wants it.
      if (isOfEngine(log)) expect(() => guard(sql, dialect)).toThrow('belongs to the engine');
      else expect(() => guard(sql, dialect)).not.toThrow();
      expect(sql).toContain('2025-02-01 00:00:00');
    },
  );
});

describeWithServer('postgres', 'a log in PostgreSQL', () => {
  it('counts what reading the same runs one by one counts', async () => {
    const own = await (await postgresServer()).createDatabase('log');
    await own.run(MAKE);
    const log = guarded(await connect(own.url), { kind: 'own-queries' });
    try {
      await ingestEngineLog(file, log, BY_STATEMENT, RULES);
      expect(readUsage(file, { asOf: '2025-01-31' })).toEqual(await usageOfLines(past));
    } finally {
      await log.close();
      await own.drop();
    }
  });
});
