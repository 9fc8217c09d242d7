/** The knowledge graph as one reader may see it, for walking from thing to thing. */

import type { ProductArea } from '../../knowledge/index.ts';
import type { KnowledgeBase } from '../../knowledge-base.ts';
import type { Session } from '../../session.ts';
import type { GraphPicture } from '../contract/graph-contract.ts';
import { readAreasNow, tablesOfArea } from './area-tables.ts';
import { mayRead } from './notes-about.ts';
import { readableExamples } from './readable-examples.ts';
import { semanticsOfTable } from './semantics-of-table.ts';

export type GraphNode = Omit<GraphPicture['nodes'][number], 'steps'>;
export type GraphEdge = GraphPicture['edges'][number];

export interface Link {
  readonly node: GraphNode;
  readonly edge: GraphEdge;
}

/** What stands for a thing, and what it leads to: joins first, what is only read together last. */
export interface GraphLinks {
  node(id: string): GraphNode | undefined;
  linksOf(id: string): readonly Link[];
}

const MOST_LABEL = 80;

const KEPT = new WeakMap<KnowledgeBase, { readonly areas: string; readonly links: GraphLinks }>();

/** Made once for each reader and state of the areas. Throws `knowledge.invalid`. */
export async function graphLinks(session: Session, base: KnowledgeBase): Promise<GraphLinks> {
  const areas = await readAreasNow(session);
  const key = JSON.stringify(areas);
  const known = KEPT.get(base);
  if (known?.areas === key) return known.links;
  const links = makeLinks(areas, session, base);
  KEPT.set(base, { areas: key, links });
  return links;
}

function makeLinks(areas: readonly ProductArea[], session: Session, base: KnowledgeBase): GraphLinks {
  const nodes = new Map<string, GraphNode>();
  const links = new Map<string, Link[]>();
  const add = (kind: GraphNode['kind'], name: string, label = name): string => {
    const id = `${kind}:${name}`;
    if (!nodes.has(id)) nodes.set(id, { id, kind, label: short(label) });
    return id;
  };
  const link = (from: string, to: string, kind: GraphEdge['kind'], label?: string): void => {
    const edge = { from, to, kind, ...(label !== undefined && { label: short(label) }) };
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const node = nodes.get(other);
      const own = links.get(one) ?? [];
      links.set(one, own);
      if (node !== undefined && one !== other) own.push({ node, edge });
    }
  };
  const { graph, clustering } = base;
  const visible = new Set(graph.tableIds);
  for (const id of graph.tableIds) add('table', id, graph.table(id)?.name ?? id);
  linkTables(base, link);
  for (const id of graph.tableIds) {
    const { metrics, dimensions } = semanticsOfTable(session, id);
    for (const { name } of metrics) link(add('metric', name), `table:${id}`, 'defines');
    for (const { name, column } of dimensions) link(add('dimension', name), `table:${id}`, 'defines', column);
  }
  for (const area of areas)
    for (const { table } of tablesOfArea(area, session, base))
      link(add('area', area.id, area.name), `table:${table}`, 'includes');
  for (const { value: note } of graph.notes)
    if (mayRead(note, session))
      for (const id of note.tables)
        if (visible.has(id)) link(add('note', note.id, note.text), `table:${id}`, 'about');
  for (const { pair, tables } of readableExamples(session))
    for (const id of tables) link(add('example', pair.file, pair.question), `table:${id}`, 'reads');
  for (const id of clustering?.clusterIds() ?? [])
    for (const { tableId, score } of clustering?.tablesOf(id) ?? [])
      if (visible.has(tableId))
        link(add('cluster', String(id), `cluster ${id}`), `table:${tableId}`, 'includes', score.toFixed(2));
  return { node: (id) => nodes.get(id), linksOf: (id) => links.get(id) ?? [] };
}

function linkTables(
  { graph }: KnowledgeBase,
  link: (from: string, to: string, kind: GraphEdge['kind'], label?: string) => void,
): void {
  const joined = new Set<string>();
  const keyOf = (left: string, right: string): string => JSON.stringify([left, right]);
  // Each link stands with both of its tables; it is taken with the left one.
  for (const id of graph.tableIds)
    for (const { leftTable, rightTable, on } of graph.joins(id)) {
      if (leftTable !== id) continue;
      joined.add(keyOf(leftTable, rightTable));
      const label = on.map(([left, right]) => `${left} = ${right}`).join(', ');
      link(`table:${leftTable}`, `table:${rightTable}`, 'join', label);
    }
  for (const id of graph.tableIds)
    for (const { leftTable, rightTable, runs } of graph.coQueried(id))
      if (leftTable === id && !joined.has(keyOf(leftTable, rightTable)))
        link(`table:${leftTable}`, `table:${rightTable}`, 'read-with', `${runs} runs`);
}

function short(text: string): string {
  return text.length <= MOST_LABEL ? text : `${text.slice(0, MOST_LABEL - 1)}…`;
}
