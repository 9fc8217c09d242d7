import type { DatePart } from '../../../../sql/dialects/index.ts';
import type { Expression, Query, SelectItem, SelectQuery } from '../../../../sql/print/index.ts';
import { ALWAYS, BARE } from '../../query/plan/parts/plan-view.ts';
import type { BoundDimension, BoundMetric, BoundMetricFilter } from '../bind/bind-metric.ts';
import { groupAlias, isTimeGroup } from './metric-block.ts';
import { aliasOf, columnOf, combine, figure, type MetricPlan, type NamedQuery } from './metric-plan.ts';

/** Two filters on one column that no row can pass together; undefined when there are none. */
export function opposedFilters(
  filters: readonly BoundMetricFilter[],
): readonly [BoundMetricFilter, BoundMetricFilter] | undefined {
  for (const [index, first] of filters.entries()) {
    const second = filters
      .slice(index + 1)
      .find(
        (other) =>
          narrowed(other) === narrowed(first) &&
          other.operator === undefined &&
          !other.term.isNegated &&
          !first.term.isNegated,
      );
    if (second?.values.every((value) => !first.values.includes(value))) return [first, second];
  }
  return undefined;
}

/** What a filter is of: a column, or what a phrase makes of one ("on Mondays" of the day of the week). */
function narrowed({ columnId, stated }: BoundMetricFilter): string {
  if (stated === undefined) return columnId;
  const { predicate } = stated;
  const of =
    predicate.kind === 'compare' ? predicate.left : predicate.kind === 'in' ? predicate.value : predicate;
  return JSON.stringify(of);
}

/** "by how much was Halden's average price above Kestrel's": the figure of the first less that of the second; "weekdays vs weekends": both. */
export function contrast(
  bound: BoundMetric,
  opposed: readonly [BoundMetricFilter, BoundMetricFilter],
  plan: MetricPlan,
): SelectQuery | null {
  const [first, second] = opposed;
  const shared = bound.filters.filter((filter) => filter !== first && filter !== second);
  const request = { window: plan.windows[0], alias: 'value', groups: plan.groups };
  const left = figure(bound, { ...request, filters: [...shared, first] }, plan);
  const right = figure(bound, { ...request, filters: [...shared, second] }, plan);
  if (left === null || right === null) return null;
  const difference = (a: Expression, b: Expression): Expression => ({
    kind: 'arithmetic',
    operator: '-',
    left: a,
    right: b,
  });
  const compared = combine({ name: 'one', query: left }, { name: 'other', query: right }, difference, {
    alias: `${aliasOf(bound.metric.name)}_difference`,
    groups: plan.groups,
  });
  if (plan.frame.isVersus !== true) return compared;
  const both = [
    { expression: columnOf('one', 'value'), alias: figureAlias(first, bound) },
    { expression: columnOf('other', 'value'), alias: figureAlias(second, bound) },
  ];
  return { ...compared, select: [...compared.select.slice(0, -1), ...both] };
}

/** `shipments_on_weekdays` */
function figureAlias({ term }: BoundMetricFilter, { metric }: BoundMetric): string {
  return aliasOf(`${metric.name} ${term.mention.text}`);
}

/** "orders in 2023 and 2024": the figure of each period in a column of its own. */
export function periodsSideBySide(bound: BoundMetric, plan: MetricPlan): SelectQuery | null {
  const { windows } = plan;
  const groups = withoutYears(plan.groups);
  if (groups === null) return null;
  const queries: NamedQuery[] = [];
  for (const [index, window] of windows.entries()) {
    const query = figure(bound, { filters: bound.filters, window, alias: 'value', groups }, plan);
    if (query === null) return null;
    queries.push({ name: `period_${index + 1}`, query });
  }
  const names = windows.map((window) => aliasOf(`${bound.metric.name} ${window.label}`));
  return groups.some(isTimeGroup) ? besideSteps(queries, names, groups) : beside(queries, names, plan);
}

/**
 * "per month, this year and last": January stands beside January, whose labels of the calendar name the year. Null where steps of
 * different periods have nothing by which they could be matched.
 */
function withoutYears(groups: readonly BoundDimension[]): readonly BoundDimension[] | null {
  const matched = groups.map((group): BoundDimension | null => {
    if (!isTimeGroup(group)) return group;
    const part = OF_YEAR[groupAlias(group)];
    return part === undefined
      ? null
      : { term: { kind: 'time', part, mention: group.term.mention, isEach: true } };
  });
  return matched.some((group) => group === null) ? null : matched.flatMap((group) => group ?? []);
}

const OF_YEAR: Readonly<Record<string, DatePart>> = {
  month: 'month-of-year',
  quarter: 'quarter-of-year',
  weekday: 'weekday',
};

/** Steps of time that one of the periods has, also where another has not come so far. */
function besideSteps(
  queries: readonly NamedQuery[],
  names: readonly string[],
  groups: readonly BoundDimension[],
): SelectQuery {
  const keys = groups.map(groupAlias);
  const shown = (table: string): SelectItem[] =>
    keys.map((key) => ({ expression: columnOf(table, key), alias: key }));
  const steps = queries
    .map(({ name }): Query => ({ ...BARE, select: shown(name), from: { table: name } }))
    .reduce((left, right) => ({ kind: 'set', operator: 'union', left, right }));
  return {
    ...BARE,
    ctes: [...queries, { name: 'steps', query: steps }],
    select: [
      ...shown('steps'),
      ...queries.map(({ name }, index) => ({ expression: columnOf(name, 'value'), alias: names[index] })),
    ],
    from: { table: 'steps' },
    joins: queries.map(({ name }) => ({
      kind: 'left' as const,
      table: { table: name },
      on: keys.map((key) => ({ left: columnOf('steps', key), right: columnOf(name, key) })),
    })),
  };
}

/** Several metrics in one table: each its own query, since their rows and filters differ. */
export function sideBySide(plan: MetricPlan): SelectQuery | null {
  const { bounds, groups } = plan;
  const queries: NamedQuery[] = [];
  for (const bound of [...bounds, ...(plan.hidden === undefined ? [] : [plan.hidden])]) {
    const query = figure(
      bound,
      { filters: bound.filters, window: plan.windows[0], alias: 'value', groups },
      plan,
    );
    if (query === null) return null;
    // The name of a metric may be the name of its table, which the query inside reads.
    queries.push({ name: `${aliasOf(bound.metric.name)}_figure`, query });
  }
  return beside(
    queries,
    [...bounds, ...(plan.hidden === undefined ? [] : [plan.hidden])].map((bound) =>
      aliasOf(bound.metric.name),
    ),
    plan,
  );
}

/** Queries of one figure each, joined on their groups. */
function beside(
  queries: readonly NamedQuery[],
  names: readonly string[],
  { groups }: MetricPlan,
): SelectQuery | null {
  const [first, ...others] = queries;
  if (first === undefined) return null;
  const keys = groups.map(groupAlias);
  const figures = queries.map((query, index) => ({
    expression: columnOf(query.name, 'value'),
    alias: names[index],
  }));
  return {
    ...BARE,
    ctes: queries,
    select: [...keys.map((key) => ({ expression: columnOf(first.name, key), alias: key })), ...figures],
    from: { table: first.name },
    joins: others.map((query) => ({
      kind: 'left' as const,
      table: { table: query.name },
      on:
        keys.length === 0
          ? ALWAYS
          : keys.map((key) => ({ left: columnOf(first.name, key), right: columnOf(query.name, key) })),
    })),
  };
}
