/**
 * The id of the table that a column id belongs to: the longest of `tables` that it begins with, since names of columns may hold
 * dots themselves. Undefined: none of them.
 */
export function tableOfColumn(
  columnId: string,
  tables: { readonly has: (id: string) => boolean },
): string | undefined {
  for (let dot = columnId.lastIndexOf('.'); dot > 0; dot = columnId.lastIndexOf('.', dot - 1))
    if (tables.has(columnId.slice(0, dot))) return columnId.slice(0, dot);
  return undefined;
}
