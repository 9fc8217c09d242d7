import type { Asking } from './asking.ts';
import type { Found, FoundExample, FoundTable } from './retrieved.ts';

/**
 * The tables found, and those in scope that a good example reads: what answered a question like this one is likely
 * needed again. They stand at the end, with the score of the example at most that of the last table.
 */
export function addExampleTables(
  found: readonly Found<FoundTable>[],
  examples: readonly Found<FoundExample>[],
  { request, sources }: Asking,
): readonly Found<FoundTable>[] {
  const { tables, standing, examples: shelf } = sources;
  const families = new Set(found.map(({ item }) => tables.familyOf(item.tableId)));
  const lowest = found.at(-1)?.score ?? 1;
  const added: Found<FoundTable>[] = [];
  for (const { item, score } of examples) {
    if (item.isWeak) continue;
    const read = shelf.examples.find(({ pair }) => pair.file === item.pair.file)?.tables ?? [];
    for (const tableId of read) {
      const family = tables.familyOf(tableId);
      if (families.has(family) || !(request.scope?.has(tableId) ?? true)) continue;
      families.add(family);
      const because = [`a verified pair like the question reads it: ${item.pair.file}`];
      added.push({ item: { tableId, ...standing(tableId) }, score: Math.min(score, lowest), because });
    }
  }
  return [...found, ...added];
}
