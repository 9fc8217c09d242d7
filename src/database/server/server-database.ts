/** A database on a server, queried through a small pool of read-only sessions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import type {
  Database,
  DatabaseSchema,
  Plan,
  QueryLimits,
  QueryResult,
  ServerDescription,
} from '../interface/database.ts';
import { closedError, type ServerSession, SessionPool, StaleSession } from './session-pool.ts';

const SCHEMA_TIMEOUT_MS = 120_000;
const EXPLAIN_TIMEOUT_MS = 20_000;

export interface ServerDatabaseParts {
  readonly dialect: DialectName;
  /** The database's own name. */
  readonly name: string;
  /** Without secrets. */
  readonly url: string;
  /** For messages: `PostgreSQL database shop at localhost:5432`. */
  readonly title: string;
  readonly poolSize: number;
  openSession(): Promise<ServerSession>;
}

/** Implements `Database` for every engine that is reached over a connection; what differs is its `ServerSession`. */
export class ServerDatabase implements Database {
  readonly dialect: DialectName;
  readonly name: string;
  readonly url: string;
  readonly #title: string;
  readonly #pool: SessionPool;
  readonly #running = new Set<Promise<unknown>>();
  readonly #stops = new Set<(error: CandorError) => void>();

  constructor(parts: ServerDatabaseParts) {
    this.dialect = parts.dialect;
    this.name = parts.name;
    this.url = parts.url;
    this.#title = parts.title;
    this.#pool = new SessionPool(parts.poolSize, () => parts.openSession());
  }

  /** Opens the first session, so that a wrong address, password or name shows now and not at the first question. */
  open(): Promise<void> {
    return this.#run(EXPLAIN_TIMEOUT_MS, {}, async () => undefined);
  }

  stamp(signal?: AbortSignal): Promise<string> {
    return this.#run(SCHEMA_TIMEOUT_MS, { signal }, (session) => session.stamp(SCHEMA_TIMEOUT_MS));
  }

  readSchema(signal?: AbortSignal): Promise<DatabaseSchema> {
    return this.#run(SCHEMA_TIMEOUT_MS, { signal }, (session) => session.readSchema(SCHEMA_TIMEOUT_MS));
  }

  readOwnCode(signal?: AbortSignal): Promise<OwnCode> {
    return this.#run(EXPLAIN_TIMEOUT_MS, { signal }, (session) => session.readOwnCode(EXPLAIN_TIMEOUT_MS));
  }

  async query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult> {
    this.#refuseNul(sql);
    return this.#run(limits.timeoutMs, { signal, sql }, (session) => session.query(sql, limits));
  }

  async explain(sql: string, signal?: AbortSignal): Promise<Plan> {
    this.#refuseNul(sql);
    return this.#run(EXPLAIN_TIMEOUT_MS, { signal, sql }, (session) =>
      session.explain(sql, EXPLAIN_TIMEOUT_MS),
    );
  }

  describe(signal?: AbortSignal): Promise<ServerDescription> {
    return this.#run(EXPLAIN_TIMEOUT_MS, { signal }, (session) => session.describe(EXPLAIN_TIMEOUT_MS));
  }

  /** What runs is stopped with `database.cancelled`. */
  async close(): Promise<void> {
    const closed = this.#pool.close();
    for (const stop of this.#stops) stop(closedError());
    await Promise.allSettled([closed, ...this.#running]);
  }

  /** PostgreSQL's protocol ends a text there: the server would read less than the guard has read. */
  #refuseNul(sql: string): void {
    if (!sql.includes('\0')) return;
    throw this.#named(new CandorError('database.query-failed', 'the SQL text holds a NUL character'), sql);
  }

  /** Failures leave with the database's name and the SQL that caused them. */
  async #run<T>(
    timeoutMs: number,
    { signal, sql }: { readonly signal?: AbortSignal | undefined; readonly sql?: string },
    work: (session: ServerSession) => Promise<T>,
  ): Promise<T> {
    const run = this.#runOnce(timeoutMs, signal, work).catch((error: unknown) => {
      if (!(error instanceof StaleSession)) throw error;
      this.#pool.dropIdle();
      return this.#runOnce(timeoutMs, signal, work);
    });
    this.#running.add(run);
    try {
      return await run;
    } catch (error) {
      throw this.#named(error, sql);
    } finally {
      this.#running.delete(run);
    }
  }

  async #runOnce<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (session: ServerSession) => Promise<T>,
  ): Promise<T> {
    const session = await this.#pool.acquire({ timeoutMs, signal });
    try {
      return await runStoppable(session, { timeoutMs, signal, stops: this.#stops }, () => work(session));
    } finally {
      this.#pool.release(session);
    }
  }

  #named(error: unknown, sql: string | undefined): unknown {
    if (error instanceof StaleSession) {
      return new CandorError('database.connection-lost', `${this.#title}: ${error.message}`, {
        data: { url: this.url },
        cause: error,
      });
    }
    if (!(error instanceof CandorError)) return error;
    // What is wrong with a statement goes on to models and to people who need not know where the server is.
    const isOfStatement = sql !== undefined && error.code === 'database.query-failed';
    const title = isOfStatement ? this.#title.replace(/ at \S+$/, '') : this.#title;
    return new CandorError(error.code, `${title}: ${error.message}`, {
      data: { ...error.data, ...(sql === undefined ? {} : { sql }), url: this.url },
      cause: error,
    });
  }
}

