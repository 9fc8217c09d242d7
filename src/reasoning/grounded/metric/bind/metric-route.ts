import type { Dimension, Metric } from '../../../../knowledge/semantic/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { type JoinTree, joinTree } from '../../query/graph/join-tree.ts';
import type { Edge } from '../../query/graph/schema-graph.ts';

/** The way from the rows of a metric to a table, always to the one side so that no row counts twice. */
export interface MetricRoute {
  readonly hops: number;
  /** Several keys lead there and nothing tells which: the choices a person has. */
  readonly choices: readonly { readonly label: string; readonly relationship: string }[];
}

/** The way from a metric's table to another; null when no key leads there. */
export function routeTo(
  metric: Metric,
  tableId: string,
  dimension: Dimension | undefined,
  roles: readonly string[],
  knowledge: GroundedKnowledge,
): MetricRoute | null {
  if (metric.table === undefined) return null;
  const tree = metricTree(metric, [{ tableId, dimension }], roles, knowledge);
  if (tree === null) return null;
  const open = tree.ambiguous.find((edge) => !isSettled(edge, metric, dimension, roles, knowledge));
  return { hops: tree.edges.length, choices: open === undefined ? [] : parallelKeys(open, knowledge) };
}

export interface RouteTarget {
  readonly tableId: string;
  readonly dimension?: Dimension;
}

/**
 * The joins from a metric's table to all targets, each along its own way whatever the others need: a city of the dealer
 * stays the dealer's when the customer is asked for too. Null when one cannot be reached, or two need one table by different keys.
 */
export function metricTree(
  metric: Metric,
  targets: readonly RouteTarget[],
  roles: readonly string[],
  knowledge: GroundedKnowledge,
): JoinTree | null {
  const root = metric.table;
  if (root === undefined) return null;
  const edges = new Map<string, Edge>();
  const ambiguous: Edge[] = [];
  for (const target of targets) {
    const way = wayTo(target, metric, root, { roles, knowledge });
    if (way === null) return null;
    for (const edge of way.edges) {
      const known = edges.get(edge.to);
      if (edge.to === root || (known !== undefined && !isSameKey(known, edge))) return null;
      edges.set(edge.to, known ?? edge);
    }
    ambiguous.push(...way.ambiguous);
  }
  const asked = new Set([root, ...targets.map((target) => target.tableId)]);
  const extra = [...edges.keys()].filter((table) => !asked.has(table));
  return { root, edges: [...edges.values()], extra, ambiguous };
}

type Way = Pick<JoinTree, 'edges' | 'ambiguous'>;

/** Through the link that the dimension names for this table, where there is one; else the shortest way. */
function wayTo(
  target: RouteTarget,
  metric: Metric,
  root: string,
  { roles, knowledge }: { readonly roles: readonly string[]; readonly knowledge: GroundedKnowledge },
): Way | null {
  const { graph } = knowledge;
  const via = viaOf(metric, target.dimension);
  const links = new Set(Object.values(target.dimension?.via ?? {}));
  const prefer = (edge: Edge): number => {
    const name = relationshipOf(edge, knowledge);
    if (name !== undefined && roles.includes(name)) return 4;
    if (metric.timeColumn !== undefined && edge.fromColumns[0] === metric.timeColumn) return 3;
    if (name === undefined) return 0;
    // Behind the first link the way goes on as it does for the facts on it.
    return name === via ? 2 : edge.from !== root && links.has(name) ? 1 : 0;
  };
  const options = { allow: (edge: Edge) => !edge.multiplies, prefer };
  const direct = (): Way | null => joinTree(root, [target.tableId], graph, options);
  const named = via === undefined ? undefined : edgeOf(via, knowledge);
  if (named === undefined) return direct();
  const [link = named] = [...graph.edges(named.from)]
    .filter((edge) => edge.to === named.to && !edge.multiplies)
    .sort((a, b) => prefer(b) - prefer(a));
  const before = joinTree(root, [link.from], graph, options);
  const after = joinTree(link.to, [target.tableId], graph, options);
  if (before === null || after === null) return direct();
  return {
    edges: [...before.edges, link, ...after.edges],
    ambiguous: [...before.ambiguous, ...after.ambiguous],
  };
}

function isSameKey(a: Edge, b: Edge): boolean {
  return a.from === b.from && a.fromColumns.join() === b.fromColumns.join();
}

/** The edge that a semantic relationship stands for, from its many side. */
function edgeOf(name: string, knowledge: GroundedKnowledge): Edge | undefined {
  const relationship = knowledge.semantics.relationships.find((item) => item.name === name);
  if (relationship === undefined) return undefined;
  return knowledge.graph
    .edges(tableOf(relationship.from, knowledge))
    .find((edge) => !edge.multiplies && relationshipOf(edge, knowledge) === name);
}

function viaOf(metric: Metric, dimension: Dimension | undefined): string | undefined {
  return metric.table === undefined ? undefined : dimension?.via?.[metric.table];
}

function isSettled(
  edge: Edge,
  metric: Metric,
  dimension: Dimension | undefined,
  roles: readonly string[],
  knowledge: GroundedKnowledge,
): boolean {
  const name = relationshipOf(edge, knowledge);
  return name !== undefined && (roles.includes(name) || viaOf(metric, dimension) === name);
}

function parallelKeys(edge: Edge, knowledge: GroundedKnowledge): MetricRoute['choices'] {
  const parallel = knowledge.graph
    .edges(edge.from)
    .filter((other) => other.to === edge.to && !other.multiplies);
  return parallel.map((other) => ({
    label: other.key.role ?? other.fromColumns.join(', '),
    relationship: relationshipOf(other, knowledge) ?? '',
  }));
}

/** Name of the semantic relationship an edge stands for. */
export function relationshipOf(edge: Edge, knowledge: GroundedKnowledge): string | undefined {
  const { fromTable, fromColumns, toTable } = edge.key;
  return knowledge.semantics.relationships.find(
    (item) =>
      tableOf(item.from, knowledge) === fromTable &&
      tableOf(item.to, knowledge) === toTable &&
      item.fromColumns.map((column) => canonical(column, fromTable)).join() === fromColumns.join(),
  )?.name;
}

function canonical(column: string, table: string): string {
  const lower = column.toLowerCase();
  return lower.includes('.') ? lower : `${table}.${lower}`;
}

/** Relationships name datasets; a dataset has a table. */
function tableOf(name: string, knowledge: GroundedKnowledge): string {
  return knowledge.semantics.datasets.find((dataset) => dataset.name === name)?.table ?? name;
}
