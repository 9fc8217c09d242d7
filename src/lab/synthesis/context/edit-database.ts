import type { Config } from '../../../config/index.ts';
import { type Database, guarded } from '../../../database/index.ts';
import { accessPolicyOf } from '../../../knowledge/index.ts';
import type { EditedContext } from './edit-context.ts';
import { withTables } from './with-tables.ts';

/** The database as an edited context shows it, through the guard; `engine` is the same database without one. */
export function editDatabase(
  engine: Database,
  { catalog, semantics, whole, queries }: EditedContext,
  { sessionProperties, planCaps }: Pick<Config, 'sessionProperties' | 'planCaps'>,
): Database {
  return guarded(withTables(engine, queries, whole), {
    kind: 'caller-queries',
    catalog,
    policy: accessPolicyOf(semantics, catalog),
    properties: sessionProperties,
    planCaps,
  });
}
