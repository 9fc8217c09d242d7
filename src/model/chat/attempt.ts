import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { ChatRequest } from '../language-model.ts';
import type { ModelProfile } from '../model-profiles.ts';
import { REFUSABLE_SETTINGS } from '../refused-setting.ts';
import { withoutSetting } from '../without-setting.ts';
import { replyRoom } from './fit-window.ts';

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
