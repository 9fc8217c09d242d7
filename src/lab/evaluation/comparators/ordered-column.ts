/**
 * Which column of its result a query is ordered by: where the first key of its last ORDER BY is shown by that name.
 * Undefined where it is not shown.
 */
export function orderedColumn(sql: string, columns: readonly string[]): number | undefined {
  const at = sql.toLowerCase().lastIndexOf('order by ');
  const [key = ''] = at === -1 ? [] : sql.slice(at + 'order by '.length).split(/[\s,;)]/, 1);
  const name = key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  const index = columns.findIndex((column) => column.toLowerCase() === name);
  return name === '' || index === -1 ? undefined : index;
}
