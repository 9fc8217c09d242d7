import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { findServer } from '../test/servers/find-server.ts';
import { startMariadb } from '../test/servers/start-mariadb.ts';
import { startPostgres } from '../test/servers/start-postgres.ts';
import type { StartedServer } from '../test/servers/started-server.ts';
import { toTestServer } from '../test/servers/test-server.ts';
import type { ProfiledEngine } from './mixed-table.ts';

/** An engine of one's own that databases can be made in; `stop` takes it and them away. */
export interface BenchedEngine {
  /** A fresh database with these statements run; gives the URL to read it. */
  make(name: string, statements: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a server, or makes files in the folder; says why when the engine is not installed. */
export async function openEngine(
  engine: ProfiledEngine,
  folder: string,
): Promise<BenchedEngine | { readonly missing: string }> {
  if (engine === 'sqlite' || engine === 'duckdb')
    return {
      make: async (name, statements) => {
        const path = join(folder, `${name}.${engine}`);
        await rm(path, { force: true });
        await (engine === 'sqlite' ? runSqlite : runDuckdb)(path, statements);
        return `${engine}:${path}`;
      },
      stop: async () => {},
    };
  const found = findServer(engine);
  if ('missing' in found) return found;
  return serverEngine(engine === 'postgres' ? await startPostgres() : await startMariadb());
}

function serverEngine(started: StartedServer): BenchedEngine {
  const server = toTestServer(started);
  return {
    make: async (name, statements) => {
      const database = await server.createDatabase(name);
      for (const statement of statements) await database.run(statement);
      if (started.kind === 'postgres') await database.run('VACUUM ANALYZE');
      return database.url;
    },
    stop: () => started.stop(),
  };
}

async function runSqlite(path: string, statements: readonly string[]): Promise<void> {
  const writer = new DatabaseSync(path);
  writer.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF');
  for (const statement of statements) writer.exec(statement);
  writer.close();
}

async function runDuckdb(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
