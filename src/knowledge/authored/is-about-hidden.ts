import { tableOfColumn } from '../../catalog/index.ts';
import type { Note } from './authored.ts';

/** Whether a note names a hidden table or a column of one: then it tells its reader of it. */
export function isAboutHidden(
  { tables, columns }: Pick<Note, 'tables' | 'columns'>,
  hiddenTables: ReadonlySet<string>,
): boolean {
  return (
    tables.some((id) => hiddenTables.has(id)) ||
    columns.some((id) => tableOfColumn(id, hiddenTables) !== undefined)
  );
}
