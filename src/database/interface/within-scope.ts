import type { Database } from './database.ts';
import { decorate } from './decorate.ts';
import { type ScopeReader, tablePath } from './table-scope.ts';

/** The same database with the tables of a scope alone; queries go through as they are: the guard holds their names. */
export function withinScope(database: Database, scope: ScopeReader): Database {
  if (scope.stamp === '') return database;
  return decorate(database, (below) => ({
    stamp: async (signal) => `${await below.stamp(signal)} ${scope.stamp}`,
    readSchema: async (signal) => {
      const schema = await below.readSchema(signal);
      return { ...schema, tables: schema.tables.filter((table) => scope.holds(tablePath(table))) };
    },
  }));
}
