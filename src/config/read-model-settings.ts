import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { CandorError } from '../errors.ts';
import type { ConfigRequest, Environment, ModelSettings } from './config.ts';
import { CONFIG_DEFAULTS, type CONFIG_SCHEMA, MODEL_NAME } from './config-schema.ts';
import { wantsTracedContent } from './read-tracing-settings.ts';

/** Where the makers of models look for their keys, too. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
};

export interface ModelPlace {
  /** Where relative folders and files of the project start. */
  readonly root: string;
  readonly derivedDirectory: string;
  readonly env: Environment;
}

/**
 * The language model that answers; undefined where none is named, or `none`. A name given for once overrides the project's; what the
 * project says of its model (URL, key, price) holds for it only where both are of the same kind. Throws `model.unknown`.
 */
export function readModelSettings(
  given: z.infer<typeof CONFIG_SCHEMA>['model'],
  { model: named, isPrivate, cwd }: Pick<ConfigRequest, 'model' | 'isPrivate' | 'cwd'>,
  { root, derivedDirectory, env }: ModelPlace,
): ModelSettings | undefined {
  const name = named ?? given?.name ?? 'none';
  const problem = MODEL_NAME.safeParse(name).error?.issues[0];
  if (problem !== undefined)
    throw new CandorError(
      'model.unknown',
      `no language model is called ${JSON.stringify(name.slice(0, 100))}: ${problem.message}`,
    );
  if (name === 'none') return undefined;
  const isOwn = named === undefined || named === given?.name;
  const isSameKind = kindOf(name) === kindOf(given?.name ?? '');
  const {
    url,
    key,
    reflector,
    price,
    contextWindow,
    json,
    contract,
    refuses,
    cache,
    record,
    replay,
    ...rest
  } = given ?? {};
  const found = isSameKind ? key : undefined;
  const apiKey =
    found ?? (isSameKind && url !== undefined ? undefined : env[KEY_VARIABLES[kindOf(name)] ?? '']);
  return {
    ...CONFIG_DEFAULTS.model,
    ...withoutAbsent({ ...rest, ...(isSameKind && { url, reflector }) }),
    ...withoutAbsent(isOwn ? { price, contextWindow, json, contract, refuses } : {}),
    ...withoutAbsent({ key: apiKey }),
    name: withAbsoluteFile(name, isOwn ? root : cwd),
    private: isPrivate ?? given?.private ?? false,
    traceContent: given?.traceContent ?? wantsTracedContent(env),
    ...(cache === true && { cache: join(derivedDirectory, 'replies') }),
    ...(record !== undefined && { record: resolve(root, record) }),
    ...(replay !== undefined && { replay: resolve(root, replay) }),
  };
}

function kindOf(name: string): string {
  return name.split(':', 1)[0] ?? '';
}

function withAbsoluteFile(name: string, folder: string): string {
  return kindOf(name) === 'gguf' ? `gguf:${resolve(folder, name.slice('gguf:'.length).trim())}` : name;
}

type Present<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> };

function withoutAbsent<Given extends object>(given: Given): Present<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Present<Given>;
}
