/** One request to an OpenAI-compatible `/embeddings`: tries again where that helps, and believes nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { CandorError } from '../errors.ts';
import { cancelledError } from './cancelled.ts';
import { networkReason } from './network-reason.ts';

const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 250;
/** Longer pauses are not waited for: the service means "not today". */
const LONGEST_PAUSE_MS = 60_000;
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
  for (let tries = 1; ; tries++) {
    const outcome = await tryOnce(service, texts, signal);
    if (outcome.kind === 'done') return readVectors(service, outcome.body, texts.length);
    if (tries === MOST_TRIES) throw outcome.error;
    const pauseMs = outcome.pauseMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
    if (pauseMs > LONGEST_PAUSE_MS)
      throw new CandorError(
        'model.overloaded',
        `${shown(service)} takes no requests for the next ${Math.ceil(pauseMs / 1000)} s`,
      );
    await wait(pauseMs, undefined, { signal }).catch(() => {
      throw cancelledError();
    });
  }
}

type Outcome =
  | { readonly kind: 'done'; readonly body: string }
  | { readonly kind: 'again'; readonly error: CandorError; readonly pauseMs?: number | undefined };

async function tryOnce(
  service: EmbeddingEndpoint,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(service.timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    const response = await fetch(service.url, {
      method: 'POST',
      // The key must not follow a redirect to somewhere else.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'candor',
        ...(service.key === undefined ? {} : { authorization: `Bearer ${service.key}` }),
      },
      body: JSON.stringify({ model: service.model, input: texts, encoding_format: 'float' }),
      signal: either,
    });
    const body = await readBody(service, response);
    return judge(service, response, body);
  } catch (error) {
    if (error instanceof CandorError) throw error;
    if (signal?.aborted) throw cancelledError();
    const reason = timeout.aborted ? `no answer in ${service.timeoutMs / 1000} s` : networkReason(error);
    return {
      kind: 'again',
      error: new CandorError('model.unreachable', `${shown(service)} cannot be reached (${reason})`),
    };
  }
}

function judge(service: EmbeddingEndpoint, { status, headers }: Response, body: string): Outcome {
  if (status === 200) return { kind: 'done', body };
  const what = `${shown(service)} answered ${status}${codeOf(body)}`;
  if (TRANSIENT.has(status)) {
    const error = new CandorError(status === 429 ? 'model.overloaded' : 'model.unreachable', what);
    // An account without credit is told so with 429; trying again does not fill it.
    if (codeOf(body).includes('insufficient_quota')) throw error;
    return { kind: 'again', error, pauseMs: readPause(headers) };
  }
  if (status >= 300 && status < 400)
    throw new CandorError('model.bad-reply', `${what}, a redirect; it was not followed`);
  throw new CandorError('model.refused', `${what} for the model ${JSON.stringify(service.model)}`);
}

async function readBody(service: EmbeddingEndpoint, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BODY_BYTES)
      throw new CandorError('model.bad-reply', `${shown(service)} sent more than ${BODY_BYTES / 2 ** 20} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readVectors(service: EmbeddingEndpoint, body: string, count: number): Float32Array[] {
  const parsed = REPLY.safeParse(parseJson(body));
  if (!parsed.success) {
    // Without a cause: what a parser says of a reply quotes it.
    const place = parsed.error.issues[0]?.path.join('.') || 'the reply';
    throw new CandorError(
      'model.bad-reply',
      `${shown(service)} sent no embeddings: ${place} is not as expected`,
    );
  }
  const vectors = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
  const isWhole = vectors.size === count && parsed.data.data.length === count;
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index);
    if (isWhole && vector !== undefined) return Float32Array.from(vector);
    throw new CandorError(
      'model.bad-reply',
      `${shown(service)} sent ${parsed.data.data.length} embeddings for ${count} texts, or numbered them wrongly`,
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

const ERROR_BODY = z.object({ error: z.object({ code: z.unknown(), type: z.unknown() }).partial() });
const IDENTIFIER = /^[a-z][a-z0-9_.-]{0,59}$/i;

/** The service's code of the error, when it is a plain identifier: free words may repeat the key or a text. */
function codeOf(body: string): string {
  const parsed = ERROR_BODY.safeParse(parseJson(body));
  if (!parsed.success) return '';
  const { code, type } = parsed.data.error;
  const known = [code, type].find((word) => typeof word === 'string' && IDENTIFIER.test(word));
  return known === undefined ? '' : ` (${known})`;
}

/** Milliseconds, seconds, or a date, which is read against the service's own clock: ours need not agree. */
function readPause(headers: Headers): number | undefined {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && /^\d{1,9}$/.test(exact)) return Number(exact);
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const pause = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(pause) ? undefined : Math.max(pause, 0);
}

/** Without query: some services take keys there. */
function shown({ url }: EmbeddingEndpoint): string {
  return `${url.origin}${url.pathname}`;
}
