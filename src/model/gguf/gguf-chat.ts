/** One chat of a local model: prompt, tokens one by one, reply. Imported in the process of the model only. */

import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type {
  ChatMessage,
  ChatReply,
  TokenProbability,
  ToolCall,
  ToolDefinition,
} from '../language-model/language-model.ts';
import { cancelledError } from '../requests/retry-transient.ts';
import type { GgufChat } from './gguf-protocol.ts';
import type { ChatItem, ChatWrapper, LlamaSequence, LlamaToken } from './llama-runtime.ts';
import type { OpenLlama } from './open-llama.ts';

/** Tokens of the prompt that are read before anybody asks whether to go on. */
const READ_AT_ONCE = 128;
/** The grammars of node-llama-cpp end with these. */
const END_OF_JSON = '\n\n\n\n';

export interface GgufTalk extends OpenLlama {
  readonly wrapper: ChatWrapper;
  readonly sequence: LlamaSequence;
}

export interface ChatWatch {
  readonly isCancelled: () => boolean;
  /** After each part of the prompt and each token. */
  readonly onProgress: () => void;
}

interface Written {
  readonly text: string;
  readonly tokens: number;
  readonly probabilities: readonly TokenProbability[];
  readonly isWhole: boolean;
}

/** Throws `model.context-full` where the prompt leaves no room, and `model.cancelled`. */
export async function chatWithGguf(talk: GgufTalk, chat: GgufChat, watch: ChatWatch): Promise<ChatReply> {
  const { model, sequence, wrapper } = talk;
  const { contextText, stopGenerationTriggers } = wrapper.generateContextState({
    chatHistory: renderChat(chat),
  });
  const prompt = contextText.tokenize(model.tokenizer);
  const room = sequence.contextSize - prompt.length - 1;
  if (room < 1 || prompt.length === 0) throw contextFull(prompt.length, sequence.contextSize);
  const schema = replySchemaOf(chat);
  const stops = stopGenerationTriggers
    .map((stop) => model.detokenize(stop.tokenize(model.tokenizer), true))
    .filter((stop) => stop !== '');
  const last = await readPrompt(talk, prompt, watch);
  const written = await write(talk, chat, watch, {
    start: last.token,
    most: Math.min(chat.maxTokens ?? room, room),
    schema,
    stops: schema === undefined ? stops : [...stops, END_OF_JSON],
  });
  const usage = {
    promptTokens: prompt.length,
    completionTokens: written.tokens,
    cachedTokens: last.cached,
  };
  const finish = written.isWhole ? 'stop' : 'length';
  if (chat.tools !== undefined && chat.tools.length > 0) {
    const read = readToolReply(written.text);
    return { ...read, usage, finish: read.toolCalls.length > 0 ? 'tool-calls' : finish };
  }
  return {
    text: written.text,
    toolCalls: [],
    usage,
    finish,
    ...(chat.wantsLogProbabilities && { logProbabilities: written.probabilities }),
  };
}

/** What the sequence knows of the beginning is kept; all but the last token are read here, in parts. */
async function readPrompt(
  { sequence }: GgufTalk,
  prompt: readonly LlamaToken[],
  watch: ChatWatch,
): Promise<{ readonly token: LlamaToken; readonly cached: number }> {
  const last = prompt.length - 1;
  await sequence.adaptStateToTokens(prompt.slice(0, last), false);
  const cached = sequence.nextTokenIndex;
  for (let start = cached; start < last; start += READ_AT_ONCE) {
    if (watch.isCancelled()) throw cancelledError('the chat');
    await sequence.evaluateWithoutGeneratingNewTokens(
      prompt.slice(start, Math.min(start + READ_AT_ONCE, last)),
    );
    watch.onProgress();
  }
  return { token: prompt[last] ?? 0, cached };
}

interface WriteTask {
  readonly start: LlamaToken;
  readonly most: number;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly stops: readonly string[];
}

