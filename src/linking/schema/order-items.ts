/** Linked items in one order, each once. */
import type { TableIndex } from '../../knowledge/index.ts';
import type { LinkedItem } from './linked-schema.ts';

/** `field sales.region`: the column `region` of `sales` has the id of the table `region` of a schema `sales`. */
export function itemKey({ kind, id }: Pick<LinkedItem, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** In the order of the catalog, each table before its fields; of two for the same item the later one. */
export function orderItems(items: Iterable<LinkedItem>, { catalog }: TableIndex): readonly LinkedItem[] {
  const all = new Map([...items].map((item) => [itemKey(item), item]));
  const at = (kind: LinkedItem['kind'], id: string) => all.get(itemKey({ kind, id })) ?? [];
  return catalog.tables.flatMap(({ id, columns }) =>
    [at('table', id), ...columns.map((column) => at('field', column.id))].flat(),
  );
}
