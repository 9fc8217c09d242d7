/** The parent's end of one executor process: starts it, gives it one task at a time, stops it. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CandorError } from '../../errors.ts';
import type { EmbeddedLimits } from './engine/embedded-settings.ts';
import { ENGINE_TRAITS, type EngineName } from './engine/engine.ts';
import { memoryError, temporaryError } from './engine/over-limit.ts';
import {
  type ExecutorArguments,
  isReply,
  OVER_MEMORY,
  OVER_TEMPORARY,
  type Reply,
  type Request,
  type Task,
  type TaskResult,
} from './executor-protocol.ts';

/** How long an interrupted engine may take to stop before its process is killed. */
const INTERRUPT_GRACE_MS = 500;
const START_TIMEOUT_MS = 20_000;
const CLOSE_GRACE_MS = 500;
/** The last words of a process may come after the notice of its end. */
const LAST_WORDS_MS = 500;
const STDERR_KEPT = 4_000;

export interface RunOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ExecutorParts {
  readonly engine: EngineName;
  readonly path: string;
  readonly limits: EmbeddedLimits;
}

/** The process had ended before the task reached it: the task may go to another one. */
export class NeverBegun extends Error {}

export class ExecutorProcess {
  /** Settles once the engine's process takes tasks; fails with why it does not. */
  readonly ready: Promise<void>;
  readonly #engine: EngineName;
  readonly #limits: EmbeddedLimits;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #lastWords: Promise<void>;
  /** Of the task that runs: hears its replies, and null once the process has ended. */
  #receive: ((reply: Reply | null) => void) | null = null;
  #markReady: () => void = () => undefined;
  #isReady = false;
  #isBusy = false;
  #hasExited = false;
  #isClosed = false;
  #endsWithTask = false;
  #stderr = '';
  #nextId = 1;

