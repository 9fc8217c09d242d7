import type { Expression, SelectQuery } from '../../../../sql/index.ts';
import { BARE } from '../../plan/bare-query.ts';
import type { BoundMetric } from '../bind-metric.ts';
import { groupAlias } from '../metric-block.ts';
import { columnOf, figure, type MetricPlan, type NamedQuery } from '../metric-plan.ts';
import { comparedPeriods } from './growth.ts';

/** "how did the ranking of cities by orders change": each group with its rank before and after, 1 for the largest figure. */
export function rankChange(bound: BoundMetric, plan: MetricPlan): SelectQuery | null {
  const { groups } = plan;
  const [before, after] = comparedPeriods(plan);
  const keys = groups.map(groupAlias);
  const ctes: NamedQuery[] = [];
  for (const [name, window] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const query = figure(bound, { filters: bound.filters, window, alias: 'value', groups }, plan);
    if (query === null) return null;
    ctes.push({ name, query }, { name: `ranks_${name}`, query: ranksIn(name, keys) });
  }
  return {
    ...BARE,
    ctes,
    select: [
      ...keys.map((key) => ({ expression: columnOf('ranks_after', key), alias: key })),
      { expression: columnOf('ranks_before', 'place'), alias: 'rank_before' },
      { expression: columnOf('ranks_after', 'place'), alias: 'rank_after' },
    ],
    from: { table: 'ranks_after' },
    // A group without figures in the first period had no rank.
    joins: [
      {
        kind: 'left',
        table: { table: 'ranks_before' },
        on: keys.map((key) => ({
          left: columnOf('ranks_before', key),
          right: columnOf('ranks_after', key),
        })),
      },
    ],
    orderBy: [{ expression: columnOf('ranks_after', 'place'), direction: 'asc' }],
  };
}

function ranksIn(table: string, keys: readonly string[]): SelectQuery {
  const place: Expression = {
    kind: 'window',
    function: 'rank',
    partitionBy: [],
    orderBy: [{ expression: columnOf(table, 'value'), direction: 'desc' }],
  };
  return {
    ...BARE,
    select: [
      ...keys.map((key) => ({ expression: columnOf(table, key), alias: key })),
      { expression: place, alias: 'place' },
    ],
    from: { table },
  };
}
