import { CandorError } from '../../errors.ts';
import { cancelledError } from '../cancelled.ts';
import { shownUrl } from '../endpoint-url.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model.ts';
import type { ModelProfile } from '../model-profiles.ts';
import { type Attempt, firstAttempt, learnFrom, nextAttempt } from './attempt.ts';
import { fromSdkReply } from './from-sdk-reply.ts';
import type { SdkModel, SdkOwnOptions } from './sdk-types.ts';
import { toSdkOptions } from './to-sdk-options.ts';

export interface SdkService {
  /** `openai`, `anthropic`, `google`. */
  readonly provider: string;
  readonly model: string;
  readonly url: URL;
  readonly profile: ModelProfile;
  /** Made with `boundedFetch`. */
  readonly sdk: SdkModel;
  /** What the contract of the SDK has no place for. */
  readonly ownOptions?: (request: ChatRequest) => SdkOwnOptions;
}

/**
 * A provider's model behind our contract. What the service refuses of a request is changed, and the request sent again; what was
 * learned holds for all that follow. Throws what `boundedFetch` throws, `model.context-full` for a prompt that cannot fit, and
 * `model.bad-reply` without a cause for what the SDK cannot read, because its errors quote what was sent and what came.
 */
export function sdkLanguageModel(service: SdkService): LanguageModel {
  const { provider, model, url, profile } = service;
  const learned = { profile };
  return {
    id: `${provider}/${model}@${url.host}`,
    contextWindow: profile.contextWindow,
    host: url.host,
    contract: profile.contract,
    ...(profile.price !== undefined && { price: profile.price }),
    chat: (request) => chat(service, request, learned),
  };
}

async function chat(
  service: SdkService,
  request: ChatRequest,
  learned: { profile: ModelProfile },
): Promise<ChatReply> {
  if (request.tools !== undefined && !service.profile.takesTools)
    throw new CandorError('model.refused', `the model ${JSON.stringify(service.model)} calls no tools`);
  let attempt = firstAttempt(request, learned.profile);
  for (;;) {
    try {
      return await send(service, request, attempt);
    } catch (error) {
      if (!(error instanceof CandorError)) throw error;
      // Also where this request cannot be saved: the next one is held to it.
      learned.profile = learnFrom(error, learned.profile);
      const next = nextAttempt(error, attempt, request);
      if (next === undefined) throw error;
      attempt = next;
    }
  }
}

async function send(
  { sdk, url, ownOptions }: SdkService,
  request: ChatRequest,
  attempt: Attempt,
): Promise<ChatReply> {
  if (request.signal?.aborted) throw cancelledError('the chat');
  const providerOptions = ownOptions?.(request);
  try {
    const reply = await sdk.doGenerate({
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
