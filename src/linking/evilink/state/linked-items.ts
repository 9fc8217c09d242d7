/** The returned items with everything that speaks for them. */
import type { Bucket, LinkedItem, LinkReason } from '../../schema/linked-schema.ts';
import type { EvilinkSources } from '../items/evilink-sources.ts';
import type { LinkItems } from '../items/link-items.ts';
import { oneLine } from '../items/one-line.ts';
import { reasonOfNote } from '../overview/retrieval-notes.ts';
import type { LinkState } from './link-state.ts';
import { linkedIds } from './linked-ids.ts';
import { credibility, type Votes } from './votes.ts';

const LONGEST_REASON = 300;

export interface ReasonSources {
  readonly sources: Pick<EvilinkSources, 'notes'>;
  readonly items: LinkItems;
  readonly votes: Votes;
}

/** S and D in the order of the catalog, each table before its fields. */
export function linkedItems(
  state: LinkState,
  sources: ReasonSources,
): { readonly items: readonly LinkedItem[]; readonly discarded: readonly LinkedItem[] } {
  const describe = (ids: Iterable<string>): readonly LinkedItem[] =>
    sources.items.placed(ids).map((item) => linkedItem(item, state, sources));
  return { items: describe(linkedIds(state)), discarded: describe(state.discarded.keys()) };
}

/** Required and kept items are relevant; what stayed undecided is `maybe`, and so is what was put aside. */
function linkedItem(
  { id, kind }: Pick<LinkedItem, 'id' | 'kind'>,
  state: LinkState,
  { sources, votes }: ReasonSources,
): LinkedItem {
  const bucket = shownBucket(state, id);
  const own = votes.of.get(id) ?? [];
  const because: LinkReason[] = own.map(({ hypothesis, why }) => ({
    kind: 'hypothesis',
    text: why === '' ? `chosen under ${hypothesis}` : `${hypothesis}: ${why}`,
  }));
  because.push(...(sources.notes.get(id) ?? []).map(reasonOfNote), ...refinementReason(state, id));
  return {
    id,
    kind,
    because,
    tier: bucket === 'required' || bucket === 'kept' ? 'relevant' : 'maybe',
    isAuto: false,
    score: credibility(own.length, votes.paths),
    votes: { support: own.length, paths: votes.paths, bucket },
  };
}

function shownBucket({ required, kept, discarded }: LinkState, id: string): Bucket {
  if (required.has(id)) return 'required';
  if (kept.has(id)) return 'kept';
  return discarded.has(id) ? 'discarded' : 'uncertain';
}

function refinementReason({ kept, discarded }: LinkState, id: string): readonly LinkReason[] {
  const [verb, reason] = kept.has(id) ? ['kept', kept.get(id)] : ['discarded', discarded.get(id)];
  if (reason === undefined) return [];
  const text = reason === '' ? verb : `${verb}: ${oneLine(reason, LONGEST_REASON)}`;
  return [{ kind: 'refinement', text }];
}
