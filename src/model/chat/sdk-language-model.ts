import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type {
  ChatMessage,
  ChatReply,
  ChatRequest,
  LanguageModel,
  TokenProbability,
  TokenUse,
  ToolCall,
} from '../language-model/language-model.ts';
import type { ModelProfile, SamplingSetting } from '../language-model/model-profiles.ts';
import { shownUrl } from '../requests/post-json.ts';
import { cancelledError } from '../requests/retry-transient.ts';
import { type Attempt, firstAttempt, learnFrom, nextAttempt } from './attempt.ts';
import type { SdkMessage, SdkModel, SdkOptions, SdkOwnOptions, SdkReply } from './sdk-types.ts';

export interface SdkService {
  /** `openai`, `anthropic`, `google`. */
  readonly provider: string;
  readonly model: string;
  readonly url: URL;
  readonly profile: ModelProfile;
  /** Made with `boundedFetch`, for what the service takes. */
  readonly open: (profile: ModelProfile) => SdkModel;
  /** What the contract of the SDK has no place for. */
  readonly ownOptions?: (request: ChatRequest, profile: ModelProfile) => SdkOwnOptions;
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * A provider's model behind our contract. What the service refuses of a request is changed, and the request sent again; what was
 * learned holds for all that follow. Throws what `boundedFetch` throws, `model.context-full` for a prompt that cannot fit, and
 * `model.bad-reply` without a cause for what the SDK cannot read, because its errors quote what was sent and what came.
 */
export function sdkLanguageModel(service: SdkService): LanguageModel {
  const { provider, model, url, profile } = service;
  const learned = { profile, leftOut: [] };
  return {
    id: `${provider}/${model}@${url.host}`,
    contextWindow: profile.contextWindow,
    host: url.host,
    contract: profile.contract,
    ...(profile.price !== undefined && { price: profile.price }),
    chat: (request) => chat(service, request, learned),
  };
}

/** What the refusals of a service have shown of it since it was opened. */
interface Learned {
  profile: ModelProfile;
  /** In words, in order. */
  leftOut: readonly string[];
}

async function chat(service: SdkService, request: ChatRequest, learned: Learned): Promise<ChatReply> {
  if (request.tools !== undefined && !service.profile.takesTools)
    throw new CandorError('model.refused', `the model ${JSON.stringify(service.model)} calls no tools`);
  let attempt = firstAttempt(request, learned.profile);
  for (;;) {
    try {
      const reply = await send(service, request, attempt);
      return learned.leftOut.length === 0 ? reply : { ...reply, leftOut: learned.leftOut };
    } catch (error) {
      if (!(error instanceof CandorError)) throw error;
      // Also where this request cannot be saved: the next one is held to it.
      learn(service, error, learned);
      const next = nextAttempt(error, attempt, request);
      if (next === undefined) throw error;
      attempt = next;
    }
  }
}

/** Calls side by side may be refused for the same: it is told once. */
function learn({ provider, model, url, onNotice }: SdkService, error: CandorError, learned: Learned): void {
  const profile = learnFrom(error, learned.profile);
  if (profile === learned.profile) return;
  const { said, key } = differenceOf(learned.profile, profile);
  learned.profile = profile;
  learned.leftOut = [...learned.leftOut, said];
  const beforehand =
    key === undefined ? '' : `; \`${key}\` under \`model\` of candor.yml says so from the start`;
  onNotice?.(`${provider}/${model}@${url.host}: ${said}, which is kept to from now on${beforehand}`);
}

async function send(
  { open, url, ownOptions }: SdkService,
  request: ChatRequest,
  attempt: Attempt,
): Promise<ChatReply> {
  if (request.signal?.aborted) throw cancelledError('the chat');
  const providerOptions = ownOptions?.(request, attempt.profile);
  try {
    const reply = await open(attempt.profile).doGenerate({
      ...toSdkOptions(request, attempt),
      ...(providerOptions !== undefined && { providerOptions }),
    });
    return fromSdkReply(reply, request);
  } catch (error) {
    if (error instanceof CandorError) throw error;
    if (request.signal?.aborted) throw cancelledError('the chat');
    const name = error instanceof Error ? error.name : 'unknown';
    throw new CandorError(
      'model.bad-reply',
      `${shownUrl(url)} sent JSON that is no reply of a language model (${name})`,
    );
  }
}

/** A request as the SDK takes it; what the model cannot be told by its profile is left out. */
function toSdkOptions(request: ChatRequest, { profile, room }: Attempt): SdkOptions {
  const { tools, replySchema, signal } = request;
  const ifTaken = (setting: SamplingSetting & keyof ChatRequest): object =>
    request[setting] !== undefined && profile.takes.includes(setting) ? { [setting]: request[setting] } : {};
  return {
    prompt: toPrompt(profile.takesSystem ? request.messages : withoutSystem(request.messages)),
    maxOutputTokens: room,
    ...ifTaken('temperature'),
    ...ifTaken('topP'),
    ...ifTaken('topK'),
    ...ifTaken('seed'),
    ...(tools !== undefined && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        inputSchema: parameters,
      })),
    }),
    // A model that may call tools is not held to JSON at the same time: several services refuse both.
    ...(replySchema !== undefined &&
      tools === undefined &&
      profile.json !== 'none' && {
        responseFormat: {
          type: 'json',
          name: 'reply',
          ...(profile.json === 'schema' && { schema: withoutDialect(replySchema) }),
        },
      }),
    ...(signal !== undefined && { abortSignal: signal }),
  };
}

