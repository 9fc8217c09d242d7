import type { SelectQuery } from '../../../../sql/index.ts';
import { ALWAYS, BARE } from '../../plan/bare-query.ts';
import type { BoundMetric } from '../bind-metric.ts';
import { groupAlias } from '../metric-block.ts';
import { aliasOf, columnOf, figure, type MetricPlan, type NamedQuery } from '../metric-plan.ts';

/** "orders in 2023 and 2024": the figure of each period in a column of its own. */
export function periodsSideBySide(bound: BoundMetric, plan: MetricPlan): SelectQuery | null {
  const { groups, windows } = plan;
  const queries: NamedQuery[] = [];
  for (const [index, window] of windows.entries()) {
    const query = figure(bound, { filters: bound.filters, window, alias: 'value', groups }, plan);
    if (query === null) return null;
    queries.push({ name: `period_${index + 1}`, query });
  }
  return beside(
    queries,
    windows.map((window) => aliasOf(`${bound.metric.name} ${window.label}`)),
    plan,
  );
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
