/** A started server with what tests want of it: fresh databases and a way to run SQL as admin. */
import { randomBytes } from 'node:crypto';
import { runMariadb } from './start-mariadb.ts';
import { runPostgres } from './start-postgres.ts';
import { READER, type StartedServer } from './started-server.ts';

export interface TestDatabase {
  readonly name: string;
  /** As an account that may do everything. */
  readonly adminUrl: string;
  /** As the account that may only SELECT, also from tables made later by the admin. */
  readonly url: string;
  /** Runs statements as admin, in this database; returns the rows of the last one. */
  run(sql: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

export interface TestServer
  extends Pick<StartedServer, 'kind' | 'port' | 'folder' | 'adminUrl' | 'processId'> {
  /** The reader's URL of the server's own database. */
  readonly url: string;
  /** Runs statements as admin, in the server's own database. */
  run(sql: string): Promise<Record<string, unknown>[]>;
  /** A fresh, empty database; its name starts with `prefix` and is unlike any other. */
  createDatabase(prefix?: string): Promise<TestDatabase>;
}

/** Works with the server of the run and with one's own: `toTestServer(await startPostgres())`. */
export function toTestServer(
  server: Pick<StartedServer, 'kind' | 'port' | 'folder' | 'adminUrl' | 'processId'>,
): TestServer {
  const { kind, port, folder, adminUrl, processId } = server;
  const runAt = kind === 'postgres' ? runPostgres : runMariadb;
  return {
    ...{ kind, port, folder, adminUrl, processId },
    url: readerUrl(adminUrl),
    run: (sql) => runAt(adminUrl, sql),
    async createDatabase(prefix = 'test') {
      const name = `${prefix}_${randomBytes(4).toString('hex')}`;
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      if (kind === 'postgres') {
        await runAt(adminUrl, `CREATE DATABASE "${name}"`);
        await runAt(url.href, POSTGRES_RIGHTS);
      } else {
        await runAt(adminUrl, `CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`);
        await runAt(adminUrl, `GRANT SELECT, SHOW VIEW ON \`${name}\`.* TO ${READER.user}@'%'`);
      }
      return {
        name,
        adminUrl: url.href,
        url: readerUrl(url.href),
        run: (sql) => runAt(url.href, sql),
        drop: async () => {
          if (kind === 'postgres') await runAt(adminUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
          else await runAt(adminUrl, `DROP DATABASE IF EXISTS \`${name}\``);
        },
      };
    },
  };
}

/** PostgreSQL grants per table; these are the rights that tables made from now on come with. */
const POSTGRES_RIGHTS = `
  ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO ${READER.user};
  ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO ${READER.user};`;

function readerUrl(adminUrl: string): string {
  const url = new URL(adminUrl);
  url.username = READER.user;
  url.password = READER.password;
  return url.href;
}
