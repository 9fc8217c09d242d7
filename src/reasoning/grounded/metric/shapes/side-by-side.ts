import type { DatePart, Query, SelectItem, SelectQuery } from '../../../../sql/index.ts';
import { ALWAYS, BARE } from '../../plan/bare-query.ts';
import type { BoundDimension, BoundMetric } from '../bind-metric.ts';
import { groupAlias, isTimeGroup } from '../metric-block.ts';
import { aliasOf, columnOf, figure, type MetricPlan, type NamedQuery } from '../metric-plan.ts';

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