async function write(
  talk: GgufTalk,
  chat: GgufChat,
  watch: ChatWatch,
  { start, most, schema, stops }: WriteTask,
): Promise<Written> {
  const { model, sequence } = talk;
  const tokens: LlamaToken[] = [];
  const confidences: number[] = [];
  let text = '';
  let isWhole = false;
  const options = await samplingOf(talk, chat, schema);
  const wantsConfidence = chat.wantsLogProbabilities === true;
  for await (const next of sequence.evaluateWithMetadata([start], { confidence: wantsConfidence }, options)) {
    if (watch.isCancelled()) throw cancelledError('the chat');
    watch.onProgress();
    if (model.isEogToken(next.token)) {
      isWhole = true;
      break;
    }
    tokens.push(next.token);
    confidences.push(next.confidence ?? Number.NaN);
    text = model.detokenize(tokens);
    const stop = stops.find((end) => text.endsWith(end));
    if (stop !== undefined) {
      text = text.slice(0, -stop.length);
      isWhole = true;
      break;
    }
    if (tokens.length >= most) break;
  }
  const probabilities = wantsConfidence ? probabilitiesOf(talk, tokens, confidences, text) : [];
  return {
    text: schema === undefined ? text : text.trimEnd(),
    tokens: tokens.length,
    probabilities,
    isWhole,
  };
}

async function samplingOf(
  { runtime, llama, model }: GgufTalk,
  { temperature = 0, topP, topK, seed }: GgufChat,
  schema: Readonly<Record<string, unknown>> | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const sampling = {
    temperature,
    yieldEogToken: true,
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
  };
  if (schema === undefined) return sampling;
  const grammar = await llama.createGrammarForJsonSchema(toGrammarSchema(schema));
  return {
    ...sampling,
    grammarEvaluationState: new runtime.LlamaGrammarEvaluationState({ model, grammar }),
  };
}

/** Of the tokens of the text: what stood behind its end is left out. */
function probabilitiesOf(
  { model }: GgufTalk,
  tokens: readonly LlamaToken[],
  confidences: readonly number[],
  text: string,
): readonly TokenProbability[] {
  const probabilities: TokenProbability[] = [];
  let length = 0;
  for (const [index, token] of tokens.entries()) {
    if (length >= text.length) break;
    const part = model.detokenize([token], false, tokens.slice(0, index));
    length += part.length;
    probabilities.push({ token: part, logProbability: Math.log(confidences[index] ?? Number.NaN) });
  }
  return probabilities;
}

function contextFull(promptTokens: number, contextWindow: number): CandorError {
  return new CandorError(
    'model.context-full',
    `the prompt has ${promptTokens} tokens; the model reads ${contextWindow} with its reply`,
    { data: { promptTokens, contextWindow } },
  );
}

// A request as a local model reads it. Tools are described in the prompt and called by JSON that a grammar holds to
// their parameters: small models have no form of their own for calls, and the templates of the others differ.

const TOOL_REPLY = z.union([
  z.object({ tool: z.string(), arguments: z.unknown() }),
  z.object({ done: z.unknown() }),
]);

/** The last item is the reply that is to be written. */
function renderChat({ messages, tools = [] }: GgufChat): readonly ChatItem[] {
  const items = messages.map(toItem);
  const [first] = items;
  const listed = tools.length === 0 ? '' : describeTools(tools);
  const system = first?.type === 'system' ? first.text : '';
  const rest = first?.type === 'system' ? items.slice(1) : items;
  const text = [system, listed].filter((part) => part !== '').join('\n\n');
  return [
    ...(text === '' ? [] : [{ type: 'system' as const, text }]),
    ...rest,
    { type: 'model', response: [] },
  ];
}

/** What the reply has to follow: of the request, or one call of a tool, or the end. */
function replySchemaOf({ tools = [], replySchema }: GgufChat): Readonly<Record<string, unknown>> | undefined {
  if (tools.length === 0) return replySchema;
  const calls = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { tool: { const: name }, arguments: parameters },
  }));
  const done = { type: 'object', properties: { done: replySchema ?? { type: 'string' } } };
  return { anyOf: [...calls, done] };
}

