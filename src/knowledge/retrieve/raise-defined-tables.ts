import type { Asking } from './asking.ts';
import type { Found, FoundTable } from './retrieved.ts';

/** A metric or a dimension. */
interface Defined {
  readonly name: string;
  /** Of its dataset. */
  readonly table?: string;
}

/**
 * Puts the tables of metrics and dimensions that the question names in full first: people have said that they are
 * measured there. A table outside the scope stays out. Metrics before dimensions, each in the order given.
 */
export function raiseDefinedTables(
  found: readonly Found<FoundTable>[],
  words: readonly Found<Defined>[],
  { request, sources }: Asking,
): readonly Found<FoundTable>[] {
  const raised = new Map<string, Found<FoundTable>>();
  for (const { item, score } of words) {
    if (score < 1 || item.table === undefined) continue;
    const tableId = sources.tableOfDataset(item.table);
    if (tableId === undefined || !(request.scope?.has(tableId) ?? true)) continue;
    const reason = `${item.name} is defined on it`;
    const before = raised.get(tableId) ?? found.find((each) => each.item.tableId === tableId);
    raised.set(tableId, {
      item: before?.item ?? { tableId, ...sources.standing(tableId) },
      score: 1,
      because: [reason, ...(before?.because ?? [])],
    });
  }
  return [...raised.values(), ...found.filter(({ item }) => !raised.has(item.tableId))];
}
