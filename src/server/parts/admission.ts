import { CandorError } from '../../errors.ts';

export interface AdmissionSettings {
  /** Works at the same time. */
  readonly mostAtOnce: number;
  /** Of these of one person: where it is less, somebody else always finds a place soon. */
  readonly mostOfOne: number;
  /** Nobody waits longer for their work to begin. */
  readonly mostWaitMs: number;
}

/** Questions and SQL wait in lines of their own: neither holds up the other. */
export interface Admissions {
  readonly question: Admission;
  readonly sql: Admission;
}

/** The rest is for what comes after the wait: a busy processor calls late. */
const WAIT_SHARE = 0.75;
/** How much of the new is believed in the running mean. */
const NEW_SHARE = 0.1;
const FIRST_GUESS_MS = 500;
const MOST_RETRY_SECONDS = 60;

interface Waiter {
  readonly begin: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * A line before work that is scarce. Who would wait too long is told so at once, with when to come again; places go round
 * among the people who wait, so that the many requests of one hold up nobody but themselves.
 */
export class Admission {
  readonly #settings: AdmissionSettings;
  /** By person, each in the order of their coming; whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiter[]>();
  /** Works in progress, by person. */
  readonly #running = new Map<string, number>();
  #count = 0;
  #meanMs = FIRST_GUESS_MS;
  /** Who was sent away lately comes again: they are told to come one after the other, at the pace of the work. */
  #sentAway = 0;

  constructor(settings: AdmissionSettings) {
    this.#settings = settings;
  }

  /**
   * Settles once the person's work may begin; what it gives must be called at its end. Throws `server.overloaded` where that would
   * take, or has taken, longer than anybody shall wait, and `database.cancelled` when nobody waits any more.
   */
  enter(person: string, signal?: AbortSignal): Promise<() => void> {
    if (this.#mayBegin(person)) return Promise.resolve(this.#begin(person));
    const mostMs = this.#settings.mostWaitMs * WAIT_SHARE;
    if (this.#expectedMs(person) > mostMs) return Promise.reject(this.#overloaded());
    return new Promise((resolve, reject) => {
      const settle = (run: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        run();
      };
      const waiter: Waiter = {
        begin: () => settle(() => resolve(this.#begin(person))),
        refuse: (error) => settle(() => reject(error)),
      };
      const leave = (): void => {
        this.#forget(person, waiter);
        waiter.refuse(
          new CandorError('database.cancelled', 'The request was given up before its turn came.'),
        );
      };
      const timer = setTimeout(() => {
        this.#forget(person, waiter);
        waiter.refuse(this.#overloaded());
      }, mostMs);
      signal?.addEventListener('abort', leave);
      this.#waiting.set(person, [...(this.#waiting.get(person) ?? []), waiter]);
      if (signal?.aborted === true) leave();
    });
  }

  #begin(person: string): () => void {
    const from = performance.now();
    this.#count += 1;
    this.#running.set(person, (this.#running.get(person) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#meanMs += NEW_SHARE * (performance.now() - from - this.#meanMs);
      this.#sentAway = Math.max(0, this.#sentAway - 1);
      this.#count -= 1;
      const left = (this.#running.get(person) ?? 1) - 1;
      if (left === 0) this.#running.delete(person);
      else this.#running.set(person, left);
      this.#serve();
    };
  }

  #mayBegin(person: string): boolean {
    const { mostAtOnce, mostOfOne } = this.#settings;
    return (
      this.#count < mostAtOnce && (this.#running.get(person) ?? 0) < mostOfOne && !this.#waiting.has(person)
    );
  }

  #serve(): void {
    while (this.#count < this.#settings.mostAtOnce) {
      const next = this.#next();
      if (next === undefined) return;
      const [person, [waiter, ...rest]] = next;
      this.#waiting.delete(person);
      // At the end: everybody else comes before this person's second one.
      if (rest.length > 0) this.#waiting.set(person, rest);
      waiter?.begin();
    }
  }

  /** Of those who have fewest works in progress, whoever's turn is next. */
  #next(): [string, Waiter[]] | undefined {
    let best: [string, Waiter[]] | undefined;
    let least = this.#settings.mostOfOne;
    for (const entry of this.#waiting) {
      const running = this.#running.get(entry[0]) ?? 0;
      if (running < least) [best, least] = [entry, running];
    }
    return best;
  }

  #forget(person: string, waiter: Waiter): void {
    const rest = (this.#waiting.get(person) ?? []).filter((each) => each !== waiter);
    if (rest.length > 0) this.#waiting.set(person, rest);
    else this.#waiting.delete(person);
  }

  /** The works before this one, in the order of turns, at the pace of late. */
  #expectedMs(person: string): number {
    const own = this.#waiting.get(person)?.length ?? 0;
    let before = own;
    for (const [other, waiters] of this.#waiting)
      if (other !== person) before += Math.min(waiters.length, own + 1);
    return ((before + 1) * this.#meanMs) / this.#settings.mostAtOnce;
  }

  #overloaded(): CandorError {
    this.#sentAway += 1;
    const seconds = Math.ceil((this.#sentAway * this.#meanMs) / this.#settings.mostAtOnce / 1_000);
    const retryAfter = Math.min(MOST_RETRY_SECONDS, Math.max(1, seconds));
    const waiting = [...this.#waiting.values()].reduce((sum, waiters) => sum + waiters.length, 0);
    const most = Math.round(this.#settings.mostWaitMs / 1_000);
    const said = `Many questions are asked just now: ${this.#count} in work, ${waiting} wait, and it would take longer than ${most} s. Try again in ${retryAfter} s.`;
    return new CandorError('server.overloaded', said, { data: { retryAfter } });
  }
}
