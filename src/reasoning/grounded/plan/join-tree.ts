import type { Edge, SchemaGraph } from './schema-graph.ts';

/** The joins that connect a set of tables, from a root outwards. */
export interface JoinTree {
  readonly root: string;
  readonly edges: readonly Edge[];
  /** Tables of the tree that nobody asked for. */
  readonly extra: readonly string[];
  /** Pairs of tables with several keys between them where none was preferred. */
  readonly ambiguous: readonly Edge[];
}

export interface JoinOptions {
  /** Weighs parallel keys, higher first. */
  readonly prefer?: (edge: Edge) => number;
  /** Keys that may be used at all; a measure must not be joined to the many side. */
  readonly allow?: (edge: Edge) => boolean;
}

/**
 * The smallest join tree we can find that holds all tables: grown from the root, always by the nearest missing
 * table. Null when two of them are not connected.
 */
export function joinTree(
  root: string,
  wanted: Iterable<string>,
  graph: SchemaGraph,
  options: JoinOptions = {},
): JoinTree | null {
  const prefer = options.prefer ?? (() => 0);
  const allow = options.allow ?? (() => true);
  const missing = new Set(wanted);
  missing.delete(root);
  const inTree = new Set([root]);
  const edges: Edge[] = [];
  const ambiguous: Edge[] = [];
  const asked = new Set([root, ...missing]);
  while (missing.size > 0) {
    const path = nearestPath(inTree, missing, { graph, asked, prefer, allow });
    if (path === null) return null;
    for (const edge of path) {
      if (
        graph
          .edges(edge.from)
          .some(
            (other) =>
              other !== edge && other.to === edge.to && allow(other) && prefer(other) === prefer(edge),
          )
      )
        ambiguous.push(edge);
      edges.push(edge);
      inTree.add(edge.to);
      missing.delete(edge.to);
    }
  }
  return { root, edges, extra: [...inTree].filter((table) => !asked.has(table)), ambiguous };
}

interface Search extends Required<JoinOptions> {
  readonly graph: SchemaGraph;
  readonly asked: ReadonlySet<string>;
}

function nearestPath(
  inTree: ReadonlySet<string>,
  missing: ReadonlySet<string>,
  { graph, asked, prefer, allow }: Search,
): Edge[] | null {
  const cameBy = new Map<string, Edge | null>([...inTree].map((table) => [table, null]));
  let frontier = [...inTree];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const table of frontier) {
      const ordered = graph
        .edges(table)
        .filter(allow)
        .sort((a, b) => Number(asked.has(b.to)) - Number(asked.has(a.to)) || prefer(b) - prefer(a));
      for (const edge of ordered) {
        if (cameBy.has(edge.to)) continue;
        cameBy.set(edge.to, edge);
        next.push(edge.to);
      }
    }
    const reached = next.find((table) => missing.has(table));
    if (reached !== undefined) return pathTo(reached, cameBy);
    frontier = next;
  }
  return null;
}

function pathTo(table: string, cameBy: ReadonlyMap<string, Edge | null>): Edge[] {
  const path: Edge[] = [];
  for (let edge = cameBy.get(table); edge !== null && edge !== undefined; edge = cameBy.get(edge.from))
    path.unshift(edge);
  return path;
}
