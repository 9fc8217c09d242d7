import type { Catalog } from '../../../catalog/index.ts';
import { type Database, decorate } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { parse, replaceTables, type TableQueries } from '../../../sql/index.ts';

/**
 * The same database, in which some tables are queries over themselves: a merged table that nobody had to create.
 * `whole` has every column that the queries read or show. Throws `sql.parse-failed`, `database.not-restrictable`.
 */
export function withTables(database: Database, queries: TableQueries, whole: Catalog): Database {
  if (queries.size === 0) return database;
  const rewrite = (sql: string): string => {
    const parsed = parse(sql, database.dialect);
    if (!parsed.ok) throw new CandorError('sql.parse-failed', parsed.error.message);
    const replaced = replaceTables(parsed.tree, queries, whole);
    if (!replaced.ok) throw new CandorError('database.not-restrictable', replaced.reason);
    return replaced.tree.text;
  };
  return decorate(database, (below) => ({
    query: async (sql, limits, signal) => below.query(rewrite(sql), limits, signal),
    explain: async (sql, signal) => below.explain(rewrite(sql), signal),
  }));
}
