import { CandorError } from '../../errors.ts';
import type { GgufSettings } from '../gguf/open-gguf-model.ts';
import type { LanguageModel } from '../language-model/language-model.ts';
import {
  type JsonAbility,
  type ModelProfile,
  profileOf,
  type TokenPrice,
  type WritingContract,
} from '../language-model/model-profiles.ts';
import { type RefusableSetting, withoutSetting } from '../language-model/refused-setting.ts';
import { throwIfCancelled } from '../requests/retry-transient.ts';

/** How a language model can be named; also what the error and the documents list. */
const MODEL_FORMS = ['openai:<model>', 'anthropic:<model>', 'google:<model>', 'gguf:<file>'] as const;

/** Where each is served by those who made it. */
const SERVICE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

type Provider = keyof typeof SERVICE_URLS;

/** What is given counts more than what the list of models says. */
export interface LanguageModelSettings {
  /** One of the forms: `openai:gpt-4.1`, `anthropic:claude-sonnet-4-5`. */
  readonly name: string;
  /** Up to and without the path of a chat; absent: the service of those who made the model. */
  readonly url?: string | undefined;
  /** Sent to the service only. Never part of a message. */
  readonly key?: string | undefined;
  /** Tokens of a request and its reply. */
  readonly contextWindow?: number | undefined;
  readonly json?: JsonAbility | undefined;
  readonly contract?: WritingContract | undefined;
  readonly price?: TokenPrice | undefined;
  /** What the service does not take; the rest is found out by its refusals. */
  readonly refuses?: readonly RefusableSetting[] | undefined;
  /** Where optional packages are looked for first. */
  readonly packageDirectory?: string | undefined;
}

/**
 * Opens a language model by name; whoever opens it closes it. It asks nothing yet: a wrong key shows at the first call.
 * One call is one try, without a bound of time; `sessionModel` adds what a session needs. `onNotice` hears once of each thing that
 * the service turns out not to take. Throws `model.unknown` for a
 * name of no known form, else what the adapter throws.
 */
export async function openLanguageModel(
  settings: LanguageModelSettings,
  signal?: AbortSignal,
  onNotice?: (message: string) => void,
): Promise<LanguageModel> {
  throwIfCancelled(signal);
  const file = ggufFile(settings.name);
  // What speaks to a model is large, and most questions are answered without one.
  if (file !== undefined) {
    const { openGgufModel } = await import('../gguf/open-gguf-model.ts');
    return openGgufModel(file, localSettings(settings), signal);
  }
  const { provider, model } = readModelName(settings.name);
  const service = {
    url: settings.url ?? SERVICE_URLS[provider],
    key: settings.key,
    packageDirectory: settings.packageDirectory,
    onNotice,
  };
  const profile = modelProfile(settings);
  if (provider === 'openai') {
    const { openOpenAiChat } = await import('../chat/open-openai-chat.ts');
    return openOpenAiChat(model, service, profile);
  }
  const { openProviderChat } = await import('../chat/open-provider-chat.ts');
  return openProviderChat(provider, model, service, profile);
}

/** The file of `gguf:models/small.gguf`. */
function ggufFile(name: string): string | undefined {
  return /^gguf:(.*\S)\s*$/s.exec(name)?.[1]?.trim();
}

function localSettings({ contextWindow, contract, packageDirectory }: LanguageModelSettings): GgufSettings {
  return {
    ...(contract !== undefined && { contract }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(packageDirectory !== undefined && { packageDirectory }),
  };
}

/** What is known of a model, with what the settings say of it. Throws `model.unknown`. */
function modelProfile(settings: LanguageModelSettings): ModelProfile {
  const { provider, model } = readModelName(settings.name);
  const { price: listed, ...known } = profileOf(model);
  // Somebody else may serve the same model for another price.
  const isAtHome = settings.url === undefined || settings.url.startsWith(SERVICE_URLS[provider]);
  const price = settings.price ?? (isAtHome ? listed : undefined);
  const taken = (settings.refuses ?? []).reduce(
    (profile, setting) => withoutSetting(profile, { setting }),
    known,
  );
  return {
    ...taken,
    ...(settings.contextWindow !== undefined && {
      contextWindow: settings.contextWindow,
      isWindowKnown: true,
    }),
    ...(settings.json !== undefined && { json: settings.json }),
    ...(settings.contract !== undefined && { contract: settings.contract }),
    ...(price !== undefined && { price }),
  };
}

function readModelName(name: string): { readonly provider: Provider; readonly model: string } {
  const colon = name.indexOf(':');
  const provider = colon < 0 ? name : name.slice(0, colon);
  const model = colon < 0 ? '' : name.slice(colon + 1).trim();
  if (isProvider(provider) && model !== '') return { provider, model };
  throw new CandorError(
    'model.unknown',
    `no language model is called ${JSON.stringify(name.slice(0, 100))}; known are ${MODEL_FORMS.join(', ')}`,
  );
}

function isProvider(name: string): name is Provider {
  return Object.hasOwn(SERVICE_URLS, name);
}
