/** Entry of the process that loads files: its first message is the request. It can be killed at any time, and never outlives its parent. */
import type { DuckDBInstance } from '@duckdb/node-api';
import { CandorError } from '../../errors.ts';
import { quoteName } from '../../sql/dialects/index.ts';
import type { LoadedGroup, LoadReply, LoadRequest } from './keep-files.ts';

const PROGRESS_MS = 250;

async function load(request: LoadRequest): Promise<void> {
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
    await dropOthers(instance, taken);
    for (const [at, group] of request.groups.entries()) {
      const connection = await instance.connect();
      const timer = setInterval(() => {
        const share = Math.max(0, connection.progress.percentage) / 100;
        send({ kind: 'progress', at, share });
      }, PROGRESS_MS);
      try {
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

/** Tables of files that have changed or gone, and what a run has left that was killed before it could list it. */
async function dropOthers(instance: DuckDBInstance, kept: ReadonlySet<string>): Promise<void> {
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(
      'SELECT table_name FROM duckdb_tables() WHERE NOT internal',
    );
    for (const [name] of reader.getRows())
      if (!kept.has(String(name))) await connection.run(`DROP TABLE ${quoteName(String(name), 'duckdb')}`);
  } finally {
    connection.closeSync();
  }
}

/** One file that cannot be read does not keep the others from being asked; a missing package does. */
function faultOf(error: unknown): LoadedGroup {
  if (error instanceof CandorError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  // It is no fault of the file: it is read again once there is room.
  if (/ENOSPC|no space left|max_temp_directory_size/i.test(message))
    throw new CandorError(
      'catalog.not-writable',
      `there is no room for the database of the files: ${message.split('\n')[0]}`,
    );
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
// Both ends are of one build: what the parent has sent is what is read here.
const request = await new Promise<LoadRequest>((resolve) => {
  process.once('message', (message) => resolve(message as LoadRequest));
});
await load(request).then(
  () => process.disconnect(),
  (error: unknown) => {
    const code = error instanceof CandorError ? error.code : 'internal.bug';
    send({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    process.disconnect();
  },
);
