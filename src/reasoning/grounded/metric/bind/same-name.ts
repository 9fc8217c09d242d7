import { DIALECTS } from '../../../../sql/dialects/index.ts';
import { type Expression, printQuery, type SelectQuery } from '../../../../sql/print/index.ts';
import type { Boundary } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { joinTree } from '../../query/graph/join-tree.ts';
import { columnExpression, fromTable } from '../../query/plan/parts/plan-view.ts';
import type { BoundMetric, BoundMetricFilter } from './bind-metric.ts';

/**
 * Two provinces have a Newport: a name that several rows of its table carry is asked about by the level above,
 * unless the question names that level. The options are read from the database when the question is asked back.
 */
export function sameName(
  bound: BoundMetric,
  question: string,
  knowledge: GroundedKnowledge,
): Boundary | null {
  for (const filter of bound.filters) {
    const boundary = askByParent(filter, bound, question, knowledge);
    if (boundary !== null) return boundary;
  }
  return null;
}

function askByParent(
  filter: BoundMetricFilter,
  bound: BoundMetric,
  question: string,
  knowledge: GroundedKnowledge,
): Boundary | null {
  const { semantics, graph } = knowledge;
  const { dimension } = filter;
  const [value, second] = filter.values;
  const parent = semantics.dimensions.find((item) => item.name === dimension?.parent);
  const hit = filter.term.values[0]?.find((match) => match.columnId === filter.columnId);
  const isName = semantics.datasets.some((dataset) => dataset.displayColumn === filter.columnId);
  if (
    dimension === undefined ||
    parent === undefined ||
    value === undefined ||
    second !== undefined ||
    !isName ||
    (hit?.rows ?? 1) < 2
  )
    return null;
  const used = [
    ...bound.groups.map((group) => group.dimension?.name),
    ...bound.filters.map((other) => other.dimension?.name),
  ];
  if (used.includes(parent.name)) return null;
  const tree = joinTree(dimension.table, [parent.table], graph, { allow: (edge) => !edge.multiplies });
  if (tree === null) return null;
  const column = (id: string): Expression => columnExpression(graph.column(id), graph);
  const query: SelectQuery = {
    kind: 'select',
    distinct: true,
    select: [{ expression: column(parent.column) }],
    from: fromTable(graph.table(dimension.table)),
    joins: tree.edges.map((edge) => ({
      kind: 'inner',
      table: fromTable(graph.table(edge.to)),
      on: edge.fromColumns.map((from, index) => ({
        left: column(from),
        right: column(edge.toColumns[index] ?? ''),
      })),
    })),
    where: [
      { kind: 'compare', operator: '=', left: column(filter.columnId), right: { kind: 'literal', value } },
    ],
    groupBy: [],
    having: [],
    orderBy: [{ expression: column(parent.column), direction: 'asc' }],
  };
  const phrase = filter.term.mention.text;
  const { sql } = printQuery(query, DIALECTS[knowledge.catalog.dialect]);
  const base = question.replace(/[?.!\s]+$/, '');
  return {
    kind: 'clarify',
    gap: 'value',
    phrase,
    ask: `Several ${dimension.name} entries are called “${phrase}”. Which one do you mean?`,
    options: [],
    choices: { sql, label: `${phrase}, ${parent.name} {0}`, question: `${base} in ${parent.name} {0}` },
  };
}
