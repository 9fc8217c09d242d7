/** A private PostgreSQL server in a temporary folder; also for scripts: `const server = await startPostgres()`. */
import { appendFile, chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chownTo } from './chown-to.ts';
import { findServer } from './find-server.ts';
import { runOrRemove } from './run-or-remove.ts';
import { asAccount, freePort, ServerProcess } from './server-process.ts';
import { READER, type StartedServer } from './started-server.ts';

export interface PostgresOptions {
  /** Settings beyond the defaults of a fresh cluster, as `{max_connections: '10'}`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Files to put into the data folder, readable by the server alone (certificates). */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * The admin is the superuser `postgres` without a password; the reader logs in with one. Nothing is written safely
 * to disk (`fsync` off). Throws when the programs are absent.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<StartedServer> {
  const found = findServer('postgres');
  if ('missing' in found) throw new Error(found.missing);
  const { initdb = '', postgres = '' } = found.paths;
  const folder = await mkdtemp(join(tmpdir(), 'candor-postgres-'));
  await chownTo(folder, 'postgres');
  const data = join(folder, 'data');
  const line = [
    ...[initdb, '-D', data, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C.UTF-8'],
  ];
  await runOrRemove(asAccount('postgres', line), folder);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(data, name), text);
    await chmod(join(data, name), 0o600);
    await chownTo(join(data, name), 'postgres');
  }
  const access = [`host all ${READER.user} 127.0.0.1/32 scram-sha-256`, 'host all all 127.0.0.1/32 trust'];
  await writeFile(join(data, 'pg_hba.conf'), ['local all all trust', ...access, ''].join('\n'));
  const settings = { fsync: 'off', full_page_writes: 'off', ...options.settings };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(data, 'postgresql.conf'), lines.join(''));

  const port = await freePort();
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const server = new ServerProcess({
    program: postgres,
    args: ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder],
    account: 'postgres',
    stopSignal: 'INT',
    folder,
    probe: () => runPostgres(adminUrl, 'SELECT 1').then(() => undefined),
  });
  await server.start();
  await runPostgres(adminUrl, `CREATE ROLE ${READER.user} LOGIN PASSWORD '${READER.password}'`);
  return {
    kind: 'postgres',
    port,
    folder,
    adminUrl,
    processId: () => server.processId,
    stop: () => server.stop(),
    kill: () => server.kill(),
    restart: () => server.start(),
  };
}

/** Runs statements on a connection of its own and returns the rows of the last one. */
export async function runPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // The server may end while the connection does; the query has its own error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result: pg.QueryResult | pg.QueryResult[] = await client.query(sql);
    return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
  } finally {
    await client.end();
  }
}
