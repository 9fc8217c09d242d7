import type { Assumption } from '../../../../answer.ts';
import type { Expression, Predicate, Query, SelectQuery } from '../../../../sql/print/index.ts';
import type { Bound, BoundHaving } from '../../resolve/bound.ts';
import type { ResolveContext } from '../../resolve/noun-candidates.ts';
import { type JoinTree, joinTree } from '../graph/join-tree.ts';
import { groupKeys, isShownOnce, orderItem, selectItems, withGroupNames } from './parts/clauses.ts';
import { filterPredicate, statedPredicate } from './parts/filter-predicate.ts';
import {
  ALWAYS,
  BARE,
  cause,
  columnExpression,
  fromTable,
  joinClauses,
  keyOf,
  type PlanView,
} from './parts/plan-view.ts';
import { type PlanOptions, planAssumptions } from './plan-options.ts';
import { absencePredicate } from './shapes/absence-predicate.ts';
import { addOnce, addsOnce, countedOnce, countsItself } from './shapes/add-once.ts';
import { besideEachOther, countsApart, separateCounts } from './shapes/counts-apart.ts';
import { demandedTogether } from './shapes/demanded-together.ts';
import { figureOfExtreme } from './shapes/figure-of-extreme.ts';
import { quantileQuery } from './shapes/quantile-query.ts';
import { excludeManySide, semiJoinManySide } from './shapes/rewrite-bound.ts';
import { nthRow, runningQuery } from './shapes/row-shapes.ts';

export interface Plan {
  readonly query: Query;
  readonly tree: JoinTree;
  /** Defaults taken on the way. */
  readonly assumptions: readonly Assumption[];
}

/** Turns a bound frame into a query tree; null when its tables cannot be joined. */
export function buildQuery(bound: Bound, options: PlanOptions, context: ResolveContext): Plan | null {
  const figure = options.place === undefined ? figureOfExtreme(bound, options, context) : null;
  if (figure !== null) return buildQuery(figure, { ...options, limit: undefined }, context);
  const separate = separateCounts(bound);
  if (separate === 'unreadable') return null;
  if (separate !== null) return buildQuery(separate, options, context);
  const apart = countsApart(bound);
  if (apart !== null) return apart === 'unreadable' ? null : countedApart(apart, options, context);
  const excluding = excludeManySide(bound, context.graph);
  if (excluding !== null) return buildQuery(excluding, options, context);
  const together = demandedTogether(bound, context);
  if (together !== null && options.place !== undefined) return null;
  if (together?.kind === 'rewritten') return buildQuery(together.bound, options, context);
  if (together !== null)
    return combined(together.sides, together.kind === 'differ' ? 'except' : 'intersect', options, context);
  const semi =
    averagesCounts(bound, options) || keepsMatches(bound, options)
      ? null
      : semiJoinManySide(bound, context.graph);
  if (semi !== null) return buildQuery(semi, options, context);
  const [only, second] = bound.projections;
  const counted = second === undefined ? only?.countOf : undefined;
  const tree = joinTree(counted ?? bound.subject, bound.tables, context.graph);
  if (tree === null) return null;
  const view = { bound, tree, context };
  const query = oneQuery(view, options);
  if (query === null) return null;
  const assumptions = [...planAssumptions(view, options), ...(addsOnce(query) ? [ADDED_ONCE] : [])];
  if (options.place === undefined) return { query, tree, assumptions };
  // A figure over all rows has one row, and without an order none is the second.
  const isOneRow =
    query.groupBy.length === 0 && bound.projections.some((item) => item.aggregate !== undefined);
  return query.orderBy.length === 0 || isOneRow
    ? null
    : { query: nthRow(query, options.place), tree, assumptions };
}

function countedApart(apart: readonly Bound[], options: PlanOptions, context: ResolveContext): Plan | null {
  const plans = apart.map((bound) => buildQuery(bound, options, context));
  const queries = plans.flatMap((plan) => (plan?.query.kind === 'select' ? [plan.query] : []));
  const [first] = plans;
  if (first == null || queries.length < apart.length || options.place !== undefined) return null;
  const assumptions = plans.flatMap((plan) => plan?.assumptions ?? []);
  return { query: besideEachOther(queries), tree: first.tree, assumptions };
}

const ADDED_ONCE: Assumption = {
  kind: 'grain',
  text: 'A row that belongs to several groups is counted once in each of them.',
};

function oneQuery(view: PlanView, options: PlanOptions): SelectQuery | null {
  const query = plainQuery(view, options);
  return query === null || options.isRunning !== true ? query : runningQuery(query, view);
}

