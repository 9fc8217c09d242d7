import type { Database } from '../database.ts';
import { type ScopeReader, tablePath } from './table-scope.ts';

/** The same database with the tables of a scope alone; queries go through as they are: the guard holds their names. */
export function withinScope(database: Database, scope: ScopeReader): Database {
  if (scope.stamp === '') return database;
  const { as, listTables } = database;
  return {
    dialect: database.dialect,
    name: database.name,
    url: database.url,
    stamp: async (signal) => `${await database.stamp(signal)} ${scope.stamp}`,
    readSchema: async (signal) => {
      const schema = await database.readSchema(signal);
      return { ...schema, tables: schema.tables.filter((table) => scope.holds(tablePath(table))) };
    },
    query: (sql, limits, signal) => database.query(sql, limits, signal),
    explain: (sql, signal) => database.explain(sql, signal),
    describe: (signal) => database.describe(signal),
    ...(as === undefined ? {} : { as: (identity) => withinScope(as.call(database, identity), scope) }),
    ...(listTables === undefined
      ? {}
      : { listTables: (signal?: AbortSignal) => listTables.call(database, signal) }),
    close: () => database.close(),
  };
}
