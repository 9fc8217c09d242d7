import { seededRandom } from '../../lib/index.ts';
import type { Table } from '../schema/catalog.ts';

/** The tables, and the columns of each, in an order that the seed decides. */
export function shuffleTables(tables: readonly Table[], seed: number): readonly Table[] {
  const random = seededRandom(seed);
  return shuffled(tables, random).map((table) => ({ ...table, columns: shuffled(table.columns, random) }));
}

/** Every order is equally likely: each item gets a random key, equal keys keep their order. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
