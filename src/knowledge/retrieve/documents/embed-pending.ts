/** Makes the vectors that texts of the search store still lack. */
import { CandorError } from '../../../errors.ts';
import type { EmbeddingModel } from '../../../model/index.ts';
import type { DocumentKind, PendingText, SearchStore } from '../../search/search-store.ts';

export interface EmbedOptions {
  readonly kinds: readonly DocumentKind[];
  readonly onProgress?: (progress: EmbedProgress) => void;
  readonly signal?: AbortSignal;
}

interface EmbedProgress {
  readonly done: number;
  /** Texts that lacked a vector at the start; beyond 50,000 it grows as they are met. */
  readonly total: number;
  /** Seconds left at the pace so far; absent before the first texts are done. */
  readonly secondsLeft?: number;
}

/** Texts that are read and kept at once: what a kill loses, and what memory holds. */
const TEXTS_AT_ONCE = 512;
const MOST_COUNTED = 50_000;

/**
 * Embeds what is pending and gives the number of new vectors. Every few hundred texts are kept as they are done: stopped
 * or killed, the next call goes on from there. Throws what model and store throw.
 */
export async function embedPending(
  store: SearchStore,
  model: EmbeddingModel,
  { kinds, onProgress, signal }: EmbedOptions,
): Promise<number> {
  const total = (await store.pendingTexts(model.id, kinds, MOST_COUNTED)).length;
  const start = performance.now();
  let done = 0;
  onProgress?.({ done, total });
  for (;;) {
    signal?.throwIfAborted();
    const pending = await store.pendingTexts(model.id, kinds, TEXTS_AT_ONCE);
    if (pending.length === 0) return done;
    const vectors = await embedTexts(model, pending, signal);
    await store.putVectors(model.id, vectors);
    done += pending.length;
    const secondsLeft = ((performance.now() - start) / 1000 / done) * Math.max(0, total - done);
    onProgress?.({ done, total: Math.max(total, done), secondsLeft });
  }
}

async function embedTexts(
  model: EmbeddingModel,
  pending: readonly PendingText[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Float32Array>> {
  const vectors = new Map<string, Float32Array>();
  for (let start = 0; start < pending.length; start += model.batchSize) {
    const batch = pending.slice(start, start + model.batchSize);
    const made = await model.embed(
      batch.map(({ text }) => text),
      signal,
    );
    for (const [at, { hash }] of batch.entries()) {
      const vector = made[at];
      // A text that never gets a vector would be pending for ever.
      if (vector === undefined)
        throw new CandorError(
          'model.bad-reply',
          `${model.id} gave ${made.length} vectors for ${batch.length} texts.`,
        );
      vectors.set(hash, vector);
    }
  }
  return vectors;
}
