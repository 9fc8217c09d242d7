/** Linking by the SQL that other systems predicted: how good votes of real hypotheses are, without a model. */
import { CandorError } from '../../../errors.ts';
import {
  formSchemaOpinion,
  type LinkForests,
  openLinkForests,
  type PreparedLinker,
  prepareLinker,
  type ReplaySettings,
  replayReasoner,
} from '../../../reasoning/index.ts';
import type { AskedCase, CaseLinker } from '../case-linker.ts';
import { chooseSetups, type Predictions } from '../replay-set.ts';
import { keptAt, linkByVotes } from './link-by-votes.ts';

export interface ReplayOptions extends ReplaySettings {
  /** K: set-ups whose queries are the hypotheses. */
  readonly hypotheses?: number;
  /** Names of set-ups in place of the strongest ones. */
  readonly setups?: readonly string[];
  /** Per cent; 0 keeps all that any path chose. */
  readonly tau?: number;
  /** From this probability of the trained ranker on a column joins every path; absent: the ranker is not asked. */
  readonly rankedFrom?: number;
}

const HYPOTHESES = 4;

/** Of the set `bird` only: that is what was predicted. Throws `eval.data-missing` for a set-up that is not there. */
export function replayLinker({ sqlOf, setups: known }: Predictions, options: ReplayOptions = {}): CaseLinker {
  const { hypotheses = HYPOTHESES, setups = chooseSetups(known, hypotheses), tau = 0 } = options;
  const missing = setups.find((name) => !sqlOf.has(name));
  if (missing !== undefined)
    throw new CandorError('eval.data-missing', `the predictions have no set-up ${missing}`);
  return {
    mode: 'replay',
    async open({ catalog }) {
      const linker = prepareLinker(catalog);
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
          const votes = await linkByVotes(asked, catalog, reasoner, {
            most: sqls.length,
            ...(signal && { signal }),
          });
          return { ...keptAt(votes, tau), tokens: votes.tokens };
        },
        close: async () => {},
      };
    },
  };
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
