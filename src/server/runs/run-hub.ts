import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { CandorError } from '../../errors.ts';
import type { FollowedRun, RunEvent, RunInWork, Runs, ServerEnv } from '../parts/server-parts.ts';
import type { Person } from '../people/person.ts';
import type { RunState } from '../state/open-server-state.ts';

export interface RunHubSettings {
  /** Runs in work; more are refused with `server.overloaded`. */
  readonly mostAtOnce: number;
  /** Ended runs that can still be read, and the characters of their events together. */
  readonly mostKept: number;
  readonly mostKeptCharacters: number;
}

const RUN_HUB_DEFAULTS: RunHubSettings = {
  mostAtOnce: 1_000,
  mostKept: 500,
  mostKeptCharacters: 64_000_000,
};

/** Work that goes on without a reader: whoever lost the connection reads on from the last event it saw. */
export class RunHub implements Runs {
  readonly #settings: RunHubSettings;
  readonly #running = new Map<string, Run>();
  /** What the runs in work are about. */
  readonly #subjects = new Set<string>();
  /** The oldest first. */
  readonly #ended = new Map<string, Run>();
  #keptCharacters = 0;
  #isClosing = false;

  constructor(settings: Partial<RunHubSettings> = {}) {
    this.#settings = { ...RUN_HUB_DEFAULTS, ...settings };
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * One run at a time for each `subject`; one that is known under the id is given back. `work` never rejects: it emits what went
   * wrong. Throws `server.busy`, `server.overloaded`, `server.closing`, `server.invalid-request`.
   */
  start(id: string, subject: string, work: (run: Run) => Promise<void>, keeper?: RunKeeper): Run {
    const begun = this.find(id);
    if (begun?.subject === subject) return begun;
    if (begun !== undefined) throw foreignKey();
    this.refuse();
    if (this.#subjects.has(subject)) throw busy();
    const run = new Run(id, subject, keeper);
    this.#running.set(id, run);
    this.#subjects.add(subject);
    run.ended = work(run).finally(() => {
      run.end();
      this.#running.delete(id);
      this.#subjects.delete(subject);
      this.#keep(run);
    });
    return run;
  }

  /** Throws `server.closing` and `server.overloaded` where no run can begin. */
  refuse(): void {
    if (this.#isClosing) throw closing();
    if (this.#running.size >= this.#settings.mostAtOnce)
      throw new CandorError('server.overloaded', `${this.#running.size} runs are in work already.`);
  }

  find(id: string): Run | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Takes no more runs, lets those in work go on for so long, then cancels them and waits for them. */
  async close(graceMs = 0): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#running.values()];
    const ended = Promise.allSettled(running.map((run) => run.ended));
    if (graceMs > 0 && running.length > 0) {
      const enough = new AbortController();
      await Promise.race([ended, wait(graceMs, undefined, { signal: enough.signal }).catch(() => undefined)]);
      enough.abort();
    }
    for (const run of this.#running.values()) run.cancel(closing());
    await ended;
  }

  #keep(run: Run): void {
    const { mostKept, mostKeptCharacters } = this.#settings;
    this.#ended.set(run.id, run);
    this.#keptCharacters += run.characters;
    for (const [id, { characters }] of this.#ended) {
      if (this.#ended.size <= mostKept && this.#keptCharacters <= mostKeptCharacters) break;
      this.#ended.delete(id);
      this.#keptCharacters -= characters;
    }
  }
}

/** Of a subject that has a run in work. */
export function busy(): CandorError {
  return new CandorError('server.busy', 'This conversation, or these tests, have a run in work already.');
}

export function foreignKey(): CandorError {
  return new CandorError('server.invalid-request', 'This Idempotency-Key belongs to something else.');
}

function closing(): CandorError {
  return new CandorError('server.closing', 'The server is closing.');
}

/** Who else keeps the events of a run. */
export interface RunKeeper {
  /** Hears of each event as it comes. */
  readonly onEvent: (run: Run, event: RunEvent) => void;
  /** Keeps what the run came to together with its last event: both, or it throws. */
  readonly finish: (run: Run, write: (within: RunState) => Promise<void>, event: RunEvent) => Promise<void>;
}

/** The events of one piece of work, from its first to its last. */
export class Run implements FollowedRun, RunInWork {
  readonly id: string;
  /** What the work is about. */
  readonly subject: string;
  /** When the work is over, whatever came of it. */
  ended: Promise<void> = Promise.resolve();
  readonly #events: RunEvent[] = [];
  readonly #cancel = new AbortController();
  readonly #keeper: RunKeeper | undefined;
  #wake: (() => void)[] = [];
  #isEnded = false;
  #characters = 0;

  constructor(id: string, subject: string, keeper?: RunKeeper) {
    this.id = id;
    this.subject = subject;
    this.#keeper = keeper;
  }

  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  get characters(): number {
    return this.#characters;
  }

  cancel(reason?: Error): void {
    this.#cancel.abort(reason);
  }

  emit(name: string, data: unknown): void {
    const event = this.#eventOf(name, data);
    this.#add(event);
    this.#keeper?.onEvent(this, event);
  }

  async finish(write: (within?: RunState) => Promise<void>, name: string, data: unknown): Promise<void> {
    const event = this.#eventOf(name, data);
    await (this.#keeper === undefined ? write() : this.#keeper.finish(this, write, event));
    this.#add(event);
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeAll();
  }

  /** Events behind the one with the id, those to come as well; ends with the run, or when `signal` is aborted. */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
    for (let at = Math.max(0, after); !signal.aborted; ) {
      const event = this.#events[at];
      if (event !== undefined) {
        at += 1;
        yield event;
      } else if (this.#isEnded) return;
      else await this.#next(signal);
    }
  }

  #eventOf(name: string, data: unknown): RunEvent {
    return { id: this.#events.length + 1, name, data: JSON.stringify(data) };
  }

  #add(event: RunEvent): void {
    this.#characters += event.data.length;
    this.#events.push(event);
    this.#wakeAll();
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done, { once: true });
      this.#wake.push(done);
    });
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

const TESTS = 'tests of ';

/** What a person's run of the project's tests is about: they have one at a time. */
export function testsOf({ id }: Person): string {
  return `${TESTS}${id}`;
}

/** A run belongs to whoever began it, or to whom its conversation belongs to. Throws `server.not-found`. */
export async function ownRun(context: Context<ServerEnv>, id: string): Promise<FollowedRun> {
  const { runs, chats } = context.get('parts');
  const person = context.get('person');
  const run = await runs.find(id);
  const isOthers = run?.subject.startsWith(TESTS) === true && run.subject !== testsOf(person);
  if (run === undefined || isOthers)
    throw new CandorError('server.not-found', `There is no run ${JSON.stringify(id.slice(0, 80))}.`);
  if (!run.subject.startsWith(TESTS)) await chats.checkOwner(run.subject, person.id);
  return run;
}

/** Proxies close a connection that says nothing for a minute. */
const HEARTBEAT_MS = 15_000;

/** The events of a run behind the one with the id, those to come as well, then `data: [DONE]`. */
export function streamRun(context: Context<ServerEnv>, run: FollowedRun, after: number): Response {
  context.header('X-Accel-Buffering', 'no');
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const heartbeat = setInterval(() => void stream.write(': ping\n\n'), HEARTBEAT_MS);
    try {
      for await (const { id, name, data } of run.read(after, gone.signal))
        await stream.writeSSE({ id: String(id), event: name, data });
      if (!gone.signal.aborted) await stream.writeSSE({ data: '[DONE]' });
    } finally {
      clearInterval(heartbeat);
    }
  });
}
