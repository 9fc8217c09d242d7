import {
  type Expression,
  INVERSE_COMPARISON,
  type Predicate,
  type SelectQuery,
} from '../../../../../sql/print/index.ts';
import type { Bound } from '../../../resolve/bound.ts';
import type { ResolveContext } from '../../../resolve/noun-candidates.ts';
import { joinTree } from '../../graph/join-tree.ts';
import { filterPredicate, statedPredicate } from '../parts/filter-predicate.ts';
import { BARE, cause, columnExpression, fromTable, joinClauses, type PlanView } from '../parts/plan-view.ts';

/**
 * "without any X": the subject's key is not among the keys that X refers to. NULL keys are left out, or
 * NOT IN would refuse every row. Null when no single-column key leads to X.
 */
export function absencePredicate(
  absence: Bound['absences'][number],
  { bound, context }: PlanView,
): Predicate | null {
  const { graph } = context;
  if (absence.tableId === bound.subject) return noSuchRow(absence, bound, context);
  const [first] = joinTree(bound.subject, [absence.tableId], graph)?.edges ?? [];
  const [own, second] = first?.fromColumns ?? [];
  const [key] = first?.toColumns ?? [];
  if (first === undefined || own === undefined || second !== undefined || key === undefined) return null;
  const filtered = [
    ...absence.filters.map((filter) => filter.column.tableId),
    ...(absence.stated ?? []).flatMap(({ tables }) => tables),
  ];
  const tree = joinTree(first.to, [absence.tableId, ...filtered], graph);
  if (tree === null) return null;
  const keyColumn = columnExpression(graph.column(key), graph);
  const isNotNull: Predicate[] =
    graph.column(key).isNullable && (absence.isPresence !== true || absence.having !== undefined)
      ? [{ kind: 'null', value: keyColumn, negated: true }]
      : [];
  const counted = absence.having === undefined ? undefined : countCondition(absence.having);
  const query: SelectQuery = {
    kind: 'select',
    distinct: false,
    select: [{ expression: keyColumn }],
    from: fromTable(graph.table(first.to)),
    joins: joinClauses(tree, context),
    where: [
      ...absence.filters.map((filter) => filterPredicate(filter, graph)),
      ...(absence.stated ?? []).map(statedPredicate),
      ...isNotNull,
    ],
    groupBy: absence.having === undefined ? [] : [keyColumn],
    having: counted === undefined ? [] : [counted.condition],
    orderBy: [],
  };
  const because = cause(
    absence.mention,
    `${absence.mention === undefined ? '' : `“${absence.mention.text}” `}among ${absence.tableId}`,
  );
  const value = columnExpression(graph.column(own), graph);
  const negated = counted?.isOfRest ?? absence.isPresence !== true;
  const among: Predicate = { kind: 'in-query', value, query, negated, cause: because };
  // A row that refers to nothing has none either, and NULL NOT IN (…) would drop it.
  return negated && graph.column(own).isNullable
    ? { kind: 'or', parts: [{ kind: 'null', value, negated: false }, among] }
    : among;
}

/** "fewer than 3 albums" holds of those with none too: it is denied that there are 3 or more. */
function countCondition({ operator, number }: NonNullable<Bound['absences'][number]['having']>): {
  readonly condition: Predicate;
  readonly isOfRest: boolean;
} {
  const holdsOfNone =
    operator === '<' || operator === '<=' || operator === '<>' || (number <= 0 && operator !== '>');
  const count: Expression = {
    kind: 'aggregate',
    function: 'count',
    distinct: false,
    argument: { kind: 'star' },
  };
  const condition: Predicate = {
    kind: 'compare',
    operator: holdsOfNone ? INVERSE_COMPARISON[operator] : operator,
    left: count,
    right: { kind: 'literal', value: number },
  };
  return { condition, isOfRest: holdsOfNone };
}

/** "locations where no cinema has a capacity above 800": what is shown belongs to no row of the same table that passes. */
function noSuchRow(
  { filters, stated = [], mention, tableId }: Bound['absences'][number],
  { projections: [shown, second] }: Bound,
  { graph }: ResolveContext,
): Predicate | null {
  const column = shown?.aggregate === undefined && second === undefined ? shown?.column : undefined;
  const isOwn = filters.every((filter) => filter.column.tableId === tableId);
  if (
    column === undefined ||
    column.tableId !== tableId ||
    filters.length === 0 ||
    !isOwn ||
    stated.length > 0
  )
    return null;
  const value = columnExpression(column, graph);
  const isNotNull: Predicate[] = column.isNullable ? [{ kind: 'null', value, negated: true }] : [];
  return {
    kind: 'in-query',
    value,
    query: {
      ...BARE,
      select: [{ expression: value }],
      from: fromTable(graph.table(tableId)),
      where: [...filters.map((filter) => filterPredicate(filter, graph)), ...isNotNull],
    },
    negated: true,
    cause: cause(mention, `${mention === undefined ? '' : `“${mention.text}” `}among ${tableId}`),
  };
}
