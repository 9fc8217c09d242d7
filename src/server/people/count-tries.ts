/** How often something went wrong lately, for each of many: who has used up their tries waits. */
export class TryCounter {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #tries = new Map<string, { count: number; endsAt: number }>();

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** `now` in milliseconds, of any clock that only grows. */
  isUsedUp(who: string, now: number): boolean {
    const tries = this.#tries.get(who);
    return tries !== undefined && tries.endsAt > now && tries.count >= this.#most;
  }

  add(who: string, now: number): void {
    const tries = this.#tries.get(who);
    if (tries !== undefined && tries.endsAt > now) tries.count += 1;
    else this.#tries.set(who, { count: 1, endsAt: now + this.#windowMs });
    if (this.#tries.size > 10_000) this.#forget(now);
  }

  #forget(now: number): void {
    for (const [who, { endsAt }] of this.#tries) if (endsAt <= now) this.#tries.delete(who);
  }
}
