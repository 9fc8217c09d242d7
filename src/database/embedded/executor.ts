/**
 * Entry of the executor process: `executor <engine> <path> <arguments>`. It owns the native handle, so that killing the
 * process stops any query, and it never outlives its parent.
 */

import { rmSync, writeFileSync } from 'node:fs';
import type { ErrorCode } from '../../errors.ts';
import { once } from '../../lib/index.ts';
import { type Engine, EngineError } from './engine/engine.ts';
import {
  type ExecutorArguments,
  isRequest,
  type Reply,
  type Task,
  type TaskResult,
} from './executor-protocol.ts';
import { watchExecutor } from './watch-executor.ts';

const [, , engineName = '', path = '', given = ''] = process.argv;
// Both ends are of one build: what the parent has written is what is read here.
const { limits, folder } = JSON.parse(given) as ExecutorArguments;
const FULL_SHARE = 0.75;
let isBusy = false;

/** A lock may be gone at the next task, so a failed opening is tried again. */
const openEngine = once(() => openByName(engineName, path));

async function openByName(name: string, file: string): Promise<Engine> {
  // Each driver is loaded only where it is needed: both together cost 60 ms and 80 MB.
  if (name === 'sqlite') return (await import('./sqlite/sqlite.ts')).openSqlite(file, limits);
  if (name === 'duckdb')
    return (await import('./duckdb/duckdb.ts').catch(orMissing)).openDuckdb(file, limits, folder);
  throw new EngineError('database.unknown-engine', `no engine is called ${name}`);
}

/** DuckDB comes only where somebody asks for it: it is as large as all the rest of an installation. */
function orMissing(error: unknown): never {
  const isMissing = error instanceof Error && /^Cannot find package '@duckdb\//.test(error.message);
  if (!isMissing) throw error;
  throw new EngineError(
    'database.driver-missing',
    'the driver for DuckDB is not installed; install it with: npm install @duckdb/node-api@1.5.5-r.5',
  );
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
    case 'read-own-code':
      return opened.readOwnCode();
    case 'version':
      return opened.version();
  }
}

async function answerTask(id: number, task: Task): Promise<void> {
  isBusy = true;
  watch(true);
  send({ kind: 'begun', id });
  try {
    const result = await runTask(task);
    send({ kind: 'done', id, result, isFull: isFull() });
  } catch (error) {
    send({ kind: 'failed', id, ...told(error), isFull: isFull() });
  } finally {
    isBusy = false;
    watch(false);
  }
}

/** What an allocator was given it rarely gives back. */
function isFull(): boolean {
  return process.memoryUsage.rss() > limits.memoryBytes * FULL_SHARE;
}

function told(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal.bug', message };
}

function send(reply: Reply): void {
  // The parent may have gone meanwhile; the 'disconnect' event then ends this process.
  if (process.connected) process.send?.(reply);
}

/** Where the memory of the whole machine runs out, Linux ends this process before the server that answers everybody. */
function beFirstToGo(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // A container without the right to say so: our own limit of memory holds all the same.
  }
}

function end(): void {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

process.on('message', (message: unknown) => {
  if (!isRequest(message)) return;
  if (message.kind === 'run') void answerTask(message.id, message.task);
  else if (isBusy) void openEngine().then((opened) => opened.interrupt());
});
process.on('disconnect', () => {
  const engine = openEngine.begun();
  if (isBusy || engine === undefined) end();
  else void engine.then((opened) => opened.close()).finally(end);
});
// A terminal's Ctrl-C reaches the whole group; the parent decides what to stop.
process.on('SIGINT', () => undefined);

beFirstToGo();
const watch = watchExecutor(limits);
// Opened before the first task comes; what goes wrong is reported to that task.
openEngine().catch(() => undefined);
send({ kind: 'ready' });
