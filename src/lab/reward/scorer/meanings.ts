/** Cosines of texts, by an embedding model. */
import { cached, type EmbeddingModel } from '../../../model/index.ts';

/** Of the texts of gold and of the names of columns, which come again and again. */
const TEXTS_KEPT = 20_000;
/** Names beyond these are left without a partner. */
const MOST_COLUMNS = 256;
const MOST_NAME_CHARACTERS = 200;

export interface Meanings {
  /** The cosine of two sentences; 1 for the same text, which the model does not see. */
  compare(answer: string, gold: string, signal: AbortSignal): Promise<number>;
  /** Cosines of column names, by gold column, then predicted one. */
  compareNames(
    gold: readonly string[],
    predicted: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]>;
}

/** Names of columns are compared in lower case. The model stays the caller's to close. */
export function meaningsOf(model: EmbeddingModel): Meanings {
  const kept = cached(model, TEXTS_KEPT);
  const fold = (name: string): string => name.trim().toLowerCase().slice(0, MOST_NAME_CHARACTERS);
  return {
    async compare(answer, gold, signal) {
      const [left, right] = [answer.trim(), gold.trim()];
      if (left === right) return 1;
      const [a, b] = await kept.embed([left, right], signal);
      return cosine(a, b);
    },
    async compareNames(gold, predicted, signal) {
      const wanted = gold.slice(0, MOST_COLUMNS).map(fold);
      const given = predicted.slice(0, MOST_COLUMNS).map(fold);
      const vectors = await kept.embed([...wanted, ...given], signal);
      return wanted.map((_, row) =>
        given.map((_, column) => cosine(vectors[row], vectors[wanted.length + column])),
      );
    },
  };
}

/** Of unit vectors. */
function cosine(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
