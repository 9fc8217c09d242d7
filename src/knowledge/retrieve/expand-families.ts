import type { Found, FoundTable } from './retrieved.ts';

export interface ExpandOptions {
  /** Tables in all. */
  readonly limit: number;
  /** Tables that one family may take before every entry has had its turn. */
  readonly perFamily: number;
}

/**
 * The very tables, where a list of families does not serve: each entry gives the members that the question names, or
 * its first; what room is left goes to further members of the best.
 */
export function expandFamilies(
  found: readonly Found<FoundTable>[],
  { limit, perFamily }: ExpandOptions,
): readonly string[] {
  const tables = new Set<string>();
  const take = (ids: readonly string[]): void => {
    for (const id of ids) if (tables.size < limit) tables.add(id);
  };
  for (const { item } of found)
    take(membersOf(item).slice(0, Math.min(perFamily, Math.max(1, item.family?.namedCount ?? 1))));
  for (const { item } of found) take(membersOf(item));
  return [...tables];
}

function membersOf({ tableId, family }: FoundTable): readonly string[] {
  return family?.members ?? [tableId];
}