/** Some services refuse a key that they do not know. */
function withoutDialect({ $schema: _, ...schema }: Readonly<Record<string, unknown>>): object {
  return schema;
}

/** The rules stand before the first words of the user, for models that know two roles. */
function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const rules = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const others = messages.filter(({ role }) => role !== 'system');
  const first = others.findIndex(({ role }) => role === 'user');
  return others.map((message, at) =>
    at === first ? { role: 'user', content: [...rules, message.content].join('\n\n') } : message,
  );
}

/** Answers of tools that follow each other are one message: so the services that pair them with the calls want it. */
function toPrompt(messages: readonly ChatMessage[]): SdkMessage[] {
  const prompt: SdkMessage[] = [];
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'system') prompt.push({ role: 'system', content: message.content });
    else if (message.role === 'user')
      prompt.push({ role: 'user', content: [{ type: 'text', text: message.content }] });
    else if (message.role === 'assistant') {
      for (const { id, name } of message.toolCalls ?? []) names.set(id, name);
      prompt.push(toAssistant(message.content, message.toolCalls ?? []));
    } else if (message.role === 'tool') {
      const result = {
        type: 'tool-result' as const,
        toolCallId: message.toolCallId,
        toolName: names.get(message.toolCallId) ?? 'unknown',
        output: { type: 'text' as const, value: message.content },
      };
      const last = prompt.at(-1);
      if (last?.role === 'tool') last.content.push(result);
      else prompt.push({ role: 'tool', content: [result] });
    }
  }
  return prompt;
}

function toAssistant(text: string, toolCalls: readonly ToolCall[]): SdkMessage {
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...toolCalls.map(({ id, name, arguments: given, signature }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: readArguments(given),
        ...(signature !== undefined && { providerOptions: { google: { thoughtSignature: signature } } }),
      })),
    ],
  };
}

/** Services take back an object only; what the model wrote and is none is shown to it as text. */
function readArguments(given: string): unknown {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Below.
  }
  return { unreadable: given };
}

/** Characters of a token where a service counts none; text in European languages and SQL. */
const CHARACTERS_PER_TOKEN = 4;