function plainQuery(view: PlanView, options: PlanOptions): SelectQuery | null {
  if (averagesCounts(view.bound, options)) return averageOfCounts(view, options);
  if (countsGroups(view.bound)) return countedGroups(view, options);
  const query = selectQuery(view, options);
  const once = query === null ? null : addOnce(query, view);
  if (once === null || view.bound.projections.every(({ percent }) => percent === undefined)) return once;
  return once === query ? quantileQuery(once, view) : null;
}

/** A figure is never of repeated rows, whatever is said of them. */
function keepsMatches(bound: Bound, options: PlanOptions): boolean {
  return options.keepsMatches === true && bound.projections.every((item) => item.aggregate === undefined);
}

/** "how many tracks does an album have on average": a count for each group, and then its mean. */
function averagesCounts(bound: Bound, { overall }: PlanOptions): boolean {
  const [only, second] = bound.projections;
  return (
    overall === 'avg' &&
    only?.aggregate === 'count' &&
    second === undefined &&
    (bound.groups.length > 0 || bound.tables.size > 1)
  );
}

function averageOfCounts(view: PlanView, options: PlanOptions): SelectQuery | null {
  const { bound } = view;
  const [counted] = bound.projections;
  const owner = [...bound.tables].find((table) => table !== (counted?.countOf ?? counted?.column?.tableId));
  const mention = counted?.mention;
  if (mention === undefined) return null;
  const groups =
    bound.groups.length > 0 || owner === undefined ? bound.groups : [{ tableId: owner, mention }];
  const grouped = selectQuery({ ...view, bound: { ...bound, groups } }, options);
  const count = grouped?.select.at(-1);
  if (grouped == null || count === undefined) return null;
  const value: Expression = { kind: 'column', table: 'counted', column: 'value' };
  const average: Expression = {
    kind: 'aggregate',
    function: 'avg',
    distinct: false,
    argument: value,
    cause: cause(mention, 'average of the counts'),
  };
  return {
    ...BARE,
    ctes: [{ name: 'counted', query: { ...grouped, select: [{ ...count, alias: 'value' }] } }],
    select: [{ expression: average }],
    from: { table: 'counted' },
  };
}

/** "how many customers have more than 40 rentals": the subject is counted, its groups are what passes. */
function countsGroups(bound: Bound): boolean {
  const [only, second] = bound.projections;
  return (
    only?.countOf === bound.subject &&
    second === undefined &&
    bound.havings.length > 0 &&
    bound.groups.length === 0
  );
}

function countedGroups(view: PlanView, options: PlanOptions): SelectQuery | null {
  const { bound, context } = view;
  const keys = keyOf(bound.subject, view);
  const projections = keys.map((column) => ({ isDistinct: false, column, score: 1 }));
  const grouped = selectQuery(
    { ...view, bound: { ...bound, projections } },
    { ...options, limit: undefined },
  );
  if (grouped === null) return null;
  const named = grouped.select.map((item, index) => ({ ...item, alias: `key_${index + 1}` }));
  const count: Expression = {
    kind: 'aggregate',
    function: 'count',
    distinct: false,
    argument: { kind: 'star' },
    cause: cause(bound.projections[0]?.mention, `counts ${context.graph.table(bound.subject).name}`),
  };
  return {
    ...BARE,
    ctes: [{ name: 'passing', query: { ...grouped, select: named } }],
    select: [{ expression: count }],
    from: { table: 'passing' },
  };
}

/** A count of some rows against the count of all: a fraction, or percent. */
export function shareQuery(
  bound: Bound,
  isPercent: boolean,
  options: PlanOptions,
  context: ResolveContext,
): Plan | null {
  const part = buildQuery(bound, options, context);
  const whole = buildQuery(
    { ...bound, filters: [], absences: [], havings: [], stated: [], tables: new Set([bound.subject]) },
    options,
    context,
  );
  if (
    part?.query.kind !== 'select' ||
    whole?.query.kind !== 'select' ||
    bound.filters.length + bound.absences.length + bound.havings.length === 0
  )
    return null;
  const named = (query: SelectQuery): SelectQuery => ({
    ...query,
    select: query.select.map((item) => ({ ...item, alias: 'value' })),
  });
  const value = (table: string): Expression => ({ kind: 'column', table, column: 'value' });
  const ratio: Expression = { kind: 'arithmetic', operator: '/', left: value('part'), right: value('whole') };
  const scaled: Expression = isPercent
    ? { kind: 'arithmetic', operator: '*', left: { kind: 'literal', value: 100 }, right: ratio }
    : ratio;
  const query: SelectQuery = {
    ...BARE,
    ctes: [
      { name: 'part', query: named(part.query) },
      { name: 'whole', query: named(whole.query) },
    ],
    select: [{ expression: scaled, alias: isPercent ? 'percentage' : 'share' }],
    from: { table: 'part' },
    joins: [{ kind: 'inner', table: { table: 'whole' }, on: ALWAYS }],
  };
  return { ...part, query };
}

