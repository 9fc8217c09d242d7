/** One chat of a local model: prompt, tokens one by one, reply. Imported in the process of the model only. */
import { CandorError } from '../../errors.ts';
import { cancelledError } from '../cancelled.ts';
import type { ChatReply, TokenProbability } from '../language-model.ts';
import type { GgufChat } from './gguf-protocol.ts';
import type { ChatWrapper, LlamaSequence, LlamaToken } from './llama-runtime.ts';
import type { OpenLlama } from './open-llama.ts';
import { readToolReply, renderChat, replySchemaOf } from './render-chat.ts';
import { toGrammarSchema } from './to-grammar-schema.ts';

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
