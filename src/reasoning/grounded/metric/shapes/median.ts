import type { SelectQuery } from '../../../../sql/index.ts';
import { rowsInTheMiddle } from '../../plan/quantile-query.ts';
import type { TimeWindow } from '../../read/find-times.ts';
import type { BoundMetric } from '../bind-metric.ts';
import { aliasOf, figure, type MetricPlan } from '../metric-plan.ts';

/** The column whose mean a metric is: `orders.amount` of `AVG(orders.amount)`. */
export function averagedColumn(expression: string | undefined): string | undefined {
  return /^\s*avg\s*\(\s*([\p{L}\p{N}_."]+)\s*\)\s*$/iu.exec(expression ?? '')?.[1];
}

/**
 * The median of what a metric averages, in place of the average. Null beside another figure, a growth or a share, and where the metric
 * is no mean of one column.
 */
export function median(
  bound: BoundMetric,
  percent: number,
  window: TimeWindow | undefined,
  plan: MetricPlan,
): SelectQuery | null {
  const { frame, windows, groups, bounds, hidden } = plan;
  const column = averagedColumn(bound.metric.expression);
  const isMore =
    bounds.length > 1 ||
    hidden !== undefined ||
    windows.length > 1 ||
    frame.isShare ||
    frame.showsRanks ||
    frame.isRunning === true ||
    frame.growth !== undefined ||
    frame.summary !== undefined ||
    frame.countsGroups;
  if (column === undefined || isMore) return null;
  const alias = aliasOf(bound.metric.name).replace(/^(?:average|mean|avg)_/, 'median_');
  const rows = figure(bound, { filters: bound.filters, window, isAlone: true, alias, groups }, plan);
  if (rows === null) return null;
  const figures = rows.select.at(-1)?.expression;
  return rowsInTheMiddle(rows, {
    measure: {
      kind: 'raw',
      sql: column,
      cause: { why: `what “${bound.metric.name}” averages`, certainty: 'stated' },
    },
    percent,
    isFigure: (expression) => expression === figures,
  });
}
