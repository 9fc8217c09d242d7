import { setTimeout as wait } from 'node:timers/promises';
import { CandorError } from '../../errors.ts';
import type { FollowedRun, RunEvent, RunInWork, Runs } from '../parts/server-parts.ts';
import { busy, foreignKey, type Run, RunHub, type RunHubSettings } from './run-hub.ts';
import type { KnownRun, SharedRunTable, Write } from './shared-run-table.ts';

/** How long events of a run may wait for each other before other servers can read them. */
const GATHER_MS = 100;
const TRY_AGAIN_MS = 500;
/** A state that cannot be reached is tried again so often, for 20 seconds, before an answer is given up. */
const MOST_TRIES = 40;
const MOST_CLAIMS = 6;
/** A server that has only lost its connection is back sooner. */
const GONE_AFTER_MS = 1_000;

interface Kept {
  /** Events that only this server knows. */
  pending: RunEvent[];
  timer: NodeJS.Timeout | undefined;
  /** One write after the other. */
  writing: Promise<void>;
  isEnded: boolean;
}

/**
 * Runs of several servers over one state: claimed there, worked on here, readable everywhere. A server that was taken for gone cannot
 * keep anything of a run that another has taken up.
 */
export class SharedRuns implements Runs {
  readonly #table: SharedRunTable;
  readonly #server: number;
  readonly #hub: RunHub;
  readonly #kept = new Map<Run, Kept>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(table: SharedRunTable, server: number, settings: Partial<RunHubSettings> = {}) {
    this.#table = table;
    this.#server = server;
    // What has ended is read where all servers read it.
    this.#hub = new RunHub({ ...settings, mostKept: 0 });
  }

  get running(): number {
    return this.#hub.running;
  }

  get isClosing(): boolean {
    return this.#hub.isClosing;
  }

  async start(id: string, subject: string, work: (run: RunInWork) => Promise<void>): Promise<FollowedRun> {
    const own = this.#hub.find(id);
    if (own?.subject === subject) return own;
    this.#hub.refuse();
    const begun = await this.#claim(id, subject);
    if (begun !== undefined) return this.#hub.find(id) ?? new ForeignRun(this.#table, begun);
    try {
      return this.#hub.start(id, subject, (run) => this.#work(run, work), {
        onEvent: (run, event) => this.#gather(run, event),
        finish: (run, write, event) => this.#finish(run, write, event),
      });
    } catch (error) {
      // It closed meanwhile.
      await this.#table.end(id, this.#server, { events: [], as: 'lost' });
      throw error;
    }
  }

  async find(id: string): Promise<FollowedRun | undefined> {
    const own = this.#hub.find(id);
    if (own !== undefined) return own;
    const known = await this.#table.find(id);
    return known && new ForeignRun(this.#table, known);
  }

  async close(graceMs = 0): Promise<void> {
    await this.#hub.close(graceMs);
    this.#isClosed = true;
    await Promise.allSettled(this.#ending);
  }

  /** Another server was told to cancel it. */
  cancelHere(id: string): void {
    this.#hub.find(id)?.cancel();
  }

  /** Notices may have been missed. */
  async catchUp(): Promise<void> {
    for (const id of await this.#table.cancelled(this.#server)) this.cancelHere(id);
  }

  /** The run that is there already under this id; undefined: it is ours to work on. Throws `server.busy`, `server.invalid-request`. */
  async #claim(id: string, subject: string): Promise<KnownRun | undefined> {
    for (let tries = 0; tries < MOST_CLAIMS; tries += 1) {
      if (await this.#table.insert(id, subject, this.#server)) return undefined;
      const there = await this.#table.conflicting(id, subject);
      if (there === undefined) continue;
      if (there.id === id && there.subject !== subject) throw foreignKey();
      if (there.state === 'running') {
        if (!(await this.#isGone(there.owner))) {
          if (there.id === id) return there;
          throw busy();
        }
        await this.#table.lose(there);
      } else if (there.state === 'ended') return there;
      if (there.id === id && (await this.#table.takeUp(id, subject, this.#server))) return undefined;
    }
    throw busy();
  }

  async #isGone(server: number): Promise<boolean> {
    if (server === this.#server || (await this.#table.isThere(server))) return false;
    await wait(GONE_AFTER_MS);
    return !(await this.#table.isThere(server));
  }

  async #work(run: Run, work: (run: RunInWork) => Promise<void>): Promise<void> {
    const kept: Kept = { pending: [], timer: undefined, writing: Promise.resolve(), isEnded: false };
    this.#kept.set(run, kept);
    await work(run);
    clearTimeout(kept.timer);
    if (kept.isEnded) {
      this.#kept.delete(run);
      return;
    }
    const ending = kept.writing.then(() => this.#end(run, kept));
    this.#ending.add(ending);
    const done = ending.finally(() => {
      this.#ending.delete(ending);
      this.#kept.delete(run);
    });
    // A reader here need not wait for a state that cannot be reached.
    await Promise.race([done, wait(TRY_AGAIN_MS, undefined, { ref: false })]);
  }

  #gather(run: Run, event: RunEvent): void {
    const kept = this.#kept.get(run);
    if (kept === undefined) return;
    kept.pending.push(event);
    kept.timer ??= setTimeout(() => this.#spread(run, kept), GATHER_MS);
  }

  #spread(run: Run, kept: Kept): void {
    kept.timer = undefined;
    kept.writing = kept.writing.then(async () => {
      const events = kept.pending;
      if (kept.isEnded || events.length === 0) return;
      kept.pending = [];
      try {
        const isCancelled = await this.#table.addEvents(run.id, this.#server, events);
        if (isCancelled !== false) run.cancel(isCancelled === undefined ? lost() : undefined);
      } catch {
        kept.pending = [...events, ...kept.pending];
        kept.timer ??= setTimeout(() => this.#spread(run, kept), TRY_AGAIN_MS);
      }
    });
  }

  /** All of it is kept, or it throws: also where it is not known at first whether the state has kept it. */
  async #finish(run: Run, write: Write, event: RunEvent): Promise<void> {
    const kept = this.#kept.get(run);
    if (kept === undefined) throw new CandorError('internal.bug', `The run ${run.id} is not known here.`);
    clearTimeout(kept.timer);
    await kept.writing;
    for (let tries = 1; ; tries += 1) {
      try {
        const events = [...kept.pending, event];
        const isOurs = await this.#table.end(run.id, this.#server, { events, as: 'ended', write });
        if (!isOurs && !(tries > 1 && (await this.#wasKept(run.id)))) throw lost();
        kept.isEnded = true;
        return;
      } catch (error) {
        if (!isOfConnection(error) || tries === MOST_TRIES) throw error;
        await wait(TRY_AGAIN_MS);
      }
    }
  }

  async #wasKept(id: string): Promise<boolean> {
    const known = await this.#table.find(id);
    return known?.state === 'ended' && known.owner === this.#server;
  }

  /** A run that kept nothing: its last events say why. Goes on until the state can be reached, or the server ends. */
  async #end(run: Run, kept: Kept): Promise<void> {
    while (!kept.isEnded) {
      try {
        const as = wasHandedOver(run) ? 'lost' : 'ended';
        await this.#table.end(run.id, this.#server, { events: kept.pending, as });
        kept.isEnded = true;
      } catch {
        if (this.#isClosed) return;
        await wait(TRY_AGAIN_MS, undefined, { ref: false });
      }
    }
  }
}

/** It was not given the time to end: whoever sends the same again begins it on another server. */
function wasHandedOver({ signal: { reason } }: Run): boolean {
  return reason instanceof CandorError && reason.code === 'server.closing';
}

const CONNECTION_CODES: ReadonlySet<unknown> = new Set([
  'database.connection-lost',
  'database.unreachable',
  'database.timeout',
]);

function isOfConnection(error: unknown): boolean {
  return error instanceof CandorError && CONNECTION_CODES.has(error.code);
}

function lost(): CandorError {
  return new CandorError('server.run-lost', 'Another server has taken this up.');
}

const LOOK_EVERY_MS = 150;
/** So many looks without news, and it is asked whether its server still lives. */
const LOOKS_BEFORE_DOUBT = 7;

/** A run that is in work on another server, or has ended, read from the state. */
class ForeignRun implements FollowedRun {
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
