/** Language models of an OpenAI-compatible service: OpenAI, Azure, vLLM, Ollama, llama.cpp, LM Studio, OpenRouter, … */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
import type { ChatRequest, LanguageModel } from '../language-model/language-model.ts';
import type { ModelProfile } from '../language-model/model-profiles.ts';
import { readEndpointUrl } from '../requests/post-json.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { sdkLanguageModel } from './sdk-language-model.ts';
import type { SdkModel, SdkOwnOptions } from './sdk-types.ts';

const PROBABLE = z.object({
  choices: z
    .array(
      z.object({
        logprobs: z.object({ content: z.array(z.object({ token: z.string(), logprob: z.number() })) }),
      }),
    )
    .min(1),
});

const REFUSED = z.object({
  choices: z.array(z.object({ message: z.object({ refusal: z.string().min(1) }) })).min(1),
});

export interface ServiceSettings {
  /** Up to and without the path of a chat: `http://localhost:11434/v1`. */
  readonly url: string;
  /** Absent: none is sent. Never part of a message. */
  readonly key?: string | undefined;
  /** Hears once of each thing that the service turns out not to take. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** Asks nothing yet. Throws `model.refused` for a URL that is none. */
export function openOpenAiChat(
  model: string,
  settings: ServiceSettings,
  profile: ModelProfile,
): LanguageModel {
  const url = readEndpointUrl(settings.url, 'the language model');
  if (url.pathname.endsWith('/chat/completions'))
    url.pathname = url.pathname.slice(0, -'/chat/completions'.length);
  const { key, onNotice } = settings;
  const open = (taken: ModelProfile): SdkModel =>
    createOpenAICompatible({
      name: 'candor',
      baseURL: `${url.origin}${url.pathname === '/' ? '' : url.pathname}`,
      queryParams: Object.fromEntries(url.searchParams),
      ...(key !== undefined && { apiKey: key }),
      // Azure reads its keys there; a bearer token is something else to it.
      ...(key !== undefined && url.hostname.endsWith('.azure.com') && { headers: { 'api-key': key } }),
      fetch: boundedFetch(model),
      supportsStructuredOutputs: taken.json === 'schema',
      transformRequestBody: ({ max_tokens, ...body }) => ({
        ...body,
        ...(taken.replyBounds[0] !== undefined && { [taken.replyBounds[0]]: max_tokens }),
        ...holdToSchema(body.response_format),
      }),
      metadataExtractor: {
        extractMetadata: async ({ parsedBody }) => {
          const read = PROBABLE.safeParse(parsedBody);
          const logProbabilities = read.data?.choices[0]?.logprobs.content;
          const isRefused = REFUSED.safeParse(parsedBody).success;
          if (logProbabilities === undefined && !isRefused) return undefined;
          return {
            candor: {
              ...(logProbabilities !== undefined && { logProbabilities }),
              ...(isRefused && { isRefused }),
            },
          };
        },
        createStreamExtractor: () => ({ processChunk: () => undefined, buildMetadata: () => undefined }),
      },
    }).chatModel(model);
  return sdkLanguageModel({
    provider: 'openai',
    model,
    url,
    profile,
    open,
    ownOptions,
    onNotice,
  });
}

function ownOptions(request: ChatRequest, { takes }: ModelProfile): SdkOwnOptions {
  const { topK, wantsLogProbabilities } = request;
  return {
    candor: {
      ...(topK !== undefined && takes.includes('topK') && { top_k: topK }),
      ...(wantsLogProbabilities && takes.includes('logProbabilities') && { logprobs: true }),
    },
  };
}

const HELD = z.object({
  type: z.literal('json_schema'),
  json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }),
});

/** A schema that fits the strict form is sent in it, and held to; another one only guides. */
function holdToSchema(format: unknown): object {
  const read = HELD.safeParse(format);
  if (!read.success) return {};
  const { json_schema } = read.data;
  const strict = strictSchema(json_schema.schema);
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { ...json_schema, schema: strict ?? json_schema.schema, strict: strict !== undefined },
    },
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** Keywords of OpenAI's strict form; a schema with others is refused there. Source: its guide to structured outputs. */
const STRICT_KEYWORDS: ReadonlySet<string> = new Set([
  ...[
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'anyOf',
    'enum',
    'const',
    'description',
  ],
  ...[
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'pattern',
  ],
]);
const NODE = z.record(z.string(), z.unknown());
const NODES = z.array(NODE);
const PROPERTIES = z.record(z.string(), NODE);
const NAMES = z.array(z.string());

/**
 * A JSON schema in the strict form, in which every property has to be there: one that may be left out is then null.
 * `undefined` where that would change what the schema takes, or where it says more than the form can.
 */
function strictSchema(schema: Schema): Schema | undefined {
  if (Object.keys(schema).some((key) => !STRICT_KEYWORDS.has(key))) return undefined;
  const strict: Record<string, unknown> = { ...schema };
  for (const key of ['items', 'anyOf', 'properties'] as const) {
    if (schema[key] === undefined) continue;
    const inner = strictPart(key, schema[key]);
    if (inner === undefined) return undefined;
    strict[key] = inner;
  }
  if (schema.type !== 'object') return strict;
  const properties = PROPERTIES.safeParse(schema.properties).data;
  if (properties === undefined || schema.additionalProperties !== false) return undefined;
  const required = NAMES.safeParse(schema.required).data ?? [];
  const names = Object.keys(properties);
  if (names.some((name) => !required.includes(name) && !takesNull(properties[name] ?? {}))) return undefined;
  return { ...strict, required: names };
}

function strictPart(key: 'items' | 'anyOf' | 'properties', part: unknown): unknown {
  if (key === 'items') return mapStrict(NODE.safeParse(part).data);
  if (key === 'anyOf') {
    const all = NODES.safeParse(part).data?.map(strictSchema);
    return all?.includes(undefined) ? undefined : all;
  }
  const all = Object.entries(PROPERTIES.safeParse(part).data ?? {}).map(
    ([name, node]) => [name, strictSchema(node)] as const,
  );
  return all.some(([, node]) => node === undefined) ? undefined : Object.fromEntries(all);
}

function mapStrict(node: Schema | undefined): Schema | undefined {
  return node === undefined ? undefined : strictSchema(node);
}

function takesNull({ type, anyOf }: Schema): boolean {
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  return NODES.safeParse(anyOf).data?.some(takesNull) ?? false;
}
