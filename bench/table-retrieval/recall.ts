/** How many of the tables a question needs are in a list, in three readings. */

import type { Found, FoundTable } from '../../src/knowledge/retrieve/settings/retrieved.ts';
import { expandFamilies } from '../../src/knowledge/retrieve/tables/table-families.ts';
import type { TableIndex } from '../../src/knowledge/retrieve/tables/table-index.ts';
import type { WarehouseQuestion } from './read-warehouse.ts';

/** Length of the list, as the published systems have it. */
export const LIST = 20;
/** Tables that one family takes of a list of tables at first. */
const PER_FAMILY = 10;

export interface Recall {
  /** Gold tables whose family is among the first 20 entries: what the product shows. */
  readonly family: number;
  /** Gold tables that are themselves among 20 tables, after families have been expanded. */
  readonly strict: number;
  /** The most that any list of 20 tables can hold of them. */
  readonly ceiling: number;
}

export function recallOf(
  { gold }: WarehouseQuestion,
  found: readonly Found<FoundTable>[],
  tables: TableIndex,
): Recall {
  const families = new Set(found.slice(0, LIST).map(({ item }) => tables.familyOf(item.tableId)));
  const strict = new Set(expandFamilies(found, { limit: LIST, perFamily: PER_FAMILY }));
  const share = (isIn: (id: string) => boolean): number => gold.filter(isIn).length / gold.length;
  return {
    family: share((id) => families.has(tables.familyOf(id))),
    strict: share((id) => strict.has(id)),
    ceiling: Math.min(1, LIST / gold.length),
  };
}

/** Of a plain list of table ids: the peers know no families. */
export function plainRecall(question: WarehouseQuestion, ids: readonly string[], tables: TableIndex): Recall {
  const plain = ids.slice(0, LIST).map((tableId) => ({
    item: { tableId, isCertified: false, isDeprecated: false, popularity: 0 },
    score: 1,
    because: [],
  }));
  return recallOf(question, plain, tables);
}

export function meanRecall(recalls: readonly Recall[]): Recall {
  const mean = (key: keyof Recall): number =>
    recalls.reduce((total, recall) => total + recall[key], 0) / Math.max(1, recalls.length);
  return { family: mean('family'), strict: mean('strict'), ceiling: mean('ceiling') };
}
