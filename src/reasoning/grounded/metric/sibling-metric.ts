import type { Metric, SemanticModel } from '../../../knowledge/index.ts';
import type { AggregateFunction } from '../../../sql/index.ts';

/** A metric of the same rows that makes another figure of the same column: `AVG(orders.amount)` beside `SUM(orders.amount)`. */
export function siblingMetric(
  metric: Metric,
  figure: AggregateFunction,
  semantics: SemanticModel,
): Metric | undefined {
  const column = /^\s*(?:sum|avg|min|max)\s*\((.+)\)\s*$/is.exec(metric.expression ?? '')?.[1];
  if (column === undefined) return undefined;
  const bare = (sql: string): string => sql.replace(/\s+/g, '').toLowerCase();
  const wanted = bare(`${figure}(${column})`);
  return semantics.metrics.find(
    (other) =>
      other.table === metric.table &&
      other.timeColumn === metric.timeColumn &&
      other.filters.join() === metric.filters.join() &&
      bare(other.expression ?? '') === wanted,
  );
}
