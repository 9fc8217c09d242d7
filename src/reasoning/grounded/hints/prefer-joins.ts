import type { SchemaGraph } from '../plan/schema-graph.ts';
import type { Definition } from './definition.ts';

/** The graph without the rivals of keys that a hint names: "skin colour refers to colour where skin_colour_id = colour.id". */
export function preferJoins(graph: SchemaGraph, definitions: readonly Definition[]): SchemaGraph {
  const joins = definitions.flatMap(({ meaning }) => meaning.joins);
  if (joins.length === 0) return graph;
  const pairs = new Map<string, Set<string>>();
  for (const [one, other] of joins) {
    const key = pairKey(graph.column(one).tableId, graph.column(other).tableId);
    pairs.set(key, (pairs.get(key) ?? new Set()).add(one).add(other));
  }
  return {
    ...graph,
    edges: (id) =>
      graph.edges(id).filter((edge) => {
        const named = pairs.get(pairKey(edge.from, edge.to));
        return (
          named === undefined || [...edge.fromColumns, ...edge.toColumns].every((column) => named.has(column))
        );
      }),
  };
}

function pairKey(one: string, other: string): string {
  return [one, other].sort().join(' ');
}
