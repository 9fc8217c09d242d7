/** One request to an OpenAI-compatible `/embeddings`: tries again where that helps, and believes nothing. */
import { z } from 'zod';
import { CandorError } from '../errors.ts';
import { shownUrl } from './endpoint-url.ts';
import { postJson } from './post-json.ts';
import { RETRY_DEFAULTS, retryTransient } from './retry-transient.ts';

/** 256 vectors of 8,192 numbers, written out. */
const BODY_BYTES = 64 * 1024 * 1024;

export interface EmbeddingEndpoint {
  /** Address of `/embeddings`, without a secret. */
  readonly url: URL;
  readonly key?: string;
  readonly model: string;
  /** Of one try, from the request to the last byte. */
  readonly timeoutMs: number;
}

const REPLY = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

/**
 * Vectors in the order of the texts, as they come: neither scaled nor compared. A request is tried five times, after
 * the pause that the service names or 0.25, 0.5, 1, 2 seconds. Throws `model.unreachable`, `model.overloaded`,
 * `model.refused`, `model.bad-reply`, `model.cancelled`; no message holds the key, a text, or words of the service.
 */
export async function requestEmbeddings(
  service: EmbeddingEndpoint,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { url, key, model, timeoutMs } = service;
  const post = {
    url,
    model,
    timeoutMs,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'candor',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    maxBytes: BODY_BYTES,
    signal,
  };
  return readVectors(
    service,
    await retryTransient(() => postJson(post), RETRY_DEFAULTS, signal),
    texts.length,
  );
}

function readVectors(service: EmbeddingEndpoint, body: string, count: number): Float32Array[] {
  const parsed = REPLY.safeParse(parseJson(body));
  if (!parsed.success) {
    // Without a cause: what a parser says of a reply quotes it.
    const place = parsed.error.issues[0]?.path.join('.') || 'the reply';
    throw new CandorError(
      'model.bad-reply',
      `${shownUrl(service.url)} sent no embeddings: ${place} is not as expected`,
    );
  }
  const vectors = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
  const isWhole = vectors.size === count && parsed.data.data.length === count;
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index);
    if (isWhole && vector !== undefined) return Float32Array.from(vector);
    throw new CandorError(
      'model.bad-reply',
      `${shownUrl(service.url)} sent ${parsed.data.data.length} embeddings for ${count} texts, or numbered them wrongly`,
    );
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
