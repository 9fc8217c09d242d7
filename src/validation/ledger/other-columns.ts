import type { SchemaFacts } from '../../faults/index.ts';

/** Names in one word of columns that the tables of these places have and that are not among them. */
export function otherColumnsIn(
  places: ReadonlyMap<string, unknown>,
  { tables }: SchemaFacts,
): ReadonlySet<string> {
  const columns = [...places.keys()].flatMap((id) => tables.get(id)?.columns ?? []);
  return new Set(columns.filter(({ id }) => !places.has(id)).map(({ name }) => name.toLowerCase()));
}
