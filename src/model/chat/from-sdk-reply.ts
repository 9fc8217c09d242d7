import { z } from 'zod';
import type { ChatReply, ChatRequest, TokenProbability, TokenUse } from '../language-model.ts';
import type { SdkReply } from './sdk-types.ts';

/** Characters of a token where a service counts none; text in European languages and SQL. */
const CHARACTERS_PER_TOKEN = 4;

/** A reply of the SDK as the stages know it; thoughts are left out where anything else was said. */
export function fromSdkReply(reply: SdkReply, request: ChatRequest): ChatReply {
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