/** A text of the form above. One that was cut in its middle is no call: it stays a text. */
function readToolReply(text: string): {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
} {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { text, toolCalls: [] };
  }
  const { data } = TOOL_REPLY.safeParse(json);
  if (data === undefined) return { text, toolCalls: [] };
  if ('tool' in data)
    return {
      text: '',
      toolCalls: [{ id: 'call-1', name: data.tool, arguments: JSON.stringify(data.arguments ?? {}) }],
    };
  return { text: typeof data.done === 'string' ? data.done : JSON.stringify(data.done), toolCalls: [] };
}

function toItem(message: ChatMessage): ChatItem {
  switch (message.role) {
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(
        ({ name, arguments: given }) => `{"tool": ${JSON.stringify(name)}, "arguments": ${given}}`,
      );
      return {
        type: 'model',
        response: [[message.content, ...calls].filter((part) => part !== '').join('\n')],
      };
    }
    case 'tool':
      return { type: 'user', text: `Result of the call:\n${message.content}` };
    default:
      return { type: message.role, text: message.content };
  }
}

function describeTools(tools: readonly ToolDefinition[]): string {
  return [
    'You may call these tools, one at a time:',
    ...tools.map(
      ({ name, description, parameters }) =>
        `- ${name}: ${description} Arguments, as a JSON schema: ${JSON.stringify(parameters)}`,
    ),
    'Reply with JSON alone: {"tool": name, "arguments": {...}} to call one, {"done": ...} with your answer at the end.',
  ].join('\n');
}

/**
 * A JSON schema as the grammars of node-llama-cpp take it. That package reads what it does not know as `null`, so
 * nothing unknown may reach it: alternatives are renamed, bounds of texts and numbers left out, what cannot be held
 * to becomes "any JSON". A grammar is therefore looser than the schema, never stricter; who asked still validates.
 */
type Schema = Readonly<Record<string, unknown>>;

const SCALARS = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];
const ANY: Schema = {
  oneOf: [
    ...SCALARS,
    { type: 'array', items: { oneOf: SCALARS } },
    { type: 'object', additionalProperties: true },
  ],
};
const PLAIN_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);
/** Counted repetitions make a grammar large. */
const MOST_ITEMS = 50;

function toGrammarSchema(schema: unknown): Schema {
  const { $defs, ...rest } = toSchema(schema);
  if (!isObject($defs)) return toPart(rest);
  return { ...toPart(rest), $defs: mapValues($defs, toPart) };
}

function toPart(value: unknown): Schema {
  const schema = toSchema(value);
  const { type } = schema;
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/$defs/')) return { $ref: schema.$ref };
  if ('const' in schema) return { const: schema.const };
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return { oneOf: alternatives.map(toPart) };
  if (type === 'object') return toObject(schema);
  if (type === 'array') return toArray(schema);
  if (PLAIN_TYPES.has(type)) return { type };
  if (Array.isArray(type) && type.length > 0 && type.every((one) => PLAIN_TYPES.has(one))) return { type };
  return ANY;
}

function toObject({ properties, additionalProperties }: Schema): Schema {
  const isOpen = additionalProperties === true || !isObject(properties);
  const others = isObject(additionalProperties) ? toPart(additionalProperties) : isOpen;
  return {
    type: 'object',
    ...(isObject(properties) && { properties: mapValues(properties, toPart) }),
    ...(others !== false && { additionalProperties: others }),
  };
}

function toArray({ items, minItems, maxItems }: Schema): Schema {
  return {
    type: 'array',
    items: toPart(items),
    ...(isFew(minItems) && { minItems }),
    ...(isFew(maxItems) && { maxItems }),
  };
}

function isFew(count: unknown): boolean {
  return typeof count === 'number' && count <= MOST_ITEMS;
}

function toSchema(value: unknown): Schema {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues(values: Schema, change: (value: unknown) => Schema): Schema {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
