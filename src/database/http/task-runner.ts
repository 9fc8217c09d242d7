/** Runs the work of one database service under a time limit, the caller's signal and the database's own end. */

import { CandorError } from '../../errors.ts';
import { orAborted } from '../../lib/index.ts';
import type { HttpSession } from './http-session.ts';

/** How long a statement whose caller has gone may take to tell its handle, and then to be cancelled. */
const CANCEL_GRACE_MS = 2_000;
/** A server that does not even take a statement in this time hangs. */
const START_TIMEOUT_MS = 60_000;

export interface TaskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Goes into the data of an error. */
  readonly sql?: string;
}

/** A statement on the server. `isDone` is set once it needs no cancel any more. */
export interface Started {
  isDone: boolean;
}

export interface StatementSteps<S extends Started, T> {
  /** Hands the statement to the server. Not ended by the task's signal: only its answer says what to cancel. */
  start(signal: AbortSignal): Promise<S>;
  follow(started: S): Promise<T>;
  cancel(started: S, signal: AbortSignal): Promise<unknown>;
  /** Told when the statement has come to its end on the server, one way or the other. */
  onEnding?(ended: Promise<void>): void;
}

/** What databases that differ only in whom they run as have in common. */
export interface Connection {
  readonly session: HttpSession;
  readonly runner: TaskRunner;
}

export interface TaskRunnerOptions {
  readonly title: string;
  /** Without secrets. */
  readonly url: string;
  readonly session: HttpSession;
}

export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #running = new Set<AbortController>();
  readonly #cleanups = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  /** Throws CandorError with the name of the service, and with the SQL and the URL in its data. */
  async run<T>(options: TaskOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeoutMs, signal } = options;
    const control = new AbortController();
    const cancel = (): void =>
      control.abort(new CandorError('database.cancelled', 'the query was cancelled'));
    const timer = setTimeout(() => control.abort(timeoutError(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', cancel);
    this.#running.add(control);
    try {
      if (this.#isClosed) throw new CandorError('database.cancelled', 'the database is closed');
      if (signal?.aborted)
        throw new CandorError('database.cancelled', 'the query was cancelled before it began');
      return await work(control.signal);
    } catch (error) {
      throw this.#complete(control.signal.aborted ? control.signal.reason : error, options.sql);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      this.#running.delete(control);
    }
  }

  /** Starts a statement, follows it, and sees to it that the server stops it unless it came to its end. */
  async statement<S extends Started, T>(signal: AbortSignal, steps: StatementSteps<S, T>): Promise<T> {
    const starting = new AbortController();
    const limit = setTimeout(() => starting.abort(timeoutError(START_TIMEOUT_MS)), START_TIMEOUT_MS);
    const started = steps.start(starting.signal).finally(() => clearTimeout(limit));
    try {
      const statement = await orAborted(started, signal);
      return await steps.follow(statement);
    } finally {
      // Whatever the reason: the rows were enough, the time is over, the caller has gone.
      const grace = setTimeout(() => starting.abort(timeoutError(CANCEL_GRACE_MS)), CANCEL_GRACE_MS);
      const stop = async (statement: S): Promise<void> => {
        if (!statement.isDone) await steps.cancel(statement, AbortSignal.timeout(CANCEL_GRACE_MS));
      };
      const ended = this.afterwards(started.finally(() => clearTimeout(grace)).then(stop));
      steps.onEnding?.(ended);
    }
  }

  /** Work that nobody else than `close` need wait for. It may fail: the server ends on its own what it is not told to end. */
  afterwards(work: Promise<unknown>): Promise<void> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#cleanups.add(settled);
    void settled.then(() => this.#cleanups.delete(settled));
    return settled;
  }

  /** Ends what runs with `database.cancelled`, and waits until the server knows. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = new CandorError('database.cancelled', 'the database was closed during the query');
    for (const control of this.#running) control.abort(reason);
    // What runs hands over its cleanup in the turns that follow the abort.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(this.#cleanups);
    this.#options.session.close();
  }

  #complete(error: unknown, sql: string | undefined): unknown {
    if (!(error instanceof CandorError)) return error;
    const { title, url, session } = this.#options;
    const message = error.message.startsWith(title) ? error.message : `${title}: ${error.message}`;
    return new CandorError(error.code, session.clean(message), {
      data: { ...error.data, ...(sql === undefined ? {} : { sql }), url },
      // Not the error itself: its message has not been cleaned.
      cause: error.cause,
    });
  }
}

function timeoutError(timeoutMs: number): CandorError {
  return new CandorError('database.timeout', `the query was stopped after ${timeoutMs} ms`, {
    data: { timeoutMs },
  });
}
