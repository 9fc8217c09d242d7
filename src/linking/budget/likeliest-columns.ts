interface Keyed {
  readonly primaryKey: readonly string[];
  readonly partitionKey?: readonly string[] | undefined;
}

/** Of a wide table what something speaks for, its keys, and the likeliest of the others; they keep their order. */
export function likeliestColumns<Column extends { readonly id: string }>(
  columns: readonly Column[],
  most: number,
  { primaryKey, partitionKey = [] }: Keyed,
  signs: { readonly isFound: (id: string) => boolean; readonly likelihoodOf: (id: string) => number },
): readonly Column[] {
  if (columns.length <= most) return columns;
  const keys = new Set([...primaryKey, ...partitionKey]);
  const worth = ({ id }: Column): number =>
    (signs.isFound(id) ? 2 : 0) + (keys.has(id) ? 1 : 0) + signs.likelihoodOf(id);
  const kept = new Set(columns.toSorted((left, right) => worth(right) - worth(left)).slice(0, most));
  return columns.filter((column) => kept.has(column));
}
