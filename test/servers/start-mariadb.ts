/** A private MariaDB server in a temporary folder; also for scripts: `const server = await startMariadb()`. */
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { chownTo } from './chown-to.ts';
import { findServer } from './find-server.ts';
import { runOrRemove } from './run-or-remove.ts';
import { asAccount, freePort, ServerProcess } from './server-process.ts';
import { READER, type StartedServer } from './started-server.ts';

export interface MariadbOptions {
  /** Options of `mariadbd` beyond the defaults, as `{sql_mode: 'ANSI_QUOTES'}`; `{folder}` is where `files` are. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Files to put into the server's folder, readable by the server alone (certificates). */
  readonly files?: Readonly<Record<string, string>>;
}

/** The admin is `root` without a password; the reader logs in with one. Throws when the programs are absent. */
export async function startMariadb(options: MariadbOptions = {}): Promise<StartedServer> {
  const found = findServer('mariadb');
  if ('missing' in found) throw new Error(found.missing);
  const { 'mariadb-install-db': install = '', mariadbd = '' } = found.paths;
  const folder = await mkdtemp(join(tmpdir(), 'candor-mariadb-'));
  await chownTo(folder, 'mysql');
  const data = join(folder, 'data');
  const line = [
    ...[install, '--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'],
    ...['--skip-test-db', '--skip-name-resolve'],
  ];
  // Servers that share a folder for temporary tables take each other's files.
  await runOrRemove(asAccount('mysql', line), folder, { ...process.env, TMPDIR: folder });
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o600);
    await chownTo(join(folder, name), 'mysql');
  }
  const settings = {
    innodb_flush_log_at_trx_commit: '2',
    innodb_flush_method: 'nosync',
    skip_name_resolve: 'ON',
    // In a folder of all servers, one that starts takes away the temporary tables of the others.
    tmpdir: folder,
    ...options.settings,
  };
  const port = await freePort();
  const adminUrl = `mysql://root@127.0.0.1:${port}/mysql`;
  const server = new ServerProcess({
    program: mariadbd,
    args: [
      ...['--no-defaults', `--datadir=${data}`, `--socket=${join(folder, 'my.sock')}`, `--port=${port}`],
      ...['--bind-address=127.0.0.1', `--pid-file=${join(folder, 'my.pid')}`],
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value.replaceAll('{folder}', folder)}`),
    ],
    account: 'mysql',
    stopSignal: 'TERM',
    folder,
    probe: () => runMariadb(adminUrl, 'SELECT 1').then(() => undefined),
  });
  await server.start();
  await runMariadb(adminUrl, `CREATE USER ${READER.user}@'%' IDENTIFIED BY '${READER.password}'`);
  return {
    kind: 'mariadb',
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
export async function runMariadb(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    const [result] = await connection.query<RowDataPacket[] | RowDataPacket[][]>(sql);
    if (!Array.isArray(result)) return [];
    const last = result.at(-1);
    return Array.isArray(last) ? last : result.flatMap((row) => (Array.isArray(row) ? [] : [row]));
  } finally {
    await connection.end();
  }
}
