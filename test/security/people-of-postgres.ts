/** A PostgreSQL database that takes a caller for somebody else by logging in as them: real accounts with rights of their own. */
import { connect, type Database, tableKey } from '../../src/database/index.ts';
import type { TestDatabase } from '../servers/test-server.ts';

const PASSWORD = 'of a test';

export interface PeopleOfPostgres {
  readonly engine: Database;
  close(): Promise<void>;
}

/** `people` are accounts that are made, with the tables that each may read. */
export async function peopleOfPostgres(
  database: TestDatabase,
  people: Readonly<Record<string, readonly string[]>>,
): Promise<PeopleOfPostgres> {
  const accountOf = (name: string): string => `${name}_${database.name}`;
  for (const [name, tables] of Object.entries(people)) {
    await database.run(`CREATE ROLE "${accountOf(name)}" LOGIN PASSWORD '${PASSWORD}'`);
    for (const table of tables) await database.run(`GRANT SELECT ON ${table} TO "${accountOf(name)}"`);
  }
  const service = await connect(database.url);
  const opened: Promise<Database>[] = [];
  const asUser = (name: string): Database => {
    const url = new URL(database.url);
    url.username = accountOf(name);
    url.password = encodeURIComponent(PASSWORD);
    const there = connect(url.href);
    there.catch(() => undefined);
    opened.push(there);
    return {
      ...{ dialect: service.dialect, name: service.name, url: service.url },
      stamp: async (signal) => (await there).stamp(signal),
      readSchema: async (signal) => (await there).readSchema(signal),
      readOwnCode: async (signal) => (await there).readOwnCode(signal),
      query: async (...given) => (await there).query(...given),
      explain: async (...given) => (await there).explain(...given),
      describe: async (signal) => (await there).describe(signal),
      listTables: async (signal) =>
        (await (await there).readSchema(signal)).tables.map((table) => tableKey(table)),
      close: async () => undefined,
    };
  };
  const engine = Object.assign(service, {
    as: ({ user = '' }: { readonly user?: string }) => asUser(user),
    listTables: async () => (await service.readSchema()).tables.map((table) => tableKey(table)),
  });
  return {
    engine,
    close: async () => {
      for (const each of await Promise.allSettled(opened))
        if (each.status === 'fulfilled') await each.value.close();
      await service.close();
      for (const name of Object.keys(people)) {
        await database.run(`DROP OWNED BY "${accountOf(name)}"`);
        await database.run(`DROP ROLE "${accountOf(name)}"`);
      }
    },
  };
}
