/** Embeddings of an OpenAI-compatible service: OpenAI itself, Azure, vLLM, Ollama, LM Studio, TEI, … */
import { CandorError } from '../errors.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { readEndpointUrl } from './endpoint-url.ts';
import { embedPrepared } from './prepare-texts.ts';
import { type EmbeddingEndpoint, requestEmbeddings } from './request-embeddings.ts';
import { Slots } from './slots.ts';
import { toUnit } from './unit-vectors.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
const BATCH_SIZE = 128;
/** Requests at once: services answer 429 beyond a few, and one connection is rarely busy. */
const REQUESTS_AT_ONCE = 4;
const TIMEOUT_MS = 60_000;
/** Below the 8,191 tokens that OpenAI reads, in any language. */
const MAX_CHARACTERS = 8_000;

export interface OpenAiSettings {
  /** Up to and without `/embeddings`; absent: OpenAI's. */
  readonly url?: string;
  /** Sent as a bearer token; absent: none is sent. Never part of a message. */
  readonly key?: string;
  readonly timeoutMs?: number;
}

/**
 * Asks for one embedding, so that a wrong key or name shows at once and the dimensions are known. Texts leave this
 * machine for the service. Throws `model.refused`, `model.unreachable`, `model.overloaded`, `model.bad-reply`.
 */
export async function openOpenAiEmbedding(
  model: string,
  settings: OpenAiSettings,
  signal?: AbortSignal,
): Promise<EmbeddingModel> {
  const url = readUrl(settings.url ?? OPENAI_URL);
  const { key, timeoutMs = TIMEOUT_MS } = settings;
  const service: EmbeddingEndpoint = { url, model, timeoutMs, ...(key === undefined ? {} : { key }) };
  const [probe = new Float32Array()] = await requestEmbeddings(service, ['dimensions'], signal);
  const dimensions = toUnit(probe, url.host).length;
  const slots = new Slots(REQUESTS_AT_ONCE);
  const closed = new AbortController();

  const embedBatch = async (
    texts: readonly string[],
    stop: AbortSignal,
  ): Promise<readonly Float32Array[]> => {
    const vectors = await slots.run(() => requestEmbeddings(service, texts, stop));
    const wrong = vectors.find((vector) => vector.length !== dimensions);
    if (wrong === undefined) return vectors.map((vector) => toUnit(vector, url.host));
    throw new CandorError(
      'model.wrong-dimensions',
      `${url.host} sent a vector of ${wrong.length} dimensions for ${model}, which had ${dimensions}`,
    );
  };
  return {
    id: `openai/${url.host}/${model}/${dimensions}`,
    dimensions,
    batchSize: BATCH_SIZE,
    embed: (texts, cancel) =>
      embedPrepared(texts, { dimensions, maxCharacters: MAX_CHARACTERS }, async (prepared) => {
        // The first failure ends the other requests of the call: nobody waits for their retries.
        const failed = new AbortController();
        const signals = [closed.signal, failed.signal, ...(cancel === undefined ? [] : [cancel])];
        const stop = AbortSignal.any(signals);
        try {
          const batches = batchesOf(prepared).map((batch) => embedBatch(batch, stop));
          return (await Promise.all(batches)).flat();
        } catch (error) {
          failed.abort();
          throw error;
        }
      }),
    close: async () => closed.abort(),
  };
}

function batchesOf(texts: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(texts.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, index) =>
    texts.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}

/** `https://host/v1` → `https://host/v1/embeddings`; a query stays. */
function readUrl(text: string): URL {
  const url = readEndpointUrl(text, 'the embedding service');
  if (!url.pathname.endsWith('/embeddings')) url.pathname = `${url.pathname}/embeddings`.replace('//', '/');
  return url;
}
