/** The returned items with everything that speaks for them. */

import type { Bucket, LinkedItem, LinkReason } from '../../schema/linked-schema.ts';
import type { EvilinkSources } from '../items/evilink-sources.ts';
import type { LinkItems } from '../items/link-items.ts';
import { oneLine } from '../items/one-line.ts';
import { reasonOfNote } from '../overview/retrieval-notes.ts';
import type { LinkState } from './link-state.ts';
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

// What a state returns, and the laws it must keep.

/** S = R ∪ K ∪ U: undecided means kept. Closed: the table of every field is in it. */
export function linkedIds({ items, required, kept, uncertain }: LinkState): ReadonlySet<string> {
  const linked = new Set([...required, ...kept.keys(), ...uncertain]);
  for (const id of [...linked]) {
    const table = items.tableOf(id);
    if (table !== undefined) linked.add(table);
  }
  return linked;
}

/** Tables of S without a field in S: the writer sees their key fields only. */
export function tablesWithoutFields(state: LinkState): readonly string[] {
  const linked = linkedIds(state);
  const withFields = new Set([...linked].flatMap((id) => state.items.tableOf(id) ?? []));
  return [...linked].filter((id) => state.items.tableOf(id) === undefined && !withFields.has(id));
}

/**
 * The laws that do not hold, as sentences; none for every state that `decide` can give: R, U, K and D are disjoint
 * and hold known items, R and U are in S, D is not, and no field in S has a discarded table.
 */
export function checkInvariants(state: LinkState): readonly string[] {
  const { items, required, uncertain, kept, discarded } = state;
  const sets = { required, uncertain, kept: new Set(kept.keys()), discarded: new Set(discarded.keys()) };
  const all = Object.values(sets).flatMap((set) => [...set]);
  const linked = linkedIds(state);
  const broken: string[] = [];
  if (new Set(all).size < all.length) broken.push('an item is in two sets');
  if (all.some((id) => !items.has(id))) broken.push('an item is not in the catalog');
  if ([...required].some((id) => !linked.has(id))) broken.push('a required item is not returned');
  if ([...uncertain].some((id) => !linked.has(id))) broken.push('an undecided item is not returned');
  if ([...discarded.keys()].some((id) => linked.has(id))) broken.push('a discarded item is returned');
  for (const id of [...required, ...kept.keys(), ...uncertain]) {
    const table = items.tableOf(id);
    if (table !== undefined && discarded.has(table)) broken.push('a field is returned without its table');
  }
  return [...new Set(broken)];
}
