/** What a state returns, and the laws it must keep. */
import type { LinkState } from './link-state.ts';

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
