import type { Config } from '../../../config/index.ts';
import type { Database } from '../../../database/index.ts';
import { accessPolicyOf } from '../../../knowledge/index.ts';
import { type ReaderRights, readerDatabases } from '../../../reader-databases.ts';
import type { EditedContext } from './edit-context.ts';
import { withTables } from './with-tables.ts';

interface ForWhom {
  readonly config: Config;
  readonly rights?: ReaderRights;
}

/** The database as an edited context shows it, through the guard; `engine` is the same database without one. */
export function editDatabase(
  engine: Database,
  { catalog, semantics, whole, queries }: EditedContext,
  { config, rights = { properties: {} } }: ForWhom,
): Database {
  const edited = withTables(engine, queries, whole);
  const policy = accessPolicyOf(semantics, catalog);
  return readerDatabases(edited, { config, catalog, policy }).databaseFor(rights);
}