// Runs something on a session that a time limit, a cancel or the closing of the database can stop.

/** How long the server may take to stop after it was asked, before the connection is cut. */
const GRACE_MS = 2_000;
const ASK_AGAIN_MS = 150;

interface StopReasons {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Filled with a function that stops the work with the given error, as long as it runs. */
  readonly stops: Set<(error: CandorError) => void>;
}

/**
 * The server is asked to stop (so that it does not go on for nobody) and the session is destroyed: the request may
 * arrive late, and must not hit what runs next. Throws why it was stopped, else whatever the work throws.
 */
async function runStoppable<T>(
  session: ServerSession,
  { timeoutMs, signal, stops }: StopReasons,
  work: () => Promise<T>,
): Promise<T> {
  let reason: CandorError | null = null;
  let asking: Promise<void> = Promise.resolve();
  const settled = new AbortController();
  const stop = (error: CandorError): void => {
    if (reason !== null) return;
    reason = error;
    asking = askToStop(session, settled.signal);
  };
  const cancel = (): void => stop(new CandorError('database.cancelled', 'the query was cancelled'));
  const timer = setTimeout(() => stop(timeoutError(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', cancel);
  stops.add(stop);
  if (signal?.aborted) cancel();
  try {
    const result = await work();
    if (reason !== null) throw reason;
    return result;
  } catch (error) {
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
    settled.abort();
    signal?.removeEventListener('abort', cancel);
    stops.delete(stop);
    if (reason !== null) {
      session.destroy();
      await Promise.race([asking, sleep(GRACE_MS)]);
    }
  }
}

/**
 * Asks again until it is heard: a request that arrives between two statements of the session is ignored. Where the
 * work does not end in time the connection is cut, which ends it on our side, and the server is asked once more.
 */
async function askToStop(session: ServerSession, settled: AbortSignal): Promise<void> {
  let isCut = false;
  const cut = setTimeout(() => {
    isCut = true;
    session.destroy();
  }, GRACE_MS);
  // Should the server not hear it, the cut ends the work; nobody could do anything about this failure.
  const ask = (): Promise<void> => session.cancel().catch(() => undefined);
  const pause = (): Promise<void> =>
    sleep(ASK_AGAIN_MS, undefined, { signal: settled }).catch(() => undefined);
  while (!settled.aborted && !isCut) {
    await ask();
    await pause();
  }
  clearTimeout(cut);
  if (isCut) await ask();
}

function timeoutError(timeoutMs: number): CandorError {
  return new CandorError('database.timeout', `the query was stopped after ${timeoutMs} ms`, {
    data: { timeoutMs },
  });
}

/**
 * Loads a driver that is an optional package. Throws `database.driver-missing` with the line that installs it:
 * `loadDriver('PostgreSQL', 'npm install pg@8.23.1', () => import('pg'))`.
 */
export async function loadDriver<T>(title: string, install: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new CandorError(
      'database.driver-missing',
      `the driver for ${title} is not installed; install it with: ${install}`,
      { data: { install }, cause: error },
    );
  }
}
