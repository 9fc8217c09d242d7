/** In which order tables get room in a prompt: families, of which one table stands for all. */
import type { Retrieved, TableIndex } from '../../knowledge/retrieve/index.ts';
import type { SchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';

export type Family = TableIndex['families'][number];

export interface OrderSources {
  readonly tables: TableIndex;
  readonly opinion: Pick<SchemaOpinion, 'tableOrder'>;
  readonly retrieved?: Pick<Retrieved, 'tables'> | undefined;
}

/** Far down a list a place more or less says little. Source: Cormack, Clarke and Büttcher 2009, with a smaller constant. */
const FLATTENING = 20;
/** Tables looked at; a prompt of a hundred thousand tokens holds as many. */
const MOST_LOOKED_AT = 1_000;
/** Bridges between linked tables stand behind so many likely ones. */
const BEFORE_BRIDGES = 12;
/** Schemas of which also those tables are looked at that no list has. */
const LIKELY_PLACES = 8;
/** Of what the likeliest table of its schema is worth, a table gets this share, divided by its own place in the schema. */
const SHARE_OF_PLACE = 0.75;

/**
 * Families of what metrics need, then those that linking, the ranker and retrieval have high in their lists. A question is seldom about
 * tables of several schemas: a likely table raises those beside it, also where no word of the question is in their names.
 */
export function orderFamilies(items: readonly LinkedItem[], sources: OrderSources): readonly Family[] {
  const { tables, opinion, retrieved } = sources;
  const familiesOf = (ids: readonly string[]): readonly Family[] => [
    ...new Set(ids.flatMap((id) => tables.familyOf(id) ?? [])),
  ];
  const linked = items.filter(({ kind }) => kind === 'table');
  const ids = (keep: (item: LinkedItem) => boolean): string[] => linked.filter(keep).map(({ id }) => id);
  const isDefined = ({ because }: LinkedItem): boolean => because.some(({ kind }) => kind === 'metric');
  const worth = fuseRanks([
    familiesOf(
      linked
        .filter(({ isAuto }) => !isAuto)
        .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
        .map(({ id }) => id),
    ),
    familiesOf(opinion.tableOrder.slice(0, MOST_LOOKED_AT)),
    familiesOf((retrieved?.tables ?? []).map(({ item }) => item.tableId)),
  ]);
  const order = byCompany(worth, tables.families);
  return [
    ...new Set([
      ...familiesOf(ids(isDefined)),
      ...order.slice(0, BEFORE_BRIDGES),
      ...familiesOf(ids(({ isAuto }) => isAuto)),
      ...order.slice(BEFORE_BRIDGES),
    ]),
  ];
}

/** What each item is worth by several lists: the more the higher it stands in each (reciprocal rank fusion). */
function fuseRanks<Item>(lists: readonly (readonly Item[])[]): Map<Item, number> {
  const worth = new Map<Item, number>();
  for (const list of lists)
    for (const [place, item] of list.entries())
      worth.set(item, (worth.get(item) ?? 0) + 1 / (FLATTENING + place));
  return worth;
}

/** Best first, when each has got its share of what the best of its schema is worth. */
function byCompany(worth: ReadonlyMap<Family, number>, families: readonly Family[]): readonly Family[] {
  const worthOf = (family: Family): number => worth.get(family) ?? 0;
  const byWorth = (left: Family, right: Family): number => worthOf(right) - worthOf(left);
  const ranked = [...worth.keys()].sort(byWorth);
  const best = new Map<string, number>();
  for (const family of ranked) {
    const place = placeOf(family);
    if (!best.has(place)) best.set(place, worthOf(family));
  }
  const likely = new Set([...best.keys()].slice(0, LIKELY_PLACES));
  const others = families.filter((family) => !worth.has(family) && likely.has(placeOf(family)));
  const before = new Map<string, number>();
  const shares = [...ranked, ...others].map((family) => {
    const place = placeOf(family);
    const nth = (before.get(place) ?? 0) + 1;
    before.set(place, nth);
    return { family, worth: worthOf(family) + (SHARE_OF_PLACE * (best.get(place) ?? 0)) / nth };
  });
  return shares.sort((left, right) => right.worth - left.worth).map(({ family }) => family);
}

/** The schema that the first table of a family lies in. */
function placeOf({ members: [first] }: Family): string {
  const { catalog = '', schema = '' } = first?.table ?? {};
  return `${catalog} ${schema}`;
}
