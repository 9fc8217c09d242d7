/** The language models of a session, opened when the first question needs them. */
import type { Config } from './config/index.ts';
import { keepPrivate } from './keep-private.ts';
import type { KnownSchema } from './known-facts.ts';
import { announced, type Budget, type LanguageModel, openSessionModel } from './model/index.ts';

export interface SessionModels {
  readonly answers: LanguageModel;
  /** A stronger one that judges what research found. */
  readonly reflects?: LanguageModel;
  /** What one question may use of both; absent: no bound. */
  readonly budget?: Budget;
}

export interface ModelsOptions {
  /** Answers in place of the model that the configuration names; the caller closes it. */
  readonly model?: LanguageModel;
  /** No cell of the database may be told to a model; absent: as the configuration says. */
  readonly isPrivate?: boolean;
  readonly onNotice?: (message: string) => void;
  /** From 0 up to 1, for the pauses between tries. */
  readonly random?: () => number;
}

export interface LazyModels {
  readonly models: () => Promise<SessionModels>;
  readonly closeModels: () => Promise<void>;
}

/** Undefined where the built-in engine answers. What fails to open is tried again by the next question. */
export function lazyModels(
  config: Pick<Config, 'model' | 'root'>,
  known: KnownSchema,
  { model, isPrivate = config.model?.private ?? false, onNotice, random }: ModelsOptions,
): LazyModels | undefined {
  const { model: settings, root } = config;
  if (model === undefined && settings === undefined) return undefined;
  const open = async (): Promise<SessionModels> => {
    const opened =
      model === undefined && settings !== undefined
        ? await openNamed(settings, root, { onNotice, random })
        : { answers: announced(model!) };
    return isPrivate ? { ...opened, ...keepPrivate(opened, known) } : opened;
  };
  let opened: Promise<SessionModels> | undefined;
  return {
    models: () => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    closeModels: async () => {
      if (model !== undefined) return;
      const models = await opened?.catch(() => undefined);
      await models?.answers.close?.();
      await models?.reflects?.close?.();
    },
  };
}

async function openNamed(
  settings: NonNullable<Config['model']>,
  root: string,
  { onNotice, random }: { readonly [Key in 'onNotice' | 'random']: ModelsOptions[Key] | undefined },
): Promise<SessionModels> {
  const { reflector, calls, tokens, ...own } = settings;
  const opened = { ...own, packageDirectory: root };
  const options = { ...(onNotice && { onNotice }), ...(random && { random }) };
  const budget = { calls, tokens };
  const answers = await openSessionModel(opened, options);
  if (reflector === undefined) return { answers, budget };
  const { contextWindow: _w, json: _j, contract: _c, price: _p, refuses: _r, ...service } = opened;
  return { answers, reflects: await openSessionModel({ ...service, name: reflector }, options), budget };
}
