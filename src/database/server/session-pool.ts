/** A few connections to one server, lent one at a time; opened when needed. */
import { CandorError } from '../../errors.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import type {
  DatabaseSchema,
  Plan,
  QueryLimits,
  QueryResult,
  ServerDescription,
} from '../interface/database.ts';

const END_GRACE_MS = 1_000;

export interface WaitLimits {
  /** How long to wait for a connection that others use; opening one has a limit of its own. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly resolve: (session: ServerSession) => void;
  readonly reject: (error: unknown) => void;
}

export class SessionPool {
  readonly #size: number;
  readonly #open: () => Promise<ServerSession>;
  readonly #idle: ServerSession[] = [];
  readonly #waiting = new Set<Waiter>();
  /** Lent, idle and just being opened. */
  #count = 0;
  #opening = 0;
  #isClosed = false;

  constructor(size: number, open: () => Promise<ServerSession>) {
    this.#size = size;
    this.#open = open;
  }

  /** Throws `database.timeout` when none gets free in time, `database.cancelled`, or why none can be opened. */
  acquire({ timeoutMs, signal }: WaitLimits): Promise<ServerSession> {
    return new Promise((resolve, reject) => {
      const settle = (run: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        this.#waiting.delete(waiter);
        run();
      };
      const waiter: Waiter = {
        resolve: (session) => settle(() => resolve(session)),
        reject: (error) => settle(() => reject(error)),
      };
      const cancel = (): void =>
        waiter.reject(new CandorError('database.cancelled', 'the query was cancelled before it began'));
      const late = `none of the ${this.#size} connections got free within ${timeoutMs} ms`;
      const timer = setTimeout(
        () => waiter.reject(new CandorError('database.timeout', late, { data: { timeoutMs } })),
        timeoutMs,
      );
      signal?.addEventListener('abort', cancel);
      this.#waiting.add(waiter);
      if (signal?.aborted) cancel();
      else if (this.#isClosed) waiter.reject(closedError());
      else this.#serve();
    });
  }

  /** Takes a lent session back; an unusable one is ended. */
  release(session: ServerSession): void {
    session.hold(false);
    if (session.isUsable && !this.#isClosed) this.#idle.push(session);
    else {
      this.#count -= 1;
      session.destroy();
    }
    this.#serve();
  }

  /** Ends the idle sessions: after one was found dead the others are no better. */
  dropIdle(): void {
    for (const session of this.#idle.splice(0)) {
      this.#count -= 1;
      session.destroy();
    }
  }

  /** Nobody gets a session any more; the idle ones are ended, the lent ones when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiting) waiter.reject(closedError());
    const idle = this.#idle.splice(0);
    this.#count -= idle.length;
    await Promise.all(idle.map(endSoon));
  }

  #serve(): void {
    for (const waiter of this.#waiting) {
      const session = this.#takeIdle();
      if (session === undefined) break;
      session.hold(true);
      waiter.resolve(session);
    }
    while (this.#count < this.#size && this.#opening < this.#waiting.size) void this.#openOne();
  }

  #takeIdle(): ServerSession | undefined {
    for (;;) {
      // The one used last: the others may grow old and be closed by the server.
      const session = this.#idle.pop();
      if (session === undefined || session.isUsable) return session;
      this.#count -= 1;
      session.destroy();
    }
  }

  /**
   * Opens a session for whoever waits longest; he may be gone by then. A failure is told to one who waited when the
   * opening began: who came later may find the server well again, and gets an opening of his own.
   */
  async #openOne(): Promise<void> {
    const waited = [...this.#waiting];
    this.#count += 1;
    this.#opening += 1;
    try {
      const session = await this.#open();
      this.#opening -= 1;
      this.release(session);
    } catch (error) {
      this.#opening -= 1;
      this.#count -= 1;
      waited.find((waiter) => this.#waiting.has(waiter))?.reject(error);
      this.#serve();
    }
  }
}

/** A server that is gone without a word must not hold up the end. */
async function endSoon(session: ServerSession): Promise<void> {
  const timer = setTimeout(() => session.destroy(), END_GRACE_MS);
  await session.end();
  clearTimeout(timer);
}

export function closedError(): CandorError {
  return new CandorError('database.cancelled', 'the database is closed');
}

/**
 * One connection to a database server. Runs one thing at a time; every method leaves no open transaction and no
 * changed setting behind, or makes the session unusable. Throws CandorError `database.*`, or `StaleSession` when
 * the connection turned out to be gone before the statement was sent.
 */
export interface ServerSession {
  /** False once its state is not known for certain: it must not run anything else. */
  readonly isUsable: boolean;
  query(sql: string, limits: QueryLimits): Promise<QueryResult>;
  explain(sql: string, timeoutMs: number): Promise<Plan>;
  readSchema(timeoutMs: number): Promise<DatabaseSchema>;
  stamp(timeoutMs: number): Promise<string>;
  readOwnCode(timeoutMs: number): Promise<OwnCode>;
  describe(timeoutMs: number): Promise<ServerDescription>;
  /** Asks the server, on another connection, to stop what this session runs. */
  cancel(): Promise<void>;
  /** Whether the connection keeps the program alive. */
  hold(isHeld: boolean): void;
  /** Ends it politely when idle. */
  end(): Promise<void>;
  /** Ends it at once; what runs fails. */
  destroy(): void;
}

/** The connection had ended while it was idle: nothing was run, another one may try. */
export class StaleSession extends Error {
  constructor(cause: unknown) {
    super('the connection ended while it was idle', { cause });
    this.name = 'StaleSession';
  }
}
