/** Language models of Anthropic and Google, each by its own way and an optional package. */
import { CandorError } from '../../errors.ts';
import { readEndpointUrl } from '../endpoint-url.ts';
import type { LanguageModel } from '../language-model.ts';
import type { ModelProfile } from '../model-profiles.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { loadProvider, type ProviderPackage } from './load-provider.ts';
import type { ServiceSettings } from './open-openai-chat.ts';
import { sdkLanguageModel } from './sdk-language-model.ts';

const PACKAGES = {
  anthropic: { name: '@ai-sdk/anthropic', version: '3.0.138', create: 'createAnthropic' },
  google: { name: '@ai-sdk/google', version: '3.0.141', create: 'createGoogleGenerativeAI' },
} as const satisfies Record<string, ProviderPackage>;

/**
 * Asks nothing yet. Throws `model.package-missing`, and `model.refused` for a URL that is none or where there is no key:
 * without one the package would look for it by itself.
 */
export async function openProviderChat(
  provider: keyof typeof PACKAGES,
  model: string,
  settings: ServiceSettings & { readonly packageDirectory?: string | undefined },
  profile: ModelProfile,
): Promise<LanguageModel> {
  const url = readEndpointUrl(settings.url, 'the language model');
  const { key, onNotice } = settings;
  if (key === undefined || key === '')
    throw new CandorError(
      'model.refused',
      `there is no key for ${url.host}, which takes no request without one`,
    );
  const create = await loadProvider(PACKAGES[provider], settings.packageDirectory);
  const open = create({
    baseURL: `${url.origin}${url.pathname}`,
    apiKey: key,
    fetch: boundedFetch(model),
  });
  const sdk = open(model);
  return sdkLanguageModel({ provider, model, url, profile, open: () => sdk, onNotice });
}
