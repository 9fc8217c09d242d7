/** Linking by the SQL that other systems predicted: how good votes of real hypotheses are, without a model. */
import { shareCatalog } from '../../../catalog/share/index.ts';
import { CandorError } from '../../../errors.ts';
import { indexTables, type SharedTables } from '../../../knowledge/retrieve/index.ts';
import { EVILINK_DEFAULTS, evilink } from '../../../linking/index.ts';
import { TokenLedger } from '../../../model/index.ts';
import {
  formSchemaOpinion,
  type LinkForests,
  openLinkForests,
  type PreparedLinker,
  prepareLinker,
} from '../../../reasoning/grounded/linking/index.ts';
import { type ReplaySettings, replayReasoner } from '../../../reasoning/replay/index.ts';
import type { LinkReasoner } from '../../../reasoning/roles/link-reasoner.ts';
import { chooseSetups, type Predictions } from '../replay-set.ts';
import type { AskedCase, CaseLinker, LinkedIds } from './case-linker.ts';
import { keptAt, linkByVotes } from './link-by-votes.ts';

export interface ReplayOptions extends ReplaySettings {
  /** K: set-ups whose queries are the hypotheses. */
  readonly hypotheses?: number;
  /** Names of set-ups in place of the strongest ones. */
  readonly setups?: readonly string[];
  /** Per cent: only what is as credible is kept. Absent: EviLink itself links, with everything that any path chose. */
  readonly tau?: number;
  /** From this probability of the trained ranker on a column joins every path; absent: the ranker is not asked. */
  readonly rankedFrom?: number;
}

const HYPOTHESES = 4;

/** Of the set `bird` only: that is what was predicted. Throws `eval.data-missing` for a set-up that is not there. */
export function replayLinker({ sqlOf, setups: known }: Predictions, options: ReplayOptions = {}): CaseLinker {
  const { hypotheses = HYPOTHESES, setups = chooseSetups(known, hypotheses) } = options;
  const missing = setups.find((name) => !sqlOf.has(name));
  if (missing !== undefined)
    throw new CandorError('eval.data-missing', `the predictions have no set-up ${missing}`);
  return {
    mode: 'replay',
    async open({ catalog }) {
      const tables = indexTables(shareCatalog(catalog, 'all'));
      const linker = prepareLinker(catalog, { tables });
      const forests = await openLinkForests();
      return {
        link: async (asked, signal) => {
          const sqls = setups.flatMap((name) => sqlOf.get(name)?.get(asked.id) ?? []);
          if (sqls.length === 0)
            throw new CandorError('eval.data-missing', `no set-up has a prediction for the case ${asked.id}`);
          const { rankedFrom } = options;
          const extra =
            rankedFrom === undefined
              ? {}
              : { extra: extraOf(asked, linker, forests), extraAtLeast: rankedFrom };
          const reasoner = replayReasoner(sqls, catalog, { ...options, ...extra });
          if (options.tau === undefined)
            return linkByEvilink(asked, reasoner, { tables, most: sqls.length, signal });
          const votes = await linkByVotes(asked, catalog, reasoner, {
            most: sqls.length,
            ...(signal && { signal }),
          });
          return { ...keptAt(votes, options.tau), tokens: votes.tokens };
        },
        close: async () => {},
      };
    },
  };
}

interface EvilinkRun {
  readonly tables: SharedTables;
  readonly most: number;
  readonly signal: AbortSignal | undefined;
}

/** As the product does it; nobody refines, and equal queries of two models are two votes. */
async function linkByEvilink(
  { question, hint }: AskedCase,
  reasoner: LinkReasoner,
  { tables, most, signal }: EvilinkRun,
): Promise<LinkedIds> {
  const ledger = new TokenLedger();
  const { items } = await evilink(
    { text: question, hint, knowledge: [], ledger, ...(signal && { signal }) },
    reasoner,
    { tables, notes: new Map(), membersOf: (id) => [id] },
    { ...EVILINK_DEFAULTS, kmax: most, mergeDuplicates: false, useRefinement: false },
  );
  const idsOf = (kind: 'table' | 'field') =>
    new Set(items.filter((item) => item.kind === kind).map(({ id }) => id));
  return { tables: idsOf('table'), fields: idsOf('field'), tokens: ledger.total };
}

/** Every column with its probability, the same for all paths. */
function extraOf(
  { question, hint }: AskedCase,
  linker: PreparedLinker,
  forests: LinkForests,
): NonNullable<ReplaySettings['extra']> {
  const opinion = formSchemaOpinion({ question, hint }, linker, forests);
  const scored = linker.schema.columns.map(({ column: { id } }) => ({
    id,
    score: opinion.columnProbability(id),
  }));
  return async () => scored;
}
