/** What metrics and dimensions that the question names are made of is in view, whatever else speaks for it. */
import type { TableIndex } from '../../knowledge/index.ts';
import type { Signal } from '../filter/signal.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';
import { itemKey, orderItems } from '../schema/order-items.ts';

/** In the order of the catalog; a column brings its table. */
export function withDefined(
  items: readonly LinkedItem[],
  defined: ReadonlyMap<string, Signal>,
  tables: TableIndex,
): readonly LinkedItem[] {
  if (defined.size === 0) return items;
  const all = new Map(items.map((item) => [itemKey(item), item]));
  const add = (id: string, kind: LinkedItem['kind'], because: LinkedItem['because']): void => {
    const key = itemKey({ kind, id });
    const known = all.get(key);
    all.set(key, {
      ...(known ?? { id, kind, isAuto: false }),
      tier: 'relevant',
      because: [...because, ...(known?.because ?? [])],
    });
  };
  for (const [id, { because }] of defined) {
    const column = tables.column(id);
    if (tables.table(id) !== undefined) add(id, 'table', because);
    if (column === undefined) continue;
    add(id, 'field', because);
    const isTableIn = all.has(itemKey({ kind: 'table', id: column.tableId })) || defined.has(column.tableId);
    if (!isTableIn) add(column.tableId, 'table', because);
  }
  return orderItems(all.values(), tables);
}
