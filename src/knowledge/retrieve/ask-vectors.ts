/** The vectors of a question and of what goes with it, made in one call. */
import type { EmbeddingModel } from '../../model/index.ts';
import type { DocumentKind, SearchStore } from '../search/search-store.ts';
import type { QuestionVector } from './search-tables.ts';

/** By text. */
export async function askVectors(
  texts: readonly string[],
  model: EmbeddingModel,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, QuestionVector>> {
  const vectors = await model.embed(texts, signal);
  return new Map(
    texts.flatMap((text, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [[text, { modelId: model.id, vector }] as const];
    }),
  );
}

/** Cosines of the nearest documents of a kind, by id. */
export async function nearest(
  store: SearchStore,
  kind: DocumentKind,
  vector: QuestionVector | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (vector === undefined) return new Map();
  const hits = await store.searchVectors(vector.modelId, vector.vector, { kinds: [kind], limit: NEAREST });
  return new Map(hits.map(({ id, score }) => [id, score]));
}

/** More than any list keeps. */
const NEAREST = 50;
