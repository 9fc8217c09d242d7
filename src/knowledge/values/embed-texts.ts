/** Vectors of many texts from an encoder that may fail. */
import { CandorError } from '../../errors.ts';
import type { EmbeddingModel } from '../../model/index.ts';

/** Each different text once, in batches that the encoder takes best; a failure of the encoder is told, a cancel thrown. */
export async function embedTexts(
  texts: readonly string[],
  model: EmbeddingModel,
  signal?: AbortSignal,
): Promise<{ readonly byText: ReadonlyMap<string, Float32Array> } | { readonly failure: string }> {
  const byText = new Map<string, Float32Array>();
  const size = Math.max(1, model.batchSize);
  try {
    for (let start = 0; start < texts.length; start += size) {
      const batch = texts.slice(start, start + size);
      const vectors = await model.embed(batch, signal);
      for (const [at, text] of batch.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) byText.set(text, vector);
      }
    }
    return { byText };
  } catch (error) {
    if (signal?.aborted || !(error instanceof CandorError) || !error.code.startsWith('model.')) throw error;
    return { failure: error.message };
  }
}
