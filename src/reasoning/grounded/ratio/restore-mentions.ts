import type { Mention } from '../mention/mention.ts';
import type { Bound, BoundFilter } from '../resolve/bound.ts';

/** The same bound frame with the mentions of the whole question, so that every part of the SQL names the words that caused it. */
export function restoreMentions(bound: Bound, original: ReadonlyMap<number, number>): Bound {
  const one = (mention: Mention): Mention => ({
    ...mention,
    index: original.get(mention.index) ?? mention.index,
  });
  const maybe = <Item extends { readonly mention?: Mention }>(item: Item): Item =>
    item.mention === undefined ? item : { ...item, mention: one(item.mention) };
  const filters = (items: readonly BoundFilter[]): BoundFilter[] =>
    items.map((item) => ({ ...item, mention: one(item.mention) }));
  return {
    ...bound,
    projections: bound.projections.map(maybe),
    filters: filters(bound.filters),
    groups: bound.groups.map(maybe),
    orders: bound.orders.map(maybe),
    havings: bound.havings.map(maybe),
    absences: bound.absences.map((item) => ({ ...maybe(item), filters: filters(item.filters) })),
    stated: bound.stated.map(maybe),
  };
}
