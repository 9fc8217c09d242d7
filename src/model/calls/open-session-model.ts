import type { Attributes } from '@opentelemetry/api';
import { CandorError } from '../../errors.ts';
import { ATTRIBUTES, inSpan } from '../../tracing/index.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model/language-model.ts';
import { modelFacts } from '../language-model/model-facts.ts';
import {
  cancelledError,
  orCancelled,
  RETRY_DEFAULTS,
  type RetryRules,
  retryTransient,
  TransientError,
  throwIfCancelled,
} from '../requests/retry-transient.ts';
import { Slots } from '../requests/slots.ts';
import { type LanguageModelSettings, openLanguageModel } from './open-language-model.ts';
import { readReply, requestKey, writeReply } from './reply-file.ts';

export interface SessionModelSettings extends LanguageModelSettings {
  /** Of one try. */
  readonly timeoutMs: number;
  readonly requestsAtOnce: number;
  /** Folder of kept replies; absent: none are kept. */
  readonly cache?: string;
  readonly record?: string;
  /** Folder of recordings that answer in place of the service. */
  readonly replay?: string;
  readonly traceContent?: boolean;
}

export interface SessionModelOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onNotice?: (message: string) => void;
  /** From 0 up to 1, for the pauses between tries; absent: they are always the same. */
  readonly random?: () => number;
}

/**
 * A model as a session uses it; whoever opens it closes it. From the outside in: a span, a recording, a kept reply, a place
 * among the calls at once, retries, the service. What one question may use is `startBudget`’s. Throws what
 * `openLanguageModel` throws.
 */
export async function openSessionModel(
  settings: SessionModelSettings,
  { signal, onNotice, random }: SessionModelOptions = {},
): Promise<LanguageModel> {
  const { timeoutMs, requestsAtOnce, cache, record, replay, traceContent = false } = settings;
  const service = await openLanguageModel(settings, signal, onNotice);
  const jitter = random === undefined ? {} : { random };
  const asked =
    replay === undefined
      ? announced(
          withSlots(withRetries(service, { ...RETRY_DEFAULTS, timeoutMs, ...jitter }), requestsAtOnce),
        )
      : replayCalls(service, replay);
  const kept =
    cache === undefined ? asked : keepReplies(asked, { directory: cache, ...(onNotice && { onNotice }) });
  const recorded = record === undefined ? kept : recordCalls(kept, record);
  return traced(recorded, { hasContent: traceContent });
}

/** A model that tells whoever asks right before a request is sent, and holds it back where that throws. */
export function announced(model: LanguageModel): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async ({ onSend, ...request }) => {
      onSend?.();
      return model.chat(request);
    },
  };
}

/** A model that answers at most so many calls at once; the others wait in their order, and may be cancelled there. */
export function withSlots(model: LanguageModel, requestsAtOnce: number): LanguageModel {
  const slots = new Slots(requestsAtOnce);
  return {
    ...modelFacts(model),
    chat: (request) => {
      const called = slots.run(async () => {
        throwIfCancelled(request.signal);
        return model.chat(request);
      });
      // Who waits for a place need not wait once it is cancelled; the call itself hears of it by its own signal.
      return orCancelled(called, request.signal, 'the chat');
    },
  };
}

export interface KeepOptions {
  readonly directory: string;
  /** Hears of what could not be read or kept; the model is asked then. */
  readonly onNotice?: (message: string) => void;
}

/** A model whose replies are kept, and given again to the very same request without asking. */
export function keepReplies(model: LanguageModel, { directory, onNotice }: KeepOptions): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async (request) => {
      const key = requestKey(model.id, request);
      const found = await readReply(directory, key);
      if (found.kind === 'found') return found.reply;
      if (found.kind === 'damaged')
        onNotice?.(`a kept reply cannot be read and is asked for anew: ${found.path}`);
      const reply = await model.chat(request);
      // What was cut or refused may come whole the next time.
      if (reply.finish === 'length' || reply.finish === 'refused') return reply;
      const isKept = await writeReply(directory, key, { model: model.id, role: request.role ?? '', reply });
      if (!isKept) onNotice?.(`a reply of the model cannot be kept in ${directory}`);
      return reply;
    },
  };
}

export interface CallRules extends RetryRules {
  /** Of one try. */
  readonly timeoutMs: number;
}

/**
 * Tries a call again where another try may help, after the pause that the service names; one that takes too long is
 * stopped and counts as such a failure. Throws what the last try threw.
 */
export function withRetries(model: LanguageModel, rules: CallRules): LanguageModel {
  return {
    ...modelFacts(model),
    chat: (request) =>
      retryTransient(() => tryOnce(model, request, rules), { ...rules, what: 'the chat' }, request.signal),
  };
}

