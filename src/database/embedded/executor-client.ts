/** The parent's end of the executor process: starts it, runs one task at a time, stops it, starts it again. */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { CandorError } from '../../errors.ts';
import { ENGINE_TRAITS, type EngineName } from './engine.ts';
import { isReply, type Reply, type Request, type Task, type TaskResult } from './executor-protocol.ts';

/** How long an interrupted engine may take to stop before its process is killed. */
const INTERRUPT_GRACE_MS = 500;
const START_TIMEOUT_MS = 20_000;
const CLOSE_GRACE_MS = 500;
const STDERR_KEPT = 4_000;

interface RunOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A running child with what it still owes us. */
interface Executor {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  /** Of the task that runs: hears its reply, or null once the process has ended. */
  receive: ((reply: Reply | null) => void) | null;
  hasExited: boolean;
  stderr: string;
}

export class ExecutorClient {
  readonly #engine: EngineName;
  readonly #path: string;
  #executor: Executor | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #isClosed = false;

  constructor(engine: EngineName, path: string) {
    this.#engine = engine;
    this.#path = path;
  }

  /** Starts the process without waiting for it; a failure shows at the first task. */
  start(): void {
    if (this.#executor !== null && isAlive(this.#executor.child)) return;
    this.#executor = startExecutor(this.#engine, this.#path);
  }

  /** Runs the task after those before it. The time limit counts from its own start. */
  run(task: Task, options: RunOptions): Promise<TaskResult> {
    const result = this.#queue.then(() => this.#runNow(task, options));
    // Without its value: an answer may be large, and the next task may be far away.
    this.#queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Ends the process; a task that still runs fails with `database.cancelled`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const executor = this.#executor;
    if (executor === null) return;
    this.#executor = null;
    if (executor.receive === null && executor.child.connected) executor.child.disconnect();
    else executor.child.kill('SIGKILL');
    executor.child.ref();
    const timer = setTimeout(() => executor.child.kill('SIGKILL'), CLOSE_GRACE_MS);
    await executor.exited;
    clearTimeout(timer);
  }

  async #runNow(task: Task, options: RunOptions): Promise<TaskResult> {
    this.#throwIfStopped(options.signal);
    this.start();
    const executor = this.#executor;
    if (executor === null) throw new CandorError('internal.bug', 'the executor was not started');
    setHeld(executor.child, true);
    try {
      await executor.ready;
      this.#throwIfStopped(options.signal);
      const reply = await this.#exchange(executor, task, options);
      if (reply.kind === 'done') return reply.result;
      if (reply.kind === 'failed') throw new CandorError(reply.code, reply.message);
      throw new CandorError('internal.bug', 'the executor started twice');
    } finally {
      setHeld(executor.child, false);
      if (!isAlive(executor.child) && this.#executor === executor) this.#executor = null;
    }
  }

  #throwIfStopped(signal: AbortSignal | undefined): void {
    if (this.#isClosed) throw new CandorError('database.cancelled', 'the database is closed');
    if (signal?.aborted)
      throw new CandorError('database.cancelled', 'the query was cancelled before it began');
  }

  /** Sends one task and settles on whichever comes first: its reply, the limit, a cancel, the end of the process. */
  async #exchange(executor: Executor, task: Task, options: RunOptions): Promise<Reply> {
    const id = this.#nextId++;
    let stop: CandorError | null = null;
    const timers: NodeJS.Timeout[] = [];
    const stopWith = (error: CandorError): void => {
      if (stop !== null) return;
      stop = error;
      if (ENGINE_TRAITS[this.#engine].canInterrupt) {
        post(executor.child, { kind: 'interrupt', id });
        timers.push(setTimeout(() => executor.child.kill('SIGKILL'), INTERRUPT_GRACE_MS));
      } else executor.child.kill('SIGKILL');
    };
    const cancel = (): void => stopWith(new CandorError('database.cancelled', 'the query was cancelled'));
    timers.push(setTimeout(() => stopWith(timeoutError(options.timeoutMs)), options.timeoutMs));
    options.signal?.addEventListener('abort', cancel);
    try {
      // No race with the end of the process: a promise that lives as long as it does would keep every answer.
      const replied = new Promise<Reply | null>((resolve) => {
        executor.receive = (reply) => {
          if (reply === null || (reply.kind !== 'ready' && reply.id === id)) resolve(reply);
        };
        if (executor.hasExited) resolve(null);
      });
      post(executor.child, { kind: 'run', id, task });
      const reply = await replied;
      if (stop !== null) throw stop;
      if (reply === null) throw this.#deathError(executor);
      return reply;
    } finally {
      executor.receive = null;
      for (const timer of timers) clearTimeout(timer);
      options.signal?.removeEventListener('abort', cancel);
    }
  }

  #deathError(executor: Executor): CandorError {
    if (this.#isClosed)
      return new CandorError('database.cancelled', 'the database was closed during the query');
    return diedError(this.#engine, executor.child, executor.stderr);
  }
}

function startExecutor(engine: EngineName, path: string): Executor {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(isSource ? './executor.ts' : './executor.js', import.meta.url));
  const child = fork(entry, [engine, path], {
    execArgv: executorFlags(isSource),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let markReady: () => void = () => undefined;
  const isReady = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const executor: Executor = {
    child,
    exited,
    ready: waitUntilReady(isReady, exited, () => diedError(engine, child, executor.stderr)),
    receive: null,
    hasExited: false,
    stderr: '',
  };
  void exited.then(() => {
    executor.hasExited = true;
    executor.receive?.(null);
  });
  // Nobody may be waiting yet; the first task sees the same promise.
  executor.ready.catch(() => child.kill('SIGKILL'));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    executor.stderr = (executor.stderr + text).slice(-STDERR_KEPT);
  });
  child.on('message', (message: unknown) => {
    if (!isReply(message)) return;
    if (message.kind === 'ready') markReady();
    else executor.receive?.(message);
  });
  setHeld(child, false);
  return executor;
}

/** The executor's own flags; those of this process (a debugger's port, a test runner's loader) are not passed on. */
function executorFlags(isSource: boolean): string[] {
  const flags: string[] = [];
  // The built-in SQLite is called experimental; the executor is the only process that loads it.
  if (process.allowedNodeEnvironmentFlags.has('--disable-warning')) {
    flags.push('--disable-warning=ExperimentalWarning');
  }
  if (isSource) flags.push('--import', `file://${createRequire(import.meta.url).resolve('tsx')}`);
  return flags;
}

async function waitUntilReady(
  isReady: Promise<void>,
  exited: Promise<void>,
  makeError: () => CandorError,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), START_TIMEOUT_MS);
    timer.unref();
  });
  const first = await Promise.race([isReady.then(() => 'ready'), exited.then(() => 'exited'), late]);
  clearTimeout(timer);
  if (first !== 'ready') throw makeError();
}

function post(child: ChildProcess, request: Request): void {
  // A closed channel is no error of its own: the exit event settles the task.
  if (child.connected) child.send(request, () => undefined);
}

/** While no task runs the child must not keep the program alive. */
function setHeld(child: ChildProcess, isHeld: boolean): void {
  const handles = [child, child.channel, child.stderr instanceof Socket ? child.stderr : null];
  for (const handle of handles) {
    if (isHeld) handle?.ref();
    else handle?.unref();
  }
}

/** A child that was told to die counts as dead: it may still send its last reply, and must not get the next task. */
function isAlive(child: ChildProcess): boolean {
  return !child.killed && child.exitCode === null && child.signalCode === null && child.connected;
}

function timeoutError(timeoutMs: number): CandorError {
  return new CandorError('database.timeout', `the query was stopped after ${timeoutMs} ms`, {
    data: { timeoutMs },
  });
}

function diedError(engine: EngineName, child: ChildProcess, stderr: string): CandorError {
  const how = child.signalCode ?? (child.exitCode === null ? 'no answer' : `exit code ${child.exitCode}`);
  return new CandorError(
    'database.executor-died',
    `the ${ENGINE_TRAITS[engine].title} process ended (${how})`,
    {
      data: { stderr },
    },
  );
}
