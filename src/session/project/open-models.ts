/** The language models of a session, opened when the first question needs them. */
import type { Config } from '../../config/index.ts';
import type { KnownSchema } from '../../knowledge/base/index.ts';
import { visibleGuesses } from '../../knowledge/described/index.ts';
import { once } from '../../lib/index.ts';
import { announced, type Budget, type LanguageModel, openSessionModel } from '../../model/index.ts';
import { privately, valueProbe } from '../../reasoning/privacy/index.ts';

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
    return isPrivate ? { ...opened, ...privateModels(opened, known) } : opened;
  };
  const models = once(open);
  return {
    models,
    closeModels: async () => {
      if (model !== undefined) return;
      const opened = await models.begun()?.catch(() => undefined);
      await opened?.answers.close?.();
      await opened?.reflects?.close?.();
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

// Private mode of a session: its models are told no cell, and what slips through is held back.

/** The models of a session, both under one probe over what the session knows of the values. */
export function privateModels<
  Models extends { readonly answers: LanguageModel; readonly reflects?: LanguageModel },
>(
  { answers, reflects }: Models,
  known: KnownSchema,
): { readonly answers: LanguageModel; readonly reflects?: LanguageModel } {
  const probe = valueProbe(known.values, schemaTexts(known));
  return {
    answers: privately(answers, probe),
    ...(reflects && { reflects: privately(reflects, probe) }),
  };
}

/** What people have written for models to read: names, types, descriptions, the semantic model, notes. */
function schemaTexts({ catalog, hiddenTables, semantics, authored }: KnownSchema): readonly string[] {
  const tables = catalog.tables.flatMap(({ id, name, comment = '', columns }) => [
    id,
    name,
    comment,
    ...columns.flatMap((column) => [column.name, column.type, column.comment ?? '']),
  ]);
  // What a model guessed that saw cells may tell them.
  const described = visibleGuesses(authored, { catalog, hiddenTables }, { isPrivate: true });
  const written = JSON.stringify({ ...authored, described });
  return [catalog.database, ...tables, JSON.stringify(semantics), written];
}
