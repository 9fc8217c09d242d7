import { CandorError } from '../../errors.ts';
import { cancelledError } from '../cancelled.ts';
import { shownUrl } from '../endpoint-url.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model.ts';
import type { ModelProfile } from '../model-profiles.ts';
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
 * A provider's model behind our contract. Throws what `boundedFetch` throws; `model.bad-reply` without a cause for what
 * the SDK cannot read, because its errors quote what was sent and what came.
 */
export function sdkLanguageModel(service: SdkService): LanguageModel {
  const { provider, model, url, profile } = service;
  return {
    id: `${provider}/${model}@${url.host}`,
    contextWindow: profile.contextWindow,
    host: url.host,
    contract: profile.contract,
    ...(profile.price !== undefined && { price: profile.price }),
    chat: (request) => chat(service, request),
  };
}

async function chat(
  { sdk, url, profile, model, ownOptions }: SdkService,
  request: ChatRequest,
): Promise<ChatReply> {
  if (request.signal?.aborted) throw cancelledError('the chat');
  if (request.tools !== undefined && !profile.takesTools)
    throw new CandorError('model.refused', `the model ${JSON.stringify(model)} calls no tools`);
  const providerOptions = ownOptions?.(request);
  try {
    const reply = await sdk.doGenerate({
      ...toSdkOptions(request, profile),
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
