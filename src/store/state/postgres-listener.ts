/** A connection of its own to shared state: it hears notices, and holds a lock that ends with the process. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { untilAborted } from '../../lib/index.ts';

export interface ListenerSettings {
  readonly channels: readonly string[];
  /** Held while the connection lives: others see by it that this program does. */
  readonly lock: readonly [space: number, number: number];
  /** A notice of `pg_notify`. */
  readonly onNotice: (channel: string, payload: string) => void;
  /** Connected, again after a loss: whatever was to be heard meanwhile was missed. */
  readonly onConnected: () => void;
}

export interface PostgresListener {
  /** Whether notices are heard now. */
  readonly isConnected: boolean;
  close(): Promise<void>;
}

const AGAIN_MS = 250;
const PING_EVERY_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;
/** The server ends the session of a machine that is gone, and with it the lock, after about this many seconds. */
const KEEP_ALIVE = `SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
  set_config('tcp_keepalives_count', '3', false)`;

/** Connected once it returns; a connection that is lost is made again for as long as it takes. Throws as connecting does. */
export async function openPostgresListener(
  pool: Pool,
  settings: ListenerSettings,
): Promise<PostgresListener> {
  const listener = new Listener(pool, settings);
  await listener.connect();
  listener.stay();
  return listener;
}

class Listener implements PostgresListener {
  readonly #pool: Pool;
  readonly #settings: ListenerSettings;
  readonly #closing = new AbortController();
  #client: PoolClient | undefined;
  #lost: Promise<void> = Promise.resolve();
  #staying: Promise<void> = Promise.resolve();

  constructor(pool: Pool, settings: ListenerSettings) {
    this.#pool = pool;
    this.#settings = settings;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  async connect(): Promise<void> {
    const { channels, lock, onNotice, onConnected } = this.#settings;
    const client = await this.#pool.connect();
    this.#lost = new Promise((resolve) => {
      client.once('error', () => resolve());
      client.once('end', () => resolve());
    });
    client.on('notification', ({ channel, payload = '' }) => onNotice(channel, payload));
    try {
      await client.query(KEEP_ALIVE);
      await client.query('SELECT pg_advisory_lock($1, $2)', [...lock]);
      for (const channel of channels) await client.query(`LISTEN ${channel}`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#client = client;
    onConnected();
  }

  stay(): void {
    this.#staying = this.#stay();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#client?.release(true);
    this.#client = undefined;
    await this.#staying;
    await this.#pool.end();
  }

  async #stay(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#untilLost();
      if (signal.aborted) return;
      this.#client?.release(true);
      this.#client = undefined;
      await wait(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.connect().catch(() => undefined);
    }
  }

  /** A connection may be dead without a word: it is asked now and then. */
  async #untilLost(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    const { signal } = this.#closing;
    const aborted = untilAborted(signal);
    for (;;) {
      const pause = new AbortController();
      const asked = wait(PING_EVERY_MS, true, { signal: pause.signal, ref: false }).catch(() => false);
      const isPingDue = await Promise.race([asked, this.#lost.then(() => false), aborted.then(() => false)]);
      pause.abort();
      if (isPingDue !== true) return;
      const isAlive = await Promise.race([
        client.query('SELECT 1').then(
          () => true,
          () => false,
        ),
        wait(PING_TIMEOUT_MS, false, { ref: false }),
      ]);
      if (!isAlive) return;
    }
  }
}
