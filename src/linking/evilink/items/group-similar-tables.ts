/** Tables of one family that paths chose alike are shown and decided as one (evilink.md §3): 366 daily tables, one row. */
import type { SharedTables } from '../../../knowledge/retrieve/index.ts';
import type { LinkItems } from './link-items.ts';

/** The items that one shown item stands for, itself first. */
export type AlikeGroups = ReadonlyMap<string, readonly string[]>;

/**
 * Groups tables of one family, and columns of one name in them, where `keyOf` is equal; anything else stands alone.
 * In the given order.
 */
export function groupAlike(
  ids: Iterable<string>,
  keyOf: (id: string) => string,
  { tables, items }: { readonly tables: SharedTables; readonly items: LinkItems },
): AlikeGroups {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const tableId = items.tableOf(id) ?? id;
    const family = tables.familyOf(tableId);
    const isAlone = family === undefined || family.members.length < 2;
    const key = isAlone ? id : [family.index, id.slice(tableId.length), keyOf(id)].join('\n');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [id]);
    else known.push(id);
  }
  return new Map(
    [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [[group[0], group]])),
  );
}