async function tryOnce(
  model: LanguageModel,
  request: ChatRequest,
  { timeoutMs }: CallRules,
): Promise<ChatReply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { signal } = request;
  try {
    const stop = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    // A model that does not heed the signal is not waited for.
    return await orCancelled(model.chat({ ...request, signal: stop }), stop, 'the chat');
  } catch (error) {
    if (signal?.aborted) throw cancelledError('the chat');
    const isOver = timeout.aborted && error instanceof CandorError && error.code === 'model.cancelled';
    if (!isOver) throw error;
    throw new TransientError('model.unreachable', `${model.id} gave no answer in ${timeoutMs / 1000} s`);
  }
}

/**
 * A model whose every reply is written into a folder, for `replayCalls`; prompts are not. Throws `model.not-recorded`
 * where that fails: half a recording is none.
 */
export function recordCalls(model: LanguageModel, directory: string): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async (request) => {
      const reply = await model.chat(request);
      const kept = { model: model.id, role: request.role ?? '', reply };
      if (!(await writeReply(directory, requestKey(model.id, request), kept)))
        throw new CandorError('model.not-recorded', `The reply cannot be recorded in ${directory}.`);
      return reply;
    },
  };
}

/**
 * A model that answers from a folder of recordings and is never asked itself. Throws `model.not-recorded`, which names
 * what records it, for a request that is not there or a recording that cannot be read.
 */
export function replayCalls(model: LanguageModel, directory: string): LanguageModel {
  return {
    ...modelFacts(model),
    host: null,
    chat: async (request) => {
      const key = requestKey(model.id, request);
      const found = await readReply(directory, key);
      if (found.kind === 'found') return found.reply;
      const problem =
        found.kind === 'damaged'
          ? `the recording ${found.path} cannot be read`
          : `${directory} has no recording of this call (${request.role ?? 'chat'}, ${key})`;
      throw new CandorError(
        'model.not-recorded',
        `${problem}; ask once with \`record: ${directory}\` in place of \`replay\` under \`model\` of candor.yml`,
        { data: { key, role: request.role ?? '' } },
      );
    },
  };
}

export interface TracedOptions {
  /** Prompts and replies go into the span; off unless somebody wants it. */
  readonly hasContent?: boolean;
}

/** A span for every call, after the GenAI conventions; without an OpenTelemetry SDK in the process it costs nothing. */
export function traced(model: LanguageModel, { hasContent = false }: TracedOptions = {}): LanguageModel {
  const [provider = 'unknown', rest = model.id] = model.id.split(/\/(.*)/s);
  const name = rest.replace(/@[^@]*$/, '');
  return {
    ...modelFacts(model),
    chat: (request) => {
      const attributes = {
        [GEN_AI.operation]: 'chat',
        [GEN_AI.provider]: provider,
        [GEN_AI.requestModel]: name,
        ...placeOf(model),
        [GEN_AI.role]: request.role,
        [GEN_AI.temperature]: request.temperature,
        [GEN_AI.maxTokens]: request.maxTokens,
      };
      return inSpan(`chat ${name}`, { kind: 'client', attributes }, async ({ tell }) => {
        const reply = await model.chat(request);
        tell(factsOf(reply));
        if (hasContent) tell(contentOf(request, reply));
        return reply;
      });
    },
  };
}

/** Of a host with its port, `api.example:8080` or `[::1]:8080`; the port is left out where it goes without saying. */
function placeOf({ host }: LanguageModel): Attributes {
  const [, address, port] = host?.match(/^(.*?)(?::(\d+))?$/) ?? [];
  if (!address) return {};
  return { [GEN_AI.serverAddress]: address, ...(port && { [GEN_AI.serverPort]: Number(port) }) };
}

function factsOf({ usage, finish, isReplayed, leftOut }: ChatReply): Attributes {
  return {
    [GEN_AI.inputTokens]: usage.promptTokens,
    [GEN_AI.cachedTokens]: usage.cachedTokens || undefined,
    [GEN_AI.outputTokens]: usage.completionTokens,
    [GEN_AI.finishReasons]: finish === undefined ? undefined : [finish],
    [GEN_AI.isReplayed]: isReplayed || undefined,
    [GEN_AI.leftOut]: leftOut === undefined ? undefined : [...leftOut],
  };
}

function contentOf({ messages }: ChatRequest, { text, toolCalls }: ChatReply): Attributes {
  return {
    [GEN_AI.inputMessages]: JSON.stringify(messages),
    [GEN_AI.outputMessages]: JSON.stringify([{ role: 'assistant', content: text, toolCalls }]),
  };
}

/** Attributes of calls after the GenAI conventions of OpenTelemetry. */
const GEN_AI = {
  operation: ATTRIBUTES.genAiOperation,
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  temperature: 'gen_ai.request.temperature',
  maxTokens: 'gen_ai.request.max_tokens',
  inputTokens: 'gen_ai.usage.input_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  serverAddress: ATTRIBUTES.serverAddress,
  serverPort: ATTRIBUTES.serverPort,
  errorType: ATTRIBUTES.errorType,
  /** Ours: which role of Candor asked, whether nothing was sent, and what the service does not take. */
  role: 'candor.model.role',
  isReplayed: 'candor.model.replayed',
  leftOut: 'candor.model.left_out',
} as const;
