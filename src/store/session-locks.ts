import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { postgresFailure } from '../database/postgres/index.ts';
import { CandorError } from '../errors.ts';
import { openPool } from './state/shared-state.ts';

/** A connection that says nothing for so long is taken for cut. */
const PING_TIMEOUT_MS = 10_000;
/**
 * After 25 seconds without a word from our machine the server takes us for dead and gives our locks free; the end of a
 * process it learns at once. Pings give up before that, so that we know first.
 */
const KEEP_ALIVE = ['tcp_keepalives_idle = 10', 'tcp_keepalives_interval = 5', 'tcp_keepalives_count = 3'];

/**
 * Locks by name that PostgreSQL holds for one connection of ours, and gives free the moment that connection ends, however
 * it ends. A lost connection stays lost: open another. It must be one to the server itself, or to a pooler that keeps
 * sessions apart.
 */
export class SessionLocks {
  readonly #pool: Pool;
  readonly #client: PoolClient;
  readonly #onLost: () => void;
  readonly #held = new Set<string>();
  #isLost = false;

  private constructor(pool: Pool, client: PoolClient, onLost: () => void) {
    this.#pool = pool;
    this.#client = client;
    this.#onLost = onLost;
    client.on('error', () => this.#lose());
    client.on('end', () => this.#lose());
  }

  /** `onLost` is called once, when the connection has ended and with it every lock. Throws as connecting does. */
  static async open(url: string, onLost: () => void): Promise<SessionLocks> {
    const pool = await openPool(url);
    try {
      const client = await pool.connect();
      for (const setting of KEEP_ALIVE) await client.query(`SET ${setting}`);
      return new SessionLocks(pool, client, onLost);
    } catch (error) {
      await pool.end();
      throw postgresFailure(error, 'connecting');
    }
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** True where nobody had it, and we had not; it does not wait. */
  async take(name: string): Promise<boolean> {
    if (this.#held.has(name)) return false;
    this.#held.add(name);
    try {
      const isTaken = await this.#ask('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS yes', [name]);
      if (!isTaken) this.#held.delete(name);
      return isTaken;
    } catch (error) {
      this.#held.delete(name);
      throw error;
    }
  }

  async release(name: string): Promise<void> {
    if (!this.#held.has(name) || this.#isLost) return;
    await this.#ask('SELECT pg_advisory_unlock(hashtextextended($1, 0)) AS yes', [name]);
    this.#held.delete(name);
  }

  /** Asks whether the server still answers; a connection that does not is given up. */
  async ping(): Promise<void> {
    await this.#ask('SELECT true AS yes', []);
  }

  async close(): Promise<void> {
    this.#end();
    await this.#pool.end();
  }

  async #ask(text: string, values: readonly string[]): Promise<boolean> {
    const gaveUp = new AbortController();
    const tooLate = wait(PING_TIMEOUT_MS, undefined, { signal: gaveUp.signal }).then(() => {
      throw new CandorError(
        'database.connection-lost',
        'PostgreSQL no longer answers on the connection of locks.',
      );
    });
    try {
      const { rows } = await Promise.race([this.#client.query<{ yes: boolean }>(text, [...values]), tooLate]);
      return rows[0]?.yes === true;
    } catch (error) {
      this.#lose();
      throw postgresFailure(error, 'running');
    } finally {
      gaveUp.abort();
      tooLate.catch(() => undefined);
    }
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#end();
    this.#onLost();
  }

  /** Ends the connection itself: as long as it stands the server keeps the locks. */
  #end(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#client.release(true);
  }
}
