/** Entry of the process that loads files: `loader <request>`. It can be killed at any time, and never outlives its parent. */
import { CandorError } from '../../errors.ts';
import { quoteName } from '../../sql/dialects/index.ts';
import type { LoadedGroup, LoadReply, LoadRequest } from './keep-files.ts';

// Both ends are of one build: what the parent has written is what is read here.
const request = JSON.parse(process.argv[2] ?? '') as LoadRequest;
const PROGRESS_MS = 250;

async function load(): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch(orMissing);
  const { loadGroup } = await import('./load-tables.ts');
  const instance = await DuckDBInstance.create(request.path, {
    temp_directory: request.folder,
    memory_limit: `${request.memoryBytes}B`,
    threads: String(request.threads),
    // Rows of a file have no order that a question could mean; to keep it would hold them all in memory.
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const taken = new Set(request.kept);
  try {
    for (const [at, group] of request.groups.entries()) {
      const connection = await instance.connect();
      const timer = setInterval(() => {
        const share = Math.max(0, connection.progress.percentage) / 100;
        send({ kind: 'progress', at, share });
      }, PROGRESS_MS);
      try {
        if (at === 0)
          for (const table of request.dropped)
            await connection.run(`DROP TABLE IF EXISTS ${quoteName(table, 'duckdb')}`);
        await connection.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
        const tables = await loadGroup(group, { connection, folder: request.folder, taken });
        await connection.run('CHECKPOINT');
        send({ kind: 'loaded', at, group: { tables } });
      } catch (error) {
        send({ kind: 'loaded', at, group: faultOf(error) });
      } finally {
        clearInterval(timer);
        connection.closeSync();
      }
    }
  } finally {
    instance.closeSync();
  }
  send({ kind: 'done' });
}

/** One file that cannot be read does not keep the others from being asked; a missing package does. */
function faultOf(error: unknown): LoadedGroup {
  if (error instanceof CandorError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return { tables: [], fault: message.split('\n')[0]! };
}

function orMissing(error: unknown): never {
  const isMissing = error instanceof Error && /^Cannot find package '@duckdb\//.test(error.message);
  if (!isMissing) throw error;
  throw new CandorError(
    'database.driver-missing',
    'files are read by DuckDB, which is not installed; install it with: npm install @duckdb/node-api@1.5.5-r.5',
  );
}

function send(reply: LoadReply): void {
  if (process.connected) process.send?.(reply);
}

process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
await load().then(
  () => process.disconnect(),
  (error: unknown) => {
    const code = error instanceof CandorError ? error.code : 'internal.bug';
    send({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    process.disconnect();
  },
);
