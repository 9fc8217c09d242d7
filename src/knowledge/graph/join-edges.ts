/** How tables go together, from everybody who says so: each pair of columns once, with all that say it. */
import type { ForeignKey } from '../../catalog/index.ts';
import type { Usage } from '../usage/usage.ts';
import type { Fact, JoinEdge } from './knowledge-graph.ts';

type Said = JoinEdge['said'][number];

/** The engine's word before people's, theirs before what logs show, that before what was inferred. */
const SUREST = ['declared', 'semantic', 'used', 'inferred'] as const;

/** Merges keys and used joins into edges, the lesser table id left, surest first. */
export function joinEdges(
  foreignKeys: readonly ForeignKey[],
  usage: Pick<Usage, 'joins' | 'to'> | undefined,
): JoinEdge[] {
  const edges = new Map<string, { edge: Omit<JoinEdge, 'said'>; said: Said[] }>();
  const add = (edge: Omit<JoinEdge, 'said'>, said: Said): void => {
    const key = JSON.stringify([edge.leftTable, edge.rightTable, edge.on]);
    const known = edges.get(key);
    if (known === undefined) edges.set(key, { edge, said: [said] });
    else if (!known.said.some(({ value }) => value === said.value)) known.said.push(said);
  };
  for (const key of foreignKeys) add(edgeOfKey(key), factOfKey(key));
  for (const join of usage?.joins ?? [])
    add(turn(join.leftTable, join.rightTable, join.on), {
      value: join,
      from: { source: 'usage', ...(usage === undefined ? {} : { at: usage.to }), place: 'query logs' },
    });
  return [...edges]
    .map(([key, { edge, said }]) => ({
      key,
      edge: { ...edge, said: said.toSorted((a, b) => rankOf(a) - rankOf(b)) },
      rank: Math.min(...said.map(rankOf)),
      runs: said.reduce((sum, { value }) => sum + (typeof value === 'string' ? 0 : value.runs), 0),
    }))
    .sort((a, b) => a.rank - b.rank || b.runs - a.runs || (a.key < b.key ? -1 : 1))
    .map(({ edge }) => edge);
}

function edgeOfKey({ fromTable, fromColumns, toTable, toColumns }: ForeignKey): Omit<JoinEdge, 'said'> {
  return turn(
    fromTable,
    toTable,
    fromColumns.map((column, at) => [column, toColumns[at] ?? column] as const),
  );
}

function turn(
  left: string,
  right: string,
  on: readonly (readonly [left: string, right: string])[],
): Omit<JoinEdge, 'said'> {
  const isTurned = left > right;
  const pairs = on.map(([a, b]) => (isTurned ? ([b, a] as const) : ([a, b] as const)));
  return {
    leftTable: isTurned ? right : left,
    rightTable: isTurned ? left : right,
    on: pairs.sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)),
  };
}

function factOfKey({ source }: ForeignKey): Fact<'declared' | 'semantic' | 'inferred'> {
  switch (source) {
    case 'declared':
      return { value: source, from: { source: 'engine' } };
    case 'semantic':
      return { value: source, from: { source: 'person', place: 'semantics' } };
    case 'inferred':
      return { value: source, from: { source: 'model', by: 'candor', place: 'names and values' } };
  }
}

function rankOf({ value }: Said): number {
  return SUREST.indexOf(typeof value === 'string' ? value : 'used');
}
