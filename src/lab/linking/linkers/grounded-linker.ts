/** The product's own linking without a model, over the catalogs of a set; with stored values where the set has rows. */
import { buildValueIndex, emptySemanticModel, fallbackKeywords } from '../../../knowledge/index.ts';
import { LINK_DEFAULTS, type LinkSettings, linkSchema, prepareLinking } from '../../../linking/index.ts';
import { TokenLedger } from '../../../model/index.ts';
import {
  buildKnowledge,
  CHOICE_RISKS,
  type ChoiceRisks,
  hypothesise,
  openRatingModels,
  rankByRetrieval,
} from '../../../reasoning/index.ts';
import type { CaseLinker } from '../case-linker.ts';
import { openValues } from '../open-values.ts';
import { openRetrieval } from './open-retrieval.ts';

interface GroundedMode {
  readonly settings: Partial<LinkSettings>;
  readonly needsRetrieval: boolean;
}

/** By the name that `candor eval link --mode` takes. Join paths are added after linking and count for no measure. */
export const GROUNDED_MODES = {
  grounded: { settings: { mode: 'filter', filterBy: 'ranking' }, needsRetrieval: false },
  votes: { settings: { mode: 'evilink' }, needsRetrieval: false },
  filter: { settings: { mode: 'filter', filterBy: 'retrieval' }, needsRetrieval: true },
  rankers: { settings: { mode: 'rankers' }, needsRetrieval: true },
} as const satisfies Readonly<Record<string, GroundedMode>>;

/** Noon of a day when the benchmarks were new. */
const NOW = new Date('2024-06-01T12:00:00Z');

export function groundedLinker(
  mode: string,
  { settings, needsRetrieval }: GroundedMode,
  { cacheDirectory, risks = CHOICE_RISKS }: { readonly cacheDirectory: string; readonly risks?: ChoiceRisks },
): CaseLinker {
  const all: LinkSettings = { ...LINK_DEFAULTS, completesJoins: false, risks, ...settings };
  return {
    mode,
    async open(database, signal) {
      const { catalog } = database;
      const values = await openValues(database, { cacheDirectory, ...(signal && { signal }) });
      const prepared = await prepareLinking(catalog, values === undefined ? {} : { values });
      const retrieval = needsRetrieval ? await openRetrieval(catalog, values) : undefined;
      const knowledge =
        all.mode === 'evilink'
          ? buildKnowledge(
              catalog,
              emptySemanticModel,
              values ?? buildValueIndex([]),
              await openRatingModels(),
            )
          : undefined;
      return {
        async link(asked, stop) {
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
              readings: () =>
                knowledge === undefined
                  ? []
                  : hypothesise(question, knowledge, NOW).readings.map(({ sql }) => sql),
            },
            all,
          );
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
