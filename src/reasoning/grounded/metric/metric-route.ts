import type { Dimension, Metric } from '../../../knowledge/index.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import { type JoinTree, joinTree } from '../plan/join-tree.ts';
import type { Edge } from '../plan/schema-graph.ts';

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

/** The join tree from a metric's table to all targets, along the links the semantic model prefers. */
export function metricTree(
  metric: Metric,
  targets: readonly RouteTarget[],
  roles: readonly string[],
  knowledge: GroundedKnowledge,
): JoinTree | null {
  const root = metric.table;
  if (root === undefined) return null;
  const preferred = targets.flatMap((target) => viaOf(metric, target.dimension) ?? []);
  const onTheWay = new Set(targets.flatMap((target) => Object.values(target.dimension?.via ?? {})));
  const waypoints = preferred.flatMap(
    (name) => knowledge.semantics.relationships.find((item) => item.name === name)?.from ?? [],
  );
  const tables = [
    ...waypoints.map((name) => tableOf(name, knowledge)).filter((table) => table !== root),
    ...targets.map((target) => target.tableId),
  ];
  const reachable = tables.filter((table) => table !== root);
  const options = {
    allow: (edge: Edge) => !edge.multiplies,
    prefer: (edge: Edge) => {
      const name = relationshipOf(edge, knowledge);
      if (name !== undefined && roles.includes(name)) return 4;
      if (metric.timeColumn !== undefined && edge.fromColumns[0] === metric.timeColumn) return 3;
      if (name === undefined) return 0;
      // Behind the first link the way goes on as it does for the facts on it.
      return preferred.includes(name) ? 2 : edge.from !== root && onTheWay.has(name) ? 1 : 0;
    },
  };
  return (
    joinTree(root, reachable, knowledge.graph, options) ??
    joinTree(
      root,
      targets.map((target) => target.tableId).filter((table) => table !== root),
      knowledge.graph,
      options,
    )
  );
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
