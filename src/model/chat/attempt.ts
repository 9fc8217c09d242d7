import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { ChatRequest } from '../language-model/language-model.ts';
import type { ModelProfile } from '../language-model/model-profiles.ts';
import { REFUSABLE_SETTINGS, withoutSetting } from '../language-model/refused-setting.ts';

/** One way to send a request; the next one after a refusal differs in what was refused. */
export interface Attempt {
  readonly profile: ModelProfile;
  /** Most tokens of the reply. */
  readonly room: number;
  /** How often the request did not fit. */
  readonly overflows: number;
}

/** A service that counts otherwise than it says is not asked for ever. */
const MOST_OVERFLOWS = 2;

const SEEN = z.object({ contextWindow: z.number().optional(), promptTokens: z.number().optional() });
const REFUSED = z.object({ setting: z.enum(REFUSABLE_SETTINGS), mostTokens: z.number().optional() });

export function firstAttempt(request: ChatRequest, profile: ModelProfile): Attempt {
  return { profile, room: replyRoom(request, profile), overflows: 0 };
}

/** What a refusal shows of the service, added to what is known of it; the same profile where it shows nothing. */
export function learnFrom({ code, data }: CandorError, profile: ModelProfile): ModelProfile {
  const refused = code === 'model.refused' ? REFUSED.safeParse(data).data : undefined;
  if (refused !== undefined) return withoutSetting(profile, refused);
  const contextWindow = code === 'model.context-full' ? SEEN.parse(data).contextWindow : undefined;
  return contextWindow === undefined ? profile : { ...profile, contextWindow, isWindowKnown: true };
}

/** How a request is sent again that a service has refused; undefined where nothing can be changed. */
export function nextAttempt(error: CandorError, tried: Attempt, request: ChatRequest): Attempt | undefined {
  const profile = learnFrom(error, tried.profile);
  // Each change can be made once, so that this ends.
  if (error.code === 'model.refused' && profile !== tried.profile)
    return { ...tried, profile, room: Math.min(tried.room, replyRoom(request, profile)) };
  if (error.code !== 'model.context-full' || tried.overflows === MOST_OVERFLOWS) return undefined;
  // The service knows the length of the prompt better than we do.
  const fitting = roomOrNone(request, profile, SEEN.parse(error.data).promptTokens);
  if (fitting === undefined) return undefined;
  const room = fitting < tried.room ? fitting : Math.floor(tried.room / 2);
  return room < 1 ? undefined : { profile, room, overflows: tried.overflows + 1 };
}

function roomOrNone(
  request: ChatRequest,
  profile: ModelProfile,
  promptTokens: number | undefined,
): number | undefined {
  try {
    return replyRoom(request, profile, promptTokens);
  } catch (error) {
    if (error instanceof CandorError && error.code === 'model.context-full') return undefined;
    throw error;
  }
}

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
function replyRoom(
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
