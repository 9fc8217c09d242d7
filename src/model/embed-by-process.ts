import type { EmbeddingModel } from './embedding-model.ts';
import type { EncoderProcess } from './encoder-process.ts';
import { embedPrepared } from './prepare-texts.ts';
import { toUnitRows } from './unit-vectors.ts';

/** Large enough to be fast, small enough that a cancel or another caller waits a fraction of a second. */
const BATCH_SIZE = 64;

export interface EncoderShape {
  readonly id: string;
  /** As errors call it. */
  readonly title: string;
  readonly dimensions: number;
  readonly maxCharacters: number;
}

/** An embedding model over an encoder process, which it ends when it is closed. */
export function embedByProcess(
  process: EncoderProcess,
  { id, title, dimensions, maxCharacters }: EncoderShape,
): EmbeddingModel {
  return {
    id,
    dimensions,
    batchSize: BATCH_SIZE,
    embed: (texts, signal) =>
      embedPrepared(texts, { dimensions, maxCharacters }, async (prepared) => {
        const vectors: Float32Array[] = [];
        for (let start = 0; start < prepared.length; start += BATCH_SIZE) {
          const batch = prepared.slice(start, start + BATCH_SIZE);
          const matrix = await process.encode(batch, signal);
          vectors.push(...toUnitRows(matrix, { count: batch.length, dimensions }, title));
        }
        return vectors;
      }),
    close: () => process.close(),
  };
}
