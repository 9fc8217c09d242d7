/**
 * Entry of the executor process: `executor <engine> <path>`. It owns the native handle, so that killing the
 * process stops any query, and it never outlives its parent.
 */
import { Worker } from 'node:worker_threads';
import { ENGINE_TRAITS, type Engine, EngineError, type EngineName } from './engine.ts';
import { isRequest, type Reply, type Task, type TaskResult } from './executor-protocol.ts';

const [, , engineName = '', path = ''] = process.argv;
let engine: Promise<Engine> | null = null;
let isBusy = false;

function openEngine(): Promise<Engine> {
  engine ??= openByName(engineName, path).catch((error: unknown) => {
    // A lock may be gone at the next task, so a failed opening is tried again.
    engine = null;
    throw error;
  });
  return engine;
}

async function openByName(name: string, file: string): Promise<Engine> {
  // Each driver is loaded only where it is needed: both together cost 60 ms and 80 MB.
  if (name === 'sqlite') return (await import('./sqlite.ts')).openSqlite(file);
  if (name === 'duckdb') return (await import('./duckdb.ts')).openDuckdb(file);
  throw new EngineError('database.unknown-engine', `no engine is called ${name}`);
}

async function runTask(task: Task): Promise<TaskResult> {
  const opened = await openEngine();
  switch (task.kind) {
    case 'query':
      return opened.query(task.sql, task.limits);
    case 'explain':
      return opened.explain(task.sql);
    case 'read-schema':
      return opened.readSchema();
    case 'version':
      return opened.version();
  }
}

async function answerTask(id: number, task: Task): Promise<void> {
  isBusy = true;
  try {
    send({ kind: 'done', id, result: await runTask(task) });
  } catch (error) {
    if (error instanceof EngineError) send({ kind: 'failed', id, code: error.code, message: error.message });
    else
      send({
        kind: 'failed',
        id,
        code: 'internal.bug',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  } finally {
    isBusy = false;
  }
}

function send(reply: Reply): void {
  // The parent may have gone meanwhile; the 'disconnect' event then ends this process.
  if (process.connected) process.send?.(reply);
}

function isEngineName(name: string): name is EngineName {
  return Object.hasOwn(ENGINE_TRAITS, name);
}

/** A running SQLite query blocks this thread, so that 'disconnect' is never heard: another thread watches. */
function watchParent(): void {
  const source = `
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
      try { process.kill(parent, 0); } catch (error) { if (error.code === 'ESRCH') process.kill(process.pid, 'SIGKILL'); }
    }, 500);`;
  new Worker(source, { eval: true, execArgv: [], stdout: true, stderr: true }).unref();
}

process.on('message', (message: unknown) => {
  if (!isRequest(message)) return;
  if (message.kind === 'run') void answerTask(message.id, message.task);
  else if (isBusy) void openEngine().then((opened) => opened.interrupt());
});
process.on('disconnect', () => {
  if (isBusy || engine === null) process.exit(0);
  void engine.then((opened) => opened.close()).finally(() => process.exit(0));
});
// A terminal's Ctrl-C reaches the whole group; the parent decides what to stop.
process.on('SIGINT', () => undefined);

if (isEngineName(engineName) && !ENGINE_TRAITS[engineName].canInterrupt) watchParent();
// Opened before the first task comes; what goes wrong is reported to that task.
openEngine().catch(() => undefined);
send({ kind: 'ready' });
