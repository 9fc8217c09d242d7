/** The product's own linking over the catalogs of a set, with a model or without; with stored values where the set has rows. */

import { join } from 'node:path';
import { projectConfig } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { fallbackKeywords } from '../../../knowledge/retrieve/index.ts';
import { emptySemanticModel } from '../../../knowledge/semantic/index.ts';
import { buildValueIndex, type ValueIndex } from '../../../knowledge/values/index.ts';
import { LINK_DEFAULTS, type LinkSettings, linkSchema, prepareLinking } from '../../../linking/index.ts';
import { type LanguageModel, TokenLedger } from '../../../model/index.ts';
import { buildKnowledge, hypothesise, rankByRetrieval } from '../../../reasoning/grounded/index.ts';
import { CHOICE_RISKS, type ChoiceRisks } from '../../../reasoning/grounded/linking/index.ts';
import { openRatingModels } from '../../../reasoning/grounded/rate/index.ts';
import { modelReasoner } from '../../../reasoning/llm/index.ts';
import { openSession } from '../../../session/index.ts';
import { type AblationName, ablate, ablatedMode } from '../ablations.ts';
import type { LinkDatabase } from '../sets/link-set.ts';
import type { CaseLinker } from './case-linker.ts';
import { openRetrieval } from './open-retrieval.ts';

interface GroundedMode {
  readonly settings: Partial<LinkSettings>;
  readonly needsRetrieval: boolean;
}

/** By the name that `candor eval link --mode` takes. Join paths are added after linking and count for no measure. */
export const GROUNDED_MODES = {
  grounded: { settings: { mode: 'filter', filterBy: 'ranking' }, needsRetrieval: false },
  votes: { settings: { mode: 'evilink' }, needsRetrieval: false },
  evilink: { settings: { mode: 'evilink' }, needsRetrieval: false },
  filter: { settings: { mode: 'filter', filterBy: 'retrieval' }, needsRetrieval: true },
  rankers: { settings: { mode: 'rankers' }, needsRetrieval: true },
} as const satisfies Readonly<Record<string, GroundedMode>>;

/** Noon of a day when the benchmarks were new. */
const NOW = new Date('2024-06-01T12:00:00Z');

export interface GroundedLinkerOptions {
  readonly cacheDirectory: string;
  readonly risks?: ChoiceRisks;
  readonly without?: readonly AblationName[];
  /** Reads the question and votes; absent: the grounded engine. */
  readonly model?: LanguageModel | undefined;
}

export function groundedLinker(
  mode: string,
  { settings, needsRetrieval }: GroundedMode,
  { cacheDirectory, risks = CHOICE_RISKS, without = [], model }: GroundedLinkerOptions,
): CaseLinker {
  const ablated = ablate(without);
  const all = ablated.settings({ ...LINK_DEFAULTS, completesJoins: false, risks, ...settings });
  return {
    mode: ablatedMode(mode, without),
    async open(database, signal) {
      const { catalog } = database;
      const values = ablated.withoutValues
        ? undefined
        : await openValues(database, { cacheDirectory, ...(signal && { signal }) });
      const prepared = await prepareLinking(catalog, values === undefined ? {} : { values });
      const retrieval = needsRetrieval ? await openRetrieval(catalog, values, ablated.retrieval) : undefined;
      const knowledge =
        all.mode === 'evilink' && model === undefined
          ? buildKnowledge(
              catalog,
              emptySemanticModel,
              values ?? buildValueIndex([]),
              await openRatingModels(),
            )
          : undefined;
      return {
        async link(told, stop) {
          const asked = ablated.withoutHint ? { ...told, hint: '' } : told;
          const { question, hint } = asked;
          const retrieved = await retrieval?.find(asked, { signal: stop });
          const ledger = new TokenLedger();
          const linked = await linkSchema(
            {
              text: question,
              ...(hint === '' ? {} : { hint }),
              knowledge: [],
              ledger,
              ...(stop && { signal: stop }),
            },
            {
              ...prepared,
              semantics: emptySemanticModel,
              keywords: fallbackKeywords(question),
              quoted: [],
              ...(retrieved && { retrieved }),
              ranker: rankByRetrieval(),
              ...(model && { reasoner: modelReasoner(model) }),
              readings: () =>
                knowledge === undefined
                  ? []
                  : hypothesise(question, knowledge, NOW).readings.map(({ sql }) => sql),
            },
            all,
          );
          // What the ranker chose in the place of a model that failed is no measure of the model.
          if (model !== undefined && linked.mode !== all.mode)
            throw new CandorError('linking.no-path', linked.warnings[0] ?? 'the model linked nothing');
          const own = linked.items.filter(({ isAuto }) => !isAuto);
          const idsOf = (kind: 'table' | 'field') =>
            new Set(own.filter((item) => item.kind === kind).map(({ id }) => id));
          return { tables: idsOf('table'), fields: idsOf('field'), tokens: ledger.total };
        },
        close: async () => retrieval?.close(),
      };
    },
  };
}

interface OpenValuesOptions {
  /** Where what onboarding derives is kept. */
  readonly cacheDirectory: string;
  readonly signal?: AbortSignal;
}

/** The stored values of a database of a linking set, onboarded when it is new; undefined where the set has no rows. */
export async function openValues(
  { name, databaseUrl }: LinkDatabase,
  { cacheDirectory, signal }: OpenValuesOptions,
): Promise<ValueIndex | undefined> {
  if (databaseUrl === undefined) return undefined;
  const config = projectConfig(join(cacheDirectory, 'linking', name), databaseUrl);
  const session = await openSession(config, signal === undefined ? {} : { signal });
  try {
    return session.values;
  } finally {
    await session.close();
  }
}
