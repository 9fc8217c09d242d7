import { CandorError } from '../errors.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { openBuiltInEmbedding } from './open-built-in-embedding.ts';
import { openHashedEmbedding } from './open-hashed-embedding.ts';
import { type OnnxSettings, openOnnxEmbedding } from './open-onnx-embedding.ts';
import { type OpenAiSettings, openOpenAiEmbedding } from './open-openai-embedding.ts';

/** How an embedding model can be named; also what the error and the documents list. */
export const EMBEDDING_FORMS = ['built-in', 'hashed', 'openai:<model>', 'onnx:<folder or hub id>'] as const;

/** `url` and `key` are for `openai:`, what `OnnxSettings` adds for `onnx:`. */
export interface EmbeddingSettings extends OpenAiSettings, OnnxSettings {
  /** One of the forms: `built-in`, `openai:text-embedding-3-small`, `onnx:models/minilm`. */
  readonly embedding: string;
}

/**
 * Opens an embedding model by name; whoever opens it closes it. `built-in` starts its process at the first text,
 * `openai:` asks for one embedding, `onnx:` fetches what is missing and reads the model. Throws `model.unknown` for a
 * name of no known form, else what the adapter throws.
 */
export async function openEmbeddingModel(
  settings: EmbeddingSettings,
  signal?: AbortSignal,
): Promise<EmbeddingModel> {
  const { embedding } = settings;
  const colon = embedding.indexOf(':');
  const kind = colon < 0 ? embedding : embedding.slice(0, colon);
  const rest = colon < 0 ? '' : embedding.slice(colon + 1).trim();
  if (embedding === 'built-in') return openBuiltInEmbedding();
  if (embedding === 'hashed') return openHashedEmbedding();
  if (kind === 'openai' && rest !== '') return openOpenAiEmbedding(rest, settings, signal);
  if (kind === 'onnx' && rest !== '') return openOnnxEmbedding(rest, settings, signal);
  throw new CandorError(
    'model.unknown',
    `no embedding is called ${JSON.stringify(embedding.slice(0, 100))}; known are ${EMBEDDING_FORMS.join(', ')}`,
  );
}
