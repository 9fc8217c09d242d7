import type { StartedServer } from '../servers/started-server.ts';
import { toTestServer } from '../servers/test-server.ts';
import { TRAITS } from './queries/writing.ts';
import { readingTables } from './reading-tables.ts';
import type { TenantPlaces } from './tenant-worlds.ts';
import { creationOf, twoTenants } from './two-tenants.ts';

/** The two databases of `tenant-worlds.ts` on a private server, read by an account that may only read. */
export async function makeTenantDatabases(started: StartedServer): Promise<TenantPlaces> {
  const dialect = started.kind === 'postgres' ? 'postgres' : 'mysql';
  const { quote } = TRAITS[dialect];
  const base = twoTenants(quote);
  const server = toTestServer(started);
  const [shared, own] = [await server.createDatabase('shared'), await server.createDatabase('own')];
  for (const database of [shared, own]) {
    const place = { database: database.name, port: started.port, folder: started.folder };
    const tables = [...base, ...readingTables(dialect, base, place)];
    const statements = creationOf(tables, { quote, isWhole: database === shared });
    await database.run(statements.join(';\n'));
    // PostgreSQL tries conditions on the commonest values of a table while it plans.
    if (started.kind === 'postgres') await database.run('ANALYZE');
  }
  const revive = (): Promise<void> => started.restart();
  return { sharedUrl: shared.url, ownUrl: own.url, revive, remove: () => started.stop() };
}
