import { CandorError } from '../../errors.ts';
import type { ChatRequest } from '../language-model.ts';
import type { ModelProfile } from '../model-profiles.ts';

/** English and SQL; fewer where the room for a reply is at stake, since a service that counts more refuses the request. */
const CHARACTERS_PER_TOKEN = 4;
const CAREFUL_CHARACTERS_PER_TOKEN = 3;
/** What a service puts around messages. */
const TOKENS_AROUND = 64;
/** A shorter reply holds no query worth asking for. */
const SHORTEST_REPLY = 256;

/**
 * Most tokens of the reply to a request, so that it fits the window with its prompt. Throws `model.context-full` where a prompt
 * leaves no room for a reply: some services would cut it without a word. `promptTokens` is what the service counted of this very prompt.
 */
export function replyRoom(
  request: ChatRequest,
  { contextWindow, isWindowKnown, maxReplyTokens }: ModelProfile,
  promptTokens?: number,
): number {
  const wanted = Math.min(request.maxTokens ?? maxReplyTokens, maxReplyTokens);
  if (!isWindowKnown) return wanted;
  const shortest = Math.min(wanted, SHORTEST_REPLY);
  const least = promptTokens ?? promptEstimate(request, CHARACTERS_PER_TOKEN);
  if (least + shortest > contextWindow) throw contextFull({ contextWindow, promptTokens: least });
  const likely = promptTokens ?? promptEstimate(request, CAREFUL_CHARACTERS_PER_TOKEN);
  return Math.max(shortest, Math.min(wanted, contextWindow - likely - TOKENS_AROUND));
}

function promptEstimate(request: ChatRequest, ratio: number): number {
  const { messages, tools = [], replySchema } = request;
  const spoken = messages.reduce((sum, { content }) => sum + content.length, 0);
  const offered = tools.length === 0 ? 0 : JSON.stringify(tools).length;
  const held = replySchema === undefined ? 0 : JSON.stringify(replySchema).length;
  return Math.ceil((spoken + offered + held) / ratio);
}

function contextFull(data: { readonly contextWindow: number; readonly promptTokens: number }): CandorError {
  const { contextWindow, promptTokens } = data;
  return new CandorError(
    'model.context-full',
    `the prompt has some ${promptTokens.toLocaleString('en')} tokens and was not sent; the model reads ${contextWindow.toLocaleString('en')} with its reply`,
    { data },
  );
}
