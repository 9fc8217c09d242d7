import type { SelectQuery } from '../../../../sql/index.ts';
import { groupAlias } from '../metric-block.ts';
import { ALWAYS, aliasOf, BARE, columnOf, figure, type MetricPlan, type NamedQuery } from '../metric-plan.ts';

/** Several metrics in one table: each its own query, since their rows and filters differ. */
export function sideBySide(plan: MetricPlan): SelectQuery | null {
  const { bounds, groups } = plan;
  const queries: NamedQuery[] = [];
  for (const bound of bounds) {
    const query = figure(
      bound,
      { filters: bound.filters, window: plan.windows[0], alias: 'value', groups },
      plan,
    );
    if (query === null) return null;
    // The name of a metric may be the name of its table, which the query inside reads.
    queries.push({ name: `${aliasOf(bound.metric.name)}_figure`, query });
  }
  const [first, ...others] = queries;
  if (first === undefined) return null;
  const keys = groups.map(groupAlias);
  const figures = queries.map((query, index) => ({
    expression: columnOf(query.name, 'value'),
    alias: aliasOf(bounds[index]?.metric.name ?? ''),
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
