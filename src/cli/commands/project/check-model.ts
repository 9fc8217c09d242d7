/** The model's line of `candor doctor`. */
import { z } from 'zod';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { type LanguageModel, openLanguageModel } from '../../../model/index.ts';

type Settings = NonNullable<Config['model']>;

export interface ModelCheckOptions {
  /** Whether one call is made. */
  readonly asks: boolean;
  readonly signal: AbortSignal;
}

export interface CheckedModel {
  readonly detail: string;
  /** Works, but likely not as wanted. */
  readonly warning?: string;
}

/** A thinking model spends some of them before it writes. */
const REPLY_TOKENS = 1_000;

/**
 * Who would answer, and with `asks` what one call to it brought: a single try, nothing of the database in it, past cache and
 * recordings. Throws what opening and asking throw.
 */
export async function checkModel(
  { model: settings, root }: Pick<Config, 'model' | 'root'>,
  { asks, signal }: ModelCheckOptions,
): Promise<CheckedModel> {
  if (settings === undefined) return { detail: 'none named: the built-in engine answers' };
  const model = await openLanguageModel({ ...settings, packageDirectory: root }, signal);
  try {
    const named = describe(settings, model);
    return asks ? await askOnce(model, named, settings, signal) : { detail: named, ...missingKey(settings) };
  } finally {
    await model.close?.();
  }
}

function describe({ name, key, private: isPrivate, replay }: Settings, { host }: LanguageModel): string {
  return [
    host === null || host === undefined ? `${name} in this process` : `${name} at ${host}`,
    host ? (key === undefined ? 'no key' : 'a key is there') : '',
    isPrivate ? 'private mode' : '',
    replay === undefined ? '' : `recordings of ${replay} answer in its place`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** A service of one's own often needs none. */
function missingKey({ key, url, replay }: Settings): { warning?: string } {
  if (key !== undefined || url !== undefined || replay !== undefined) return {};
  return {
    warning: 'Set the variable of its key, or model.key in candor.yml; docs/guides/models.md lists them.',
  };
}

const REPLY = z.object({ ok: z.boolean() });

async function askOnce(
  model: LanguageModel,
  named: string,
  { timeoutMs }: Settings,
  signal: AbortSignal,
): Promise<CheckedModel> {
  const start = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const { text } = await model
    .chat({
      role: 'doctor',
      messages: [{ role: 'user', content: 'Reply with this JSON object and nothing else: {"ok": true}' }],
      replySchema: z.toJSONSchema(REPLY),
      maxTokens: REPLY_TOKENS,
      signal: AbortSignal.any([signal, timeout]),
    })
    .catch((error: unknown) => {
      if (signal.aborted || !timeout.aborted) throw error;
      throw new CandorError('model.unreachable', `${model.id} gave no answer in ${timeoutMs / 1000} s`);
    });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (isWanted(text)) return { detail: `${named}; reachable, replied in ${seconds} s, with JSON` };
  return {
    detail: `${named}; reachable, replied in ${seconds} s, but not with the JSON that was asked for`,
    warning: 'Set model.json to what the service can do, or name another model; see docs/guides/models.md.',
  };
}

/** In a fence or among words too: so the stages read it. */
function isWanted(text: string): boolean {
  try {
    return REPLY.safeParse(JSON.parse(/\{[^{}]*\}/.exec(text)?.[0] ?? '')).success;
  } catch {
    return false;
  }
}
