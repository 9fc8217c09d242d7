import type { ValueMatch } from '../mention/mention.ts';
import type { SchemaGraph } from '../plan/schema-graph.ts';
import type { BoundFilter } from './bound.ts';

/** The other halves of full names, one for each value; none where a value is no half of a name. */
export function besideOf(values: readonly ValueMatch[], graph: SchemaGraph): BoundFilter['beside'] {
  const halves = values.map(({ beside }) => beside);
  const [first] = halves;
  if (first === undefined) return undefined;
  return {
    column: graph.column(first.columnId),
    operands: halves.flatMap((half) => (half === undefined ? [] : [{ kind: 'literal', value: half.value }])),
  };
}
