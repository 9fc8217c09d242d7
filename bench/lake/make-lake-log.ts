import { DuckDBInstance } from '@duckdb/node-api';
import type { Company } from './company.ts';

export const FIRST_DAY = '2024-11-02';
export const LOG_DAYS = 90;
/** A person runs a table on one day of the week, so that a run of many has some 13 days. */
const WEEK = 7;
/** For DuckDB, which would take most of the machine's; what does not fit goes to files. */
export const ENGINE_MEMORY = '6GB';
const PAIRS_AT_ONCE = 100_000;

/**
 * The query log of a company as a DuckDB file: names in dictionaries, runs as numbers in the order of their times, and
 * `query_log`, a view that looks like the log of a warehouse. Gives the number of runs.
 */
export async function makeLakeLog(path: string, company: Company): Promise<number> {
  const instance = await DuckDBInstance.create(path, { threads: '2', memory_limit: ENGINE_MEMORY });
  const connection = await instance.connect();
  try {
    await connection.run(`
      CREATE TABLE users (id INTEGER, name TEXT); CREATE TABLE tables (id INTEGER, name TEXT);
      CREATE TABLE pairs (user_id INTEGER, table_id INTEGER, runs INTEGER);
      CREATE TABLE runs (ran_at TIMESTAMP, user_id INTEGER, table_id INTEGER, ok BOOLEAN)`);
    const users = await connection.createAppender('users');
    const pairs = await connection.createAppender('pairs');
    const used = new Set<number>();
    let appended = 0;
    for (let user = 0; user < company.users; user += 1) {
      users.appendInteger(user);
      users.appendVarchar(company.userName(user));
      users.endRow();
      for (const { table, runs } of company.readsOf(user)) {
        used.add(table);
        pairs.appendInteger(user);
        pairs.appendInteger(table);
        pairs.appendInteger(runs);
        pairs.endRow();
        appended += 1;
        if (appended % PAIRS_AT_ONCE === 0) pairs.flushSync();
      }
    }
    users.closeSync();
    pairs.closeSync();
    const tables = await connection.createAppender('tables');
    for (const table of used) {
      tables.appendInteger(table);
      tables.appendVarchar(company.tableId(table));
      tables.endRow();
    }
    tables.closeSync();
    for (let day = 0; day < LOG_DAYS; day += 1) await connection.run(runsOfDay(day));
    await connection.run(`
      CREATE VIEW query_log AS
      SELECT u.name AS user_name, t.name AS table_name, r.ran_at AS started_at, r.ok AS is_success,
        'SELECT * FROM ' || t.name || ' WHERE 1 = ' || (r.user_id % 7) AS query_text
      FROM runs r JOIN users u ON u.id = r.user_id JOIN tables t ON t.id = r.table_id`);
    const counted = await connection.runAndReadAll('SELECT COUNT(*) FROM runs');
    return Number(counted.getRows()[0]?.[0]);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Of every pair whose day it is, its share of the runs; one in fifty fails. */
function runsOfDay(day: number): string {
  const weeks = Math.ceil(LOG_DAYS / WEEK);
  const week = Math.floor(day / WEEK);
  return `
    INSERT INTO runs
    SELECT TIMESTAMP '${FIRST_DAY}' + INTERVAL ${day} DAY + to_seconds((hash(user_id, table_id, n) % 86400)::INTEGER) AS ran_at,
      user_id, table_id, hash(n, user_id) % 50 <> 0
    FROM (
      SELECT user_id, table_id, unnest(range(runs * ${week} // ${weeks}, runs * ${week + 1} // ${weeks})) AS n
      FROM pairs WHERE hash(user_id, table_id) % ${WEEK} = ${day % WEEK}
    ) ORDER BY ran_at`;
}
