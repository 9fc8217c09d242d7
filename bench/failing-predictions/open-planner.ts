/** SQLite as the judge of names: it compiles a statement, on the real file or on a database made empty of a schema. */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Catalog } from '../../src/catalog/index.ts';
import { writeName } from '../../src/sql/dialects/index.ts';

export interface Planner {
  /** What the engine says against a statement; undefined: it would run it. */
  readonly refusal: (sql: string) => string | undefined;
  readonly close: () => void;
}

export function openPlanner(catalog: Catalog, file: string | undefined): Planner {
  const database = new DatabaseSync(file ?? ':memory:', {
    readOnly: file !== undefined,
    // As the engine of `src/database` is opened.
    enableDoubleQuotedStringLiterals: true,
  });
  if (file === undefined) createTables(database, catalog);
  return {
    refusal(sql) {
      try {
        database.prepare(sql);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    close: () => database.close(),
  };
}

function createTables(database: DatabaseSyncInstance, { tables, dialect }: Catalog): void {
  const quoted = (name: string) => writeName(name, dialect);
  for (const { name, columns } of tables) {
    if (name.toLowerCase().startsWith('sqlite_')) continue;
    const list = columns.map((column) => `${quoted(column.name)} ${column.type}`).join(', ');
    database.exec(`CREATE TABLE ${quoted(name)} (${list})`);
  }
}

/** The name that SQLite refuses a statement for, as it gives it; undefined where it refuses for something else. */
export function refusedName(message: string): string | undefined {
  return /^(?:no such (?:table|column)|ambiguous column name): (.+?)(?: - should this be .*)?$/s.exec(
    message,
  )?.[1];
}
