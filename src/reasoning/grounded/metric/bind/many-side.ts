import type { Metric } from '../../../../knowledge/semantic/index.ts';
import type { Cause, Comparison, Predicate } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { type JoinTree, joinTree } from '../../query/graph/join-tree.ts';
import type { Edge } from '../../query/graph/schema-graph.ts';
import { BARE, cause, columnExpression, fromTable, joinClauses } from '../../query/plan/parts/plan-view.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { FilterTerm } from '../frame/metric-frame.ts';
import { defaultPredicates } from './default-filters.ts';

/** The way to a table of which a row of the metric may have many: the key to its many side, and the joins behind that. */
interface ManySide {
  readonly edge: Edge;
  readonly tree: JoinTree;
}

/** Undefined where no single key leads from the metric's rows to their many rows there. */
export function manySideTo(
  metric: Metric,
  tableId: string,
  { graph }: GroundedKnowledge,
): ManySide | undefined {
  if (metric.table === undefined) return undefined;
  const [edge] = joinTree(metric.table, [tableId], graph)?.edges ?? [];
  if (edge === undefined || edge.from !== metric.table || !edge.multiplies || edge.fromColumns.length !== 1)
    return undefined;
  const tree = joinTree(edge.to, [tableId], graph);
  return tree === null || tree.ambiguous.length > 0 ? undefined : { edge, tree };
}

/** A number stands before the value, other than that there is one at all: "two failed attempts", "more than one failed attempt". */
export function countsRows(mentions: readonly Mention[], at: number): boolean {
  const [before, lead] = [mentions[at - 1], mentions[at - 2]];
  const isNumber = before?.number !== undefined && before.time === undefined;
  if (!isNumber && !/^one$/i.test(before?.text ?? '')) return false;
  const isOne = !isNumber || before.number === 1;
  const isAtLeast = lead?.cue?.kind !== 'compare' || lead.cue.operator === '>=';
  return !(isOne && isAtLeast);
}

/** "shipments with a failed attempt": rows that have such a row, each once; "without": rows that have none. */
export function amongMany(
  filter: { readonly columnId: string; readonly term: FilterTerm },
  inner: Predicate,
  metric: Metric,
  knowledge: GroundedKnowledge,
): Predicate | null {
  const { graph } = knowledge;
  const way = manySideTo(metric, tableOf(filter.columnId), knowledge);
  const [own, key] = [way?.edge.fromColumns[0], way?.edge.toColumns[0]];
  if (way === undefined || own === undefined || key === undefined) return null;
  const tables = new Set([way.edge.to, ...way.tree.edges.map(({ to }) => to)]);
  const defaults = defaultPredicates(tables, knowledge);
  const value = columnExpression(graph.column(key), graph);
  const { isNegated, mention, rows } = filter.term;
  const passing = rows === undefined ? undefined : passingRows(rows, cause(mention, `“${mention.text}”`));
  const isDenied = isNegated || passing?.isDenied === true;
  return {
    kind: 'in-query',
    value: columnExpression(graph.column(own), graph),
    query: {
      ...BARE,
      select: [{ expression: value }],
      from: fromTable(graph.table(way.edge.to)),
      joins: joinClauses(way.tree, { graph }),
      // NOT IN refuses every row where one key is NULL.
      where: [inner, ...defaults, ...(isDenied ? [{ kind: 'null' as const, value, negated: true }] : [])],
      ...(passing !== undefined && { groupBy: [value], having: [passing.predicate] }),
    },
    negated: isDenied,
    cause: cause(mention, `“${mention.text}” among ${way.edge.to}`),
  };
}

const OPPOSITE: Partial<Record<Comparison, Comparison>> = { '<': '>=', '<=': '>' };

/** How many such rows there must be; "fewer than two" are all that do not have two, those without any too. */
function passingRows(
  { operator, number }: NonNullable<FilterTerm['rows']>,
  because: Cause,
): { readonly predicate: Predicate; readonly isDenied: boolean } {
  const opposite = OPPOSITE[operator];
  return {
    predicate: {
      kind: 'compare',
      operator: opposite ?? operator,
      left: { kind: 'aggregate', function: 'count', distinct: false, argument: { kind: 'star' } },
      right: { kind: 'literal', value: number },
      cause: because,
    },
    isDenied: opposite !== undefined,
  };
}

function tableOf(columnId: string): string {
  return columnId.slice(0, columnId.indexOf('.'));
}
