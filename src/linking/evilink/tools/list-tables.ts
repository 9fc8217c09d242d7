import type { SharedTable } from '../../../catalog/index.ts';
import { groupAlike } from '../items/group-similar-tables.ts';
import { bucketOf, type LinkState } from '../state/link-state.ts';
import { type ToolArguments, wordOfBucket } from './tool-arguments.ts';
import type { ToolContext } from './tool-context.ts';

/** One line a table: bucket, columns, and the family it stands for; tables of a family in one bucket are one line. */
export function listTables(
  { pattern, bucket, limit, offset }: ToolArguments<'list_tables'>,
  state: LinkState,
  { sources: { tables }, items }: ToolContext,
): string {
  const matches = matcher(pattern);
  const bucketOfId = (id: string): string => bucketOf(state, id) ?? '';
  const ids = tables.catalog.tables
    .filter((table) => matches(table) && (bucket === undefined || bucketOfId(table.id) === bucket))
    .map(({ id }) => id);
  const groups = [...groupAlike(ids, bucketOfId, { tables, items })];
  const shown = groups.slice(offset, offset + limit);
  if (shown.length === 0) return groups.length === 0 ? 'no table matches' : 'no more tables';
  const lines = shown.map(([id, { length }]) => {
    const columns = items.table(id)?.columns.length ?? 0;
    const family =
      length > 1
        ? ` · ${length} tables of the family ${tables.familyOf(id)?.pattern ?? ''}, columns alike`
        : '';
    return `${id} · ${wordOfBucket(bucketOfId(id))} · ${columns} columns${family}`;
  });
  return [`${shown.length} of ${groups.length}, from ${offset}`, ...lines].join('\n');
}

/** Part of an id, whatever its case; `*` and `%` stand for anything between. */
function matcher(pattern: string | undefined): (table: SharedTable) => boolean {
  const parts = (pattern ?? '').toLowerCase().split(/[*%]+/);
  return ({ id }) => {
    let from = 0;
    for (const part of parts) {
      const at = id.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return true;
  };
}
