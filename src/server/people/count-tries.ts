/** How often something went wrong lately, for each of many: who has used up their tries waits. */
export class TryCounter {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #tries = new Map<string, { count: number; endsAt: number }>();

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Whether so many more are too many. `now` in milliseconds, of any clock that only grows. */
  isUsedUp(who: string, now: number, more = 1): boolean {
    return this.#countOf(who, now) + more > this.#most;
  }

  add(who: string, now: number, more = 1): void {
    const tries = this.#tries.get(who);
    if (tries !== undefined && tries.endsAt > now) tries.count += more;
    else this.#tries.set(who, { count: more, endsAt: now + this.#windowMs });
    if (this.#tries.size > 10_000) this.#forget(now);
  }

  #countOf(who: string, now: number): number {
    const tries = this.#tries.get(who);
    return tries !== undefined && tries.endsAt > now ? tries.count : 0;
  }

  #forget(now: number): void {
    for (const [who, { endsAt }] of this.#tries) if (endsAt <= now) this.#tries.delete(who);
  }
}
