import { CandorError } from '../../errors.ts';
import { cancelledError } from '../cancelled.ts';
import { shownUrl } from '../endpoint-url.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model.ts';
import type { ModelProfile } from '../model-profiles.ts';
import { type Attempt, firstAttempt, learnFrom, nextAttempt } from './attempt.ts';
import { fromSdkReply } from './from-sdk-reply.ts';
import { differenceOf } from './profile-difference.ts';
import type { SdkModel, SdkOwnOptions } from './sdk-types.ts';
import { toSdkOptions } from './to-sdk-options.ts';

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