function combined(
  sides: readonly [Bound, Bound],
  operator: 'intersect' | 'except',
  options: PlanOptions,
  context: ResolveContext,
): Plan | null {
  const left = buildQuery(sides[0], options, context);
  const right = buildQuery(sides[1], options, context);
  if (left === null || right === null) return null;
  return { ...left, query: { kind: 'set', operator, left: left.query, right: right.query } };
}

function selectQuery(view: PlanView, options: PlanOptions): SelectQuery | null {
  const { limit } = options;
  const { bound, tree, context } = view;
  const where = conditions(view);
  if (where === null) return null;
  const groupBy = groupKeys(view);
  // A figure of all rows has no groups that could pass: whose figure was meant, another reading says.
  if (bound.havings.length > 0 && groupBy.length === 0) return null;
  if (countsItself(view)) return null;
  const shown = selectItems(view);
  const hasFigures = bound.projections.some(
    (item) => item.aggregate !== undefined || item.figure !== undefined,
  );
  return {
    kind: 'select',
    distinct: isShownOnce(view, options) && groupBy.length === 0 && !hasFigures,
    select: groupBy.length === 0 ? shown : withGroupNames(shown, view),
    from: fromTable(context.graph.table(tree.root), cause(undefined, 'the table the question is about')),
    joins: joinClauses(tree, context),
    where,
    groupBy,
    having: bound.havings.map((item) => havingPredicate(item, view)),
    orderBy: bound.orders.map((item) => orderItem(item, view)),
    limit,
  };
}

function conditions(view: PlanView): Predicate[] | null {
  const predicates = ownConditions(view);
  if (predicates === null) return null;
  // A ranking of groups is not about the rows that have no group.
  const isRanking = view.bound.orders.some((order) => order.isSuperlative && order.isCount);
  for (const group of isRanking ? view.bound.groups : []) {
    if (
      group.column?.isNullable !== true ||
      group.part !== undefined ||
      group.column.profile?.nullCount === 0
    )
      continue;
    predicates.push({
      kind: 'null',
      value: columnExpression(group.column, view.context.graph),
      negated: true,
    });
  }
  predicates.push(...view.bound.stated.map(statedPredicate));
  for (const absence of view.bound.absences) {
    if (absence.having !== undefined) continue;
    const predicate = absencePredicate(absence, view);
    if (predicate === null) return null;
    predicates.push(predicate);
  }
  return predicates;
}

/** Conditions on rows, and on how many rows of another table they have, in the order in which they are said. */
function ownConditions(view: PlanView): Predicate[] | null {
  const { filters, absences } = view.bound;
  const counts = absences.filter(({ having }) => having !== undefined);
  const said =
    counts.length === 0 ? filters : [...filters, ...counts].sort((a, b) => placeOf(a) - placeOf(b));
  const predicates: Predicate[] = [];
  for (const item of said) {
    const predicate =
      'column' in item ? filterPredicate(item, view.context.graph) : absencePredicate(item, view);
    if (predicate === null) return null;
    const last = predicates.at(-1);
    if (item.connective !== 'or' || last === undefined) predicates.push(predicate);
    else
      predicates[predicates.length - 1] = {
        kind: 'or',
        parts: last.kind === 'or' ? [...last.parts, predicate] : [last, predicate],
      };
  }
  return predicates;
}

function placeOf({ mention }: { readonly mention?: { readonly index: number } }): number {
  return mention?.index ?? -1;
}

function havingPredicate(item: BoundHaving, view: PlanView): Predicate {
  const { graph } = view.context;
  const once =
    item.column === undefined && item.countOf !== undefined ? countedOnce(item.countOf, view) : undefined;
  const column = item.column ?? once;
  const argument: Expression = column === undefined ? { kind: 'star' } : columnExpression(column, graph);
  const left: Expression = {
    kind: 'aggregate',
    function: item.column === undefined ? 'count' : item.aggregate,
    distinct: once !== undefined,
    argument,
  };
  const because = cause(item.mention, `“${item.mention.text}”`);
  return {
    kind: 'compare',
    operator: item.operator,
    left,
    right: { kind: 'literal', value: item.number },
    cause: because,
  };
}