/** A reply of the SDK as the stages know it; thoughts are left out where anything else was said. */
function fromSdkReply(reply: SdkReply, request: ChatRequest): ChatReply {
  const { content, finishReason, providerMetadata } = reply;
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const toolCalls = content.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const signature = signatureOf(part.providerMetadata);
    return [
      {
        id: part.toolCallId,
        name: part.toolName,
        // Some services leave the arguments of a call without any out.
        arguments: typeof part.input === 'string' ? part.input : '{}',
        ...(signature !== undefined && { signature }),
      },
    ];
  });
  const thoughts = content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const finish = isRefused(providerMetadata) ? 'refused' : FINISHES[finishReason.unified];
  const logProbabilities = request.wantsLogProbabilities ? probabilitiesOf(providerMetadata) : undefined;
  return {
    text,
    toolCalls,
    usage: usageOf(reply, request, text),
    ...(finish !== undefined && { finish }),
    ...(text === '' && toolCalls.length === 0 && thoughts !== '' && { thoughts }),
    ...(logProbabilities !== undefined && { logProbabilities }),
  };
}

const FINISHES: Readonly<Record<SdkReply['finishReason']['unified'], ChatReply['finish']>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refused',
  'tool-calls': 'tool-calls',
  error: undefined,
  other: undefined,
};

const SIGNED = z.record(z.string(), z.object({ thoughtSignature: z.string() }).partial());

function signatureOf(metadata: unknown): string | undefined {
  const signed = SIGNED.safeParse(metadata);
  if (!signed.success) return undefined;
  return Object.values(signed.data).find(({ thoughtSignature }) => thoughtSignature)?.thoughtSignature;
}

const REFUSED = z.object({ candor: z.object({ isRefused: z.literal(true) }) });

/** OpenAI's models decline in a field of their own. */
function isRefused(metadata: unknown): boolean {
  return REFUSED.safeParse(metadata).success;
}

const PROBABLE = z.object({
  candor: z.object({ logProbabilities: z.array(z.object({ token: z.string(), logprob: z.number() })) }),
});

function probabilitiesOf(metadata: unknown): readonly TokenProbability[] | undefined {
  const read = PROBABLE.safeParse(metadata);
  if (!read.success) return undefined;
  return read.data.candor.logProbabilities.map(({ token, logprob }) => ({ token, logProbability: logprob }));
}

function usageOf({ usage }: SdkReply, { messages }: ChatRequest, text: string): TokenUse {
  const { total: promptTokens, cacheRead } = usage.inputTokens;
  const completionTokens = usage.outputTokens.total;
  // No prompt is empty: none counted means that nobody counted.
  if (!promptTokens || completionTokens === undefined) {
    const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
    return {
      promptTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
      completionTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
      isEstimated: true,
    };
  }
  return { promptTokens, completionTokens, ...(cacheRead && { cachedTokens: cacheRead }) };
}

/** As OpenAI's form calls them, and so `model.refuses`. */
const SENT_AS: Readonly<Record<SamplingSetting, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  logProbabilities: 'logprobs',
};

interface ProfileDifference {
  /** In words. */
  readonly said: string;
  /** The line of candor.yml that says the same beforehand; absent: there is none. */
  readonly key?: string;
}

/** What one refusal has shown of a service. */
function differenceOf(before: ModelProfile, after: ModelProfile): ProfileDifference {
  const dropped = before.takes.find((setting) => !after.takes.includes(setting));
  if (dropped !== undefined) return refused(SENT_AS[dropped]);
  if (before.takesSystem !== after.takesSystem) return refused('system');
  const [bound = ''] = before.replyBounds;
  if (before.replyBounds.length > after.replyBounds.length) return refused(bound);
  if (before.json !== after.json)
    return { said: `it does not hold replies to a JSON ${before.json}`, key: `json: ${after.json}` };
  if (before.maxReplyTokens !== after.maxReplyTokens)
    return { said: `it gives ${shown(after.maxReplyTokens)} tokens at most` };
  return {
    said: `it reads ${shown(after.contextWindow)} tokens`,
    key: `contextWindow: ${after.contextWindow}`,
  };
}

function refused(setting: string): ProfileDifference {
  return { said: `it does not take ${setting}`, key: `refuses: [${setting}]` };
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
