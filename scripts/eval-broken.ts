/**
 * `npx tsx scripts/eval-broken.ts [options of candor eval broken]`: runs it on PostgreSQL and MariaDB servers of its own, which are
 * started before and removed after. A server that is not installed is told, and its queries are left out.
 */
import { main } from '../src/cli/main.ts';
import { processIo } from '../src/cli/terminal/process-io.ts';
import { findServer } from '../test/servers/find-server.ts';
import { startMariadb } from '../test/servers/start-mariadb.ts';
import { startPostgres } from '../test/servers/start-postgres.ts';
import type { StartedServer } from '../test/servers/started-server.ts';

const started: StartedServer[] = [];
try {
  const env: Record<string, string | undefined> = { ...process.env };
  for (const [kind, start, name] of [
    ['postgres', startPostgres, 'CANDOR_EVAL_POSTGRES'],
    ['mariadb', startMariadb, 'CANDOR_EVAL_MARIADB'],
  ] as const) {
    const found = findServer(kind);
    if ('missing' in found) {
      process.stderr.write(`${found.missing}\n`);
      continue;
    }
    const server = await start();
    started.push(server);
    env[name] = server.adminUrl;
  }
  process.exitCode = await main(['eval', 'broken', ...process.argv.slice(2)], { ...processIo(), env });
} finally {
  for (const server of started) await server.stop();
}
