import { setTimeout as wait } from 'node:timers/promises';
import type { FollowedRun, RunEvent } from './runs.ts';
import type { KnownRun, SharedRunTable } from './shared-run-table.ts';

const LOOK_EVERY_MS = 150;
/** So many looks without news, and it is asked whether its server still lives. */
const LOOKS_BEFORE_DOUBT = 7;

/** A run that is in work on another server, or has ended, read from the state. */
export class ForeignRun implements FollowedRun {
  readonly id: string;
  readonly subject: string;
  readonly #owner: number;
  readonly #table: SharedRunTable;

  constructor(table: SharedRunTable, { id, subject, owner }: KnownRun) {
    this.#table = table;
    this.id = id;
    this.subject = subject;
    this.#owner = owner;
  }

  async *read(after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
    let [at, quiet] = [Math.max(0, after), 0];
    while (!signal.aborted) {
      // Asked before the events: what ends a run is kept together with its last ones.
      const isOver = (await this.#table.find(this.id))?.state !== 'running';
      const events = await this.#table.eventsBehind(this.id, at);
      for (const event of events) {
        at = event.id;
        yield event;
      }
      if (isOver) return;
      quiet = events.length === 0 ? quiet + 1 : 0;
      if (quiet >= LOOKS_BEFORE_DOUBT) quiet = await this.#doubt(quiet);
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async cancel(): Promise<void> {
    await this.#table.cancel(this.id);
  }

  /** Twice not there is gone: one that has only lost its connection is back by then. */
  async #doubt(quiet: number): Promise<number> {
    if (await this.#table.isThere(this.#owner)) return 0;
    if (quiet >= 2 * LOOKS_BEFORE_DOUBT) await this.#table.lose({ id: this.id, owner: this.#owner });
    return quiet;
  }
}
