/** The executor processes of one file, lent one task at a time: one long query does not stop everybody. */
import { statSync } from 'node:fs';
import { CandorError } from '../../errors.ts';
import {
  currentCaller,
  type ExecutorParts,
  ExecutorProcess,
  NeverBegun,
  type RunOptions,
} from './executor-process.ts';
import type { Task, TaskResult } from './executor-protocol.ts';

/** Most queries are over sooner than a process starts: it is not worth one. */
const START_AFTER_MS = 30;
const END_IDLE_AFTER_MS = 10_000;
const MOST_TRIES = 3;

interface Waiter {
  readonly caller: string | undefined;
  readonly since: number;
  readonly resolve: (executor: ExecutorProcess) => void;
  readonly reject: (error: unknown) => void;
}

interface Lent {
  readonly caller: string | undefined;
}

export interface PoolParts extends ExecutorParts {
  /** After so long without work a process ends, but for the last one. */
  readonly endIdleAfterMs?: number;
}

export class ExecutorPool {
  readonly #parts: PoolParts;
  /** The one used last comes last. */
  readonly #executors = new Set<ExecutorProcess>();
  readonly #lent = new Map<ExecutorProcess, Lent>();
  readonly #waiting = new Set<Waiter>();
  #grow: NodeJS.Timeout | undefined;
  #shrink: NodeJS.Timeout | undefined;
  /** Which file the processes have open: another one may since have been put in its place. */
  #file: string;
  #isClosed = false;

  constructor(parts: PoolParts) {
    this.#parts = parts;
    this.#file = fileAt(parts.path);
  }

  /** Starts a process without waiting for it; a failure shows at the first task. */
  start(): void {
    if (this.#executors.size === 0) this.#startOne();
  }

  /**
   * Runs the task on a process that is free, or once one is. The time limit counts from its start, and the wait has the same one.
   * A process that ends fails its own task alone.
   */
  async run(task: Task, options: RunOptions): Promise<TaskResult> {
    for (let tries = 1; ; tries += 1) {
      const executor = await this.#acquire(options);
      try {
        return await executor.run(task, options);
      } catch (error) {
        if (!(error instanceof NeverBegun)) throw error;
        if (tries === MOST_TRIES)
          throw new CandorError('database.executor-died', 'no process of this file stays alive');
      } finally {
        this.#lent.delete(executor);
        this.#serve();
      }
    }
  }

  /** Ends the processes; tasks that run or wait fail with `database.cancelled`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#grow);
    clearTimeout(this.#shrink);
    for (const waiter of this.#waiting) waiter.reject(closedError());
    const executors = [...this.#executors];
    this.#executors.clear();
    await Promise.all(executors.map((executor) => executor.close()));
  }

  #acquire({ timeoutMs, signal }: RunOptions): Promise<ExecutorProcess> {
    if (this.#isClosed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(cancelledError());
    return new Promise((resolve, reject) => {
      const settle = (run: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        this.#waiting.delete(waiter);
        run();
      };
      const waiter: Waiter = {
        caller: currentCaller(),
        since: performance.now(),
        resolve: (executor) => settle(() => resolve(executor)),
        reject: (error) => settle(() => reject(error)),
      };
      const cancel = (): void => waiter.reject(cancelledError());
      const late = `none of the ${this.#parts.limits.processes} processes got free within ${timeoutMs} ms`;
      // The start of the only processes is no query to wait for, and does not count.
      const giveUp = (): void => {
        if ([...this.#executors].every((executor) => executor.isStarting)) timer.refresh();
        else waiter.reject(new CandorError('database.timeout', late, { data: { timeoutMs } }));
      };
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', cancel);
      this.#waiting.add(waiter);
      this.#serve();
    });
  }

  /** Gives free processes to whoever may have one, and starts another where somebody still waits. */
  #serve(): void {
    if (this.#isClosed) return;
    this.#dropUnusable();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const executor = this.#idleOne();
      if (executor === undefined) break;
      // The one used last comes last, so that the others get idle and end.
      this.#executors.delete(executor);
      this.#executors.add(executor);
      this.#lent.set(executor, { caller: next.caller });
      next.resolve(executor);
    }
    if (this.#next() !== undefined) this.#growSoon();
    if (this.#executors.size > 1) this.#shrinkLater();
  }

  /**
   * Whose turn it is: of those who have fewest processes, whoever waits longest. One caller of several never has them all, so that
   * the first query of another one finds a process, or room for one.
   */
  #next(): Waiter | undefined {
    const most = Math.max(1, this.#parts.limits.processes - 1);
    let best: { readonly waiter: Waiter; readonly has: number } | undefined;
    for (const waiter of this.#waiting) {
      const has = this.#lentTo(waiter.caller);
      if (waiter.caller !== undefined && has >= most) continue;
      if (best === undefined || has < best.has) best = { waiter, has };
    }
    return best?.waiter;
  }

  #lentTo(caller: string | undefined): number {
    let count = 0;
    for (const lent of this.#lent.values()) if (lent.caller === caller) count += 1;
    return count;
  }

  #idleOne(): ExecutorProcess | undefined {
    return [...this.#executors].findLast((executor) => executor.isIdle && !this.#lent.has(executor));
  }

  /** Forgets processes that have ended, and ends free ones that read a file which was replaced. */
  #dropUnusable(): void {
    const file = fileAt(this.#parts.path);
    const isReplaced = file !== this.#file && file !== '';
    if (isReplaced) this.#file = file;
    for (const executor of this.#executors) {
      if (executor.isAlive && !isReplaced) continue;
      this.#executors.delete(executor);
      // A task in work gets its answer from the file as it was.
      if (executor.isAlive) executor.closeAfterTask();
    }
    if (this.#executors.size === 0 && (this.#waiting.size > 0 || isReplaced)) this.#startOne();
  }

  #growSoon(): void {
    if (this.#grow !== undefined || this.#executors.size >= this.#parts.limits.processes) return;
    this.#grow = setTimeout(() => {
      this.#grow = undefined;
      if (this.#isClosed || this.#next() === undefined) return;
      const isStarting = [...this.#executors].some((executor) => executor.isStarting);
      if (!isStarting && this.#executors.size < this.#parts.limits.processes) this.#startOne();
      this.#serve();
    }, START_AFTER_MS);
  }

  /** Ends one free process after the other until one is left. */
  #shrinkLater(): void {
    clearTimeout(this.#shrink);
    this.#shrink = setTimeout(() => {
      const [idle] = [...this.#executors].filter((each) => each.isIdle && !this.#lent.has(each));
      if (idle !== undefined && this.#executors.size > 1) {
        this.#executors.delete(idle);
        void idle.close();
      }
      if (this.#executors.size > 1) this.#shrinkLater();
    }, this.#parts.endIdleAfterMs ?? END_IDLE_AFTER_MS);
    this.#shrink.unref();
  }

  #startOne(): void {
    const executor = new ExecutorProcess(this.#parts);
    this.#executors.add(executor);
    executor.ready.then(
      () => this.#serve(),
      (error: unknown) => {
        this.#executors.delete(executor);
        // Where others work the wait goes on; else nobody would be told.
        const [first] = this.#waiting;
        if (![...this.#executors].some((each) => each.isAlive)) first?.reject(error);
        this.#serve();
      },
    );
  }
}

/** Empty where there is none. */
function fileAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}-${found.ino}`;
}

function closedError(): CandorError {
  return new CandorError('database.cancelled', 'the database is closed');
}

function cancelledError(): CandorError {
  return new CandorError('database.cancelled', 'the query was cancelled before it began');
}
