import { CandorError } from '../../errors.ts';

/** One thing that happened in a run: a name and its data as JSON text, in one order. */
export interface RunEvent {
  /** 1, 2, 3, …: what a reader names to go on behind it. */
  readonly id: number;
  readonly name: string;
  readonly data: string;
}

export interface RunHubSettings {
  /** Runs in work; more are refused with `server.overloaded`. */
  readonly mostAtOnce: number;
  /** Ended runs that can still be read, and the characters of their events together. */
  readonly mostKept: number;
  readonly mostKeptCharacters: number;
}

export const RUN_HUB_DEFAULTS: RunHubSettings = {
  mostAtOnce: 1_000,
  mostKept: 500,
  mostKeptCharacters: 64_000_000,
};

/** Work that goes on without a reader: whoever lost the connection reads on from the last event it saw. */
export class RunHub {
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
   * One run at a time for each `subject`. `work` never rejects: it emits what went wrong. Throws `server.busy`,
   * `server.overloaded` and `server.closing`.
   */
  start(id: string, subject: string, work: (run: Run) => Promise<void>): Run {
    if (this.#isClosing) throw new CandorError('server.closing', 'The server is closing.');
    if (this.#subjects.has(subject))
      throw new CandorError('server.busy', 'This conversation, or these tests, have a run in work already.');
    if (this.#running.size >= this.#settings.mostAtOnce)
      throw new CandorError('server.overloaded', `${this.#running.size} runs are in work already.`);
    const run = new Run(id, subject);
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

  find(id: string): Run | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }

  /** Throws `server.not-found`. */
  get(id: string): Run {
    const run = this.find(id);
    if (run !== undefined) return run;
    throw new CandorError('server.not-found', `There is no run ${JSON.stringify(id.slice(0, 80))}.`);
  }

  /** Takes no more runs, cancels those in work and waits for them. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#running.values()];
    for (const run of running) run.cancel();
    await Promise.allSettled(running.map(({ ended }) => ended));
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

/** The events of one piece of work, from its first to its last. */
export class Run {
  readonly id: string;
  /** What the work is about. */
  readonly subject: string;
  /** When the work is over, whatever came of it. */
  ended: Promise<void> = Promise.resolve();
  readonly #events: RunEvent[] = [];
  readonly #cancel = new AbortController();
  #wake: (() => void)[] = [];
  #isEnded = false;
  #characters = 0;

  constructor(id: string, subject: string) {
    this.id = id;
    this.subject = subject;
  }

  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  get characters(): number {
    return this.#characters;
  }

  cancel(): void {
    this.#cancel.abort();
  }

  emit(name: string, data: unknown): void {
    const text = JSON.stringify(data);
    this.#characters += text.length;
    this.#events.push({ id: this.#events.length + 1, name, data: text });
    this.#wakeAll();
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
