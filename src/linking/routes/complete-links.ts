/** Tables and keys that join what was linked, added as items of their own. */
import type { TableIndex } from '../../knowledge/retrieve/index.ts';
import type { Signal } from '../filter/signal.ts';
import type { JoinKeys } from '../join-paths/join-key.ts';
import { joinPaths } from '../join-paths/join-paths.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';
import { itemKey, orderItems } from '../schema/linked-schema.ts';

export interface Joined {
  readonly items: readonly LinkedItem[];
  readonly warnings: readonly string[];
}

const MOST_LISTED = 6;

/** Partition keys come too: a filter on them saves reading. In the order of the catalog. */
export function withJoins(items: readonly LinkedItem[], tables: TableIndex, keys: JoinKeys): Joined {
  const linked = items.filter(({ kind }) => kind === 'table').map(({ id }) => id);
  const paths = joinPaths(keys, linked);
  const added = [...paths.items, ...partitionKeys(linked, tables)].toReversed();
  const apart = paths.groups.length > 1;
  return {
    // The first to say something of an item is the one that counts.
    items: orderItems([...added, ...items], tables),
    warnings: apart ? [`no join path connects these tables: ${paths.groups.map(listed).join(' | ')}`] : [],
  };
}

function partitionKeys(tableIds: readonly string[], tables: TableIndex): readonly LinkedItem[] {
  return tableIds.flatMap((tableId) =>
    (tables.table(tableId)?.partitionKey ?? []).map(
      (id): LinkedItem => ({
        id,
        kind: 'field',
        because: [{ kind: 'partition', text: 'the table is partitioned by it' }],
        tier: 'maybe',
        isAuto: true,
      }),
    ),
  );
}

function listed(ids: readonly string[]): string {
  const rest = ids.length - MOST_LISTED;
  return `${ids.slice(0, MOST_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

// What metrics and dimensions that the question names are made of is in view, whatever else speaks for it.

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