  constructor({ engine, path, limits }: ExecutorParts) {
    this.#engine = engine;
    this.#limits = limits;
    const folder = limits.temporaryBytes > 0 && engine === 'duckdb' ? temporaryFolder() : null;
    this.#child = startChild([engine, path], { limits, folder });
    const child = this.#child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    this.#lastWords = new Promise((resolve) => child.once('close', () => resolve()));
    this.ready = this.#waitUntilReady();
    void this.#exited.then(() => {
      this.#hasExited = true;
      this.#receive?.(null);
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    });
    // Nobody may be waiting yet; the first task sees the same promise.
    this.ready.catch(() => child.kill('SIGKILL'));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    child.on('message', (message: unknown) => {
      if (!isReply(message)) return;
      if (message.kind === 'ready') this.#markReady();
      else this.#receive?.(message);
    });
    this.#hold(false);
  }

  /** A child that was told to die counts as dead: it may still send its last reply, and must not get the next task. */
  get isAlive(): boolean {
    const { killed, exitCode, signalCode, connected } = this.#child;
    return !killed && exitCode === null && signalCode === null && connected;
  }

  get isIdle(): boolean {
    return this.#isReady && !this.#isBusy && this.isAlive;
  }

  get isStarting(): boolean {
    return !this.#isReady && this.isAlive;
  }

  /** Runs the task. Throws `database.*`, and `NeverBegun` where it must have been somebody else's end. */
  async run(task: Task, options: RunOptions): Promise<TaskResult> {
    if (this.#isBusy) throw new CandorError('internal.bug', 'an executor got two tasks at once');
    this.#isBusy = true;
    this.#hold(true);
    try {
      const reply = await this.#exchange(task, options);
      if (reply.kind !== 'done' && reply.kind !== 'failed')
        throw new CandorError('internal.bug', 'the executor started twice');
      if (reply.isFull) this.#endsWithTask = true;
      if (reply.kind === 'done') return reply.result;
      throw new CandorError(reply.code, reply.message);
    } finally {
      this.#isBusy = false;
      this.#hold(false);
      if (this.#endsWithTask) void this.close();
    }
  }

  /** Ends the process once its task is over. */
  closeAfterTask(): void {
    this.#endsWithTask = true;
    if (!this.#isBusy) void this.close();
  }

  /** Ends the process; a task that still runs fails with `database.cancelled`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#isBusy && this.#child.connected) this.#child.disconnect();
    else this.#child.kill('SIGKILL');
    this.#child.ref();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_GRACE_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  /** Sends one task and settles on whichever comes first: its reply, the limit, a cancel, the end of the process. */
  async #exchange(task: Task, options: RunOptions): Promise<Reply> {
    const id = this.#nextId++;
    let stop: CandorError | null = null;
    let hasBegun = false;
    const timers: NodeJS.Timeout[] = [];
    const stopWith = (error: CandorError): void => {
      if (stop !== null) return;
      stop = error;
      if (ENGINE_TRAITS[this.#engine].canInterrupt) {
        this.#post({ kind: 'interrupt', id });
        timers.push(setTimeout(() => this.#child.kill('SIGKILL'), INTERRUPT_GRACE_MS));
      } else this.#child.kill('SIGKILL');
    };
    const cancel = (): void => stopWith(new CandorError('database.cancelled', 'the query was cancelled'));
    timers.push(setTimeout(() => stopWith(timeoutError(options.timeoutMs)), options.timeoutMs));
    options.signal?.addEventListener('abort', cancel);
    if (options.signal?.aborted === true) cancel();
    try {
      // No race with the end of the process: a promise that lives as long as it does would keep every answer.
      const replied = new Promise<Reply | null>((resolve) => {
        this.#receive = (reply) => {
          if (reply === null) resolve(null);
          else if (reply.kind === 'ready' || reply.id !== id) return;
          else if (reply.kind === 'begun') hasBegun = true;
          else resolve(reply);
        };
        if (this.#hasExited) resolve(null);
      });
      this.#post({ kind: 'run', id, task });
      const reply = await replied;
      if (stop !== null) throw stop;
      if (reply !== null) return reply;
      if (!hasBegun && !this.#isClosed) throw new NeverBegun();
      throw await this.#deathError();
    } finally {
      this.#receive = null;
      for (const timer of timers) clearTimeout(timer);
      options.signal?.removeEventListener('abort', cancel);
    }
  }

  async #deathError(): Promise<CandorError> {
    if (this.#isClosed)
      return new CandorError('database.cancelled', 'the database was closed during the query');
    const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref());
    await Promise.race([this.#lastWords, late]);
    if (/heap out of memory/.test(this.#stderr) || this.#stderr.includes(OVER_MEMORY))
      return memoryError(this.#limits);
    if (this.#stderr.includes(OVER_TEMPORARY)) return temporaryError(this.#limits);
    const { signalCode, exitCode } = this.#child;
    const how = signalCode ?? (exitCode === null ? 'no answer' : `exit code ${exitCode}`);
    const message = `the ${ENGINE_TRAITS[this.#engine].title} process ended (${how})`;
    return new CandorError('database.executor-died', message, { data: { stderr: this.#stderr } });
  }

  async #waitUntilReady(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const isReady = new Promise<'ready'>((resolve) => {
      this.#markReady = () => resolve('ready');
    });
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), START_TIMEOUT_MS);
      timer.unref();
    });
    const first = await Promise.race([isReady, this.#exited.then(() => 'exited'), late]);
    clearTimeout(timer);
    if (first !== 'ready') throw await this.#deathError();
    this.#isReady = true;
  }

  #post(request: Request): void {
    // A closed channel is no error of its own: the exit event settles the task.
    if (this.#child.connected) this.#child.send(request, () => undefined);
  }

  #hold(isHeld: boolean): void {
    const { stderr, channel } = this.#child;
    for (const handle of [this.#child, channel, stderr instanceof Socket ? stderr : null]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }
}

function startChild(named: readonly string[], given: ExecutorArguments): ChildProcess {
  const { entry, flags } = ownEntry(new URL('./executor', import.meta.url));
  // The built-in SQLite is called experimental; the executor is the only process that loads it.
  const quiet = process.allowedNodeEnvironmentFlags.has('--disable-warning')
    ? ['--disable-warning=ExperimentalWarning']
    : [];
  return fork(entry, [...named, JSON.stringify(given)], {
    execArgv: [...quiet, ...flags],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/**
 * The file of a process of ours, named without its ending, and the flags it needs; those of this process (a debugger's port, a
 * test runner's loader) are not passed on.
 */
export function ownEntry(named: URL): { readonly entry: string; readonly flags: readonly string[] } {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = `${fileURLToPath(named)}${isSource ? '.ts' : '.js'}`;
  return {
    entry,
    flags: isSource ? ['--import', `file://${createRequire(import.meta.url).resolve('tsx')}`] : [],
  };
}

/** Nobody else may read it: spilled rows are rows of the database. */
function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), `candor-duckdb-${process.pid}-`));
}

function timeoutError(timeoutMs: number): CandorError {
  return new CandorError('database.timeout', `the query was stopped after ${timeoutMs} ms`, {
    data: { timeoutMs },
  });
}

/** Whom work is done for, where many people share what is scarce. */
const callers = new AsyncLocalStorage<string>();

/** Does the work in the name of a caller: the processes of an embedded file share themselves out fairly among callers. */
export function calledBy<Result>(caller: string, work: () => Result): Result {
  return callers.run(caller, work);
}

/** Absent: there is only one, as on the command line. */
export function currentCaller(): string | undefined {
  return callers.getStore();
}
