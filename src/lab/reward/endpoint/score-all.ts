import type { ItemScore, Scorer } from '../scorer/open-scorer.ts';
import type { ScoreItem } from '../scorer/score-item.ts';
import type { WorkLine } from './work-line.ts';

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
