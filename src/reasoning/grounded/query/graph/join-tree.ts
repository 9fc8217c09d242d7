import { BoundedMap } from '../../../../lib/index.ts';
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
  options?: JoinOptions,
): JoinTree | null {
  if (options !== undefined) return growTree(root, wanted, graph, options);
  const key = [root, ...[...wanted].sort()].join('\n');
  return treesOf(graph).getOrMake(key, () => growTree(root, wanted, graph, {}));
}

/** The readings of a question ask for the same trees again and again. */
const MAX_TREES = 1_000;
const trees = new WeakMap<SchemaGraph, BoundedMap<string, JoinTree | null>>();

function treesOf(graph: SchemaGraph): BoundedMap<string, JoinTree | null> {
  const known = trees.get(graph) ?? new BoundedMap<string, JoinTree | null>(MAX_TREES);
  trees.set(graph, known);
  return known;
}

function growTree(
  root: string,
  wanted: Iterable<string>,
  graph: SchemaGraph,
  options: JoinOptions,
): JoinTree | null {
  const isFree = options.allow === undefined;
  const prefer = options.prefer ?? (() => 0);
  const allow = options.allow ?? (() => true);
  const missing = new Set(wanted);
  missing.delete(root);
  const inTree = new Set([root]);
  const edges: Edge[] = [];
  const ambiguous: Edge[] = [];
  const asked = new Set([root, ...missing]);
  while (missing.size > 0) {
    const path = nearestPath(inTree, missing, { graph, asked, prefer, allow, isFree });
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
  /** Every key may be used, so the distances of the graph hold. */
  readonly isFree: boolean;
}

function nearestPath(
  inTree: ReadonlySet<string>,
  missing: ReadonlySet<string>,
  search: Search,
): Edge[] | null {
  const { graph, asked, prefer, allow, isFree } = search;
  const leads = isFree ? leadsToNearest(inTree, missing, graph) : () => true;
  if (leads === null) return null;
  const seen = new Set(inTree);
  let frontier: Step[] = [...inTree].map((table) => ({ table, hubs: 0 }));
  let depth = 0;
  while (frontier.length > 0) {
    const next = new Map<string, Step>();
    depth++;
    for (const step of frontier) {
      const ordered = graph
        .edges(step.table)
        .filter(allow)
        .sort((a, b) => Number(asked.has(b.to)) - Number(asked.has(a.to)) || prefer(b) - prefer(a));
      for (const edge of ordered) {
        if (seen.has(edge.to) || !leads(edge.to, depth)) continue;
        const hubs = step.hubs + (step.edge?.multiplies === false && edge.multiplies ? 1 : 0);
        const key = `${edge.to} ${edge.multiplies}`;
        if ((next.get(key)?.hubs ?? Number.POSITIVE_INFINITY) <= hubs) continue;
        next.set(key, { table: edge.to, edge, before: step, hubs });
      }
    }
    frontier = [...next.values()];
    for (const { table } of frontier) seen.add(table);
    const reached = frontier.filter(({ table }) => missing.has(table));
    const least = Math.min(...reached.map(({ hubs }) => hubs));
    const best = reached.find(({ hubs }) => hubs === least);
    if (best !== undefined) return pathTo(best);
  }
  return null;
}

/** A table on the way, how it was reached, and how often the way led over a hub. */
interface Step {
  readonly table: string;
  readonly edge?: Edge;
  readonly before?: Step;
  /**
   * Tables that rows on either side only share: of an instructor and a course of one department neither has to do
   * with the other, unlike with a table that links the two.
   */
  readonly hubs: number;
}

/** Whether a table so many joins away lies on a shortest way to what is missing; null when there is no way at all. */
function leadsToNearest(
  inTree: ReadonlySet<string>,
  missing: ReadonlySet<string>,
  graph: SchemaGraph,
): ((table: string, depth: number) => boolean) | null {
  const wanted = [...missing];
  const nearest = (table: string): number =>
    Math.min(...wanted.map((other) => graph.distance(other, table)).filter((joins) => joins >= 0));
  const shortest = Math.min(...[...inTree].map(nearest));
  return Number.isFinite(shortest) ? (table, depth) => depth + nearest(table) === shortest : null;
}

function pathTo(step: Step): Edge[] {
  const path: Edge[] = [];
  for (let at: Step | undefined = step; at?.edge !== undefined; at = at.before) path.unshift(at.edge);
  return path;
}
