/** Tables and keys that join what was linked, added as items of their own. */
import type { TableIndex } from '../../knowledge/index.ts';
import type { JoinKeys } from '../join-paths/join-key.ts';
import { joinPaths } from '../join-paths/join-paths.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';
import { orderItems } from '../schema/order-items.ts';

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
