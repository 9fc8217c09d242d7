import { pathToFileURL } from 'node:url';
import { CandorError } from '../../errors.ts';
import { findPackage } from '../find-package.ts';
import type { SdkModel } from './sdk-types.ts';

export interface ProviderSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

type Create = (settings: ProviderSettings) => (model: string) => SdkModel;

export interface ProviderPackage {
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
export async function loadProvider(
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
