/** Language models of Anthropic and Google, each by its own way and an optional package. */

import { pathToFileURL } from 'node:url';
import { CandorError } from '../../errors.ts';
import type { LanguageModel } from '../language-model/language-model.ts';
import type { ModelProfile } from '../language-model/model-profiles.ts';
import { findPackage } from '../process/find-package.ts';
import { readEndpointUrl } from '../requests/post-json.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { ServiceSettings } from './open-openai-chat.ts';
import { sdkLanguageModel } from './sdk-language-model.ts';
import type { SdkModel } from './sdk-types.ts';

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

interface ProviderSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

type Create = (settings: ProviderSettings) => (model: string) => SdkModel;

interface ProviderPackage {
  readonly name: string;
  /** Tried with this one. */
  readonly version: string;
  /** What it exports: `createAnthropic`. */
  readonly create: string;
}

/**
 * The function of an optional package that opens its provider. Throws `model.package-missing`, with the line that
 * installs it, where it is not there, cannot be loaded, or is another than the one that is known.
 */
async function loadProvider(
  { name, version, create }: ProviderPackage,
  packageDirectory: string | undefined,
): Promise<Create> {
  const install = `npm install --save-exact --ignore-scripts ${name}@${version}`;
  const path = findPackage(name, 'this language model', install, packageDirectory);
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'no reason was given';
    throw new CandorError('model.package-missing', `${name} at ${path} cannot be loaded: ${reason}`);
  }
  const found: unknown =
    typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, create) : undefined;
  if (isCreate(found)) return found;
  throw new CandorError('model.package-missing', `${path} is not the ${name} that is known; try: ${install}`);
}

function isCreate(found: unknown): found is Create {
  return typeof found === 'function';
}
