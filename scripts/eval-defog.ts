/**
 * `npx tsx scripts/eval-defog.ts [options of candor eval]`: runs the suite `defog` on a PostgreSQL server of its own,
 * which is started before and removed after.
 */
import { main } from '../src/cli/main.ts';
import { processIo } from '../src/cli/terminal/process-io.ts';
import { startPostgres } from '../test/servers/start-postgres.ts';

const server = await startPostgres();
try {
  const io = processIo();
  const env = { ...process.env, CANDOR_EVAL_POSTGRES: server.adminUrl };
  process.exitCode = await main(['eval', 'defog', ...process.argv.slice(2)], { ...io, env });
} finally {
  await server.stop();
}
