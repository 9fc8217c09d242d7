import type { Inventory } from '../inventory/inventory.ts';
import { scopeOf } from '../inventory/read-inventory.ts';
import type { ContextEdit } from '../items/bench-item.ts';
import { editContext } from './edit-context.ts';

/** What questions about one metric can be made of once the context is edited; the other metrics are left out. */
export function editInventory(
  inventory: Inventory,
  edits: readonly ContextEdit[],
  metricName: string,
): Inventory {
  const { semantics, catalog, hidden, moved } = editContext(inventory, edits);
  const entities = new Map(
    [...inventory.entities].flatMap(([name, all]) => {
      const kept = all.flatMap((entity) => {
        const column = moved.get(entity.column);
        if (column !== undefined) return [{ ...entity, column }];
        return hidden.has(entity.column) ? [] : [entity];
      });
      return kept.length === 0 ? [] : [[name, kept] as const];
    }),
  );
  return {
    ...inventory,
    ...{ semantics, catalog, entities },
    metrics: semantics.metrics.flatMap((metric) =>
      metric.name === metricName ? (scopeOf(metric, { semantics, catalog }) ?? []) : [],
    ),
  };
}
