import type { ItemScore, Scorer } from '../scorer/open-scorer.ts';
import type { ScoreItem } from '../scorer/virtual-schema.ts';

/** Scores items side by side, in their order. What stops one of them stops all, and is thrown. */
export async function scoreAll(
  items: readonly ScoreItem[],
  {
    scorer,
    line,
    signal,
  }: { readonly scorer: Scorer; readonly line: WorkLine; readonly signal: AbortSignal },
): Promise<readonly ItemScore[]> {
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', abort);
  let failure: { readonly error: unknown } | undefined;
  const scoreOne = async (item: ScoreItem): Promise<ItemScore | undefined> => {
    // Those that still wait for their turn have nothing to do any more.
    if (stop.signal.aborted) return undefined;
    try {
      return await scorer.score(item, stop.signal);
    } catch (error) {
      failure ??= { error };
      stop.abort(error);
      return undefined;
    }
  };
  try {
    if (signal.aborted) abort();
    const scores = await Promise.all(items.map((item) => line.run(() => scoreOne(item))));
    signal.throwIfAborted();
    if (failure !== undefined) throw failure.error;
    return scores.flatMap((score) => score ?? []);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** How much of the new is believed in the running mean. */
const NEW_SHARE = 0.05;

/** A line of works of which a bounded number is done at once, and a bounded number waits. */
export class WorkLine {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #meanMs = 10;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Whether so many works find a place, so that all or none of a batch is taken. */
  hasRoom(works: number): boolean {
    return this.#running + this.#waiting.length + works <= this.#atOnce + this.#mostWaiting;
  }

  /** Runs the work when its turn comes; whoever calls has asked for room. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.#meanMs += NEW_SHARE * (performance.now() - from - this.#meanMs);
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** Works that are done or wait. */
  get length(): number {
    return this.#running + this.#waiting.length;
  }

  /** Seconds until the works of now will be done, at the pace of late; from 1 to 60. */
  get secondsLeft(): number {
    const seconds = (this.length * this.#meanMs) / this.#atOnce / 1_000;
    return Math.min(60, Math.max(1, Math.ceil(seconds)));
  }
}
