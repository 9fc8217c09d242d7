/** What is said of tables that are not shown because one like them is. */
import type { Table } from '../../catalog/index.ts';
import type { TableIndex } from '../../knowledge/index.ts';
import { nameRange } from '../name-range.ts';

type Family = TableIndex['families'][number];

/**
 * `one of 366 tables with these columns, GA_SESSIONS_20160801 to GA_SESSIONS_20170801`, and earlier or later generations of the
 * name, whose columns differ a little; undefined for a table without like.
 */
export function familyNote(family: Family, tables: TableIndex): string | undefined {
  const generations = tables.siblings(family).filter((other) => other !== family);
  const own = nameRange(family);
  const notes = [
    ...(own.total > 1 ? [`one of ${own.total} tables with these columns, ${own.first} to ${own.last}`] : []),
    ...(generations.length > 0
      ? [`with nearly these columns: ${generations.map(rangeText).join(', ')}`]
      : []),
  ];
  return notes.length === 0 ? undefined : notes.join('; ');
}

function rangeText(family: Family): string {
  const { total, first, last } = nameRange(family);
  return total === 1 ? first : `${first} to ${last} (${total})`;
}

/** The table with the note before its own description, which may be cut. */
export function withNote(table: Table, note: string | undefined): Table {
  if (note === undefined) return table;
  return { ...table, comment: table.comment === undefined ? note : `${note}. ${table.comment}` };
}
