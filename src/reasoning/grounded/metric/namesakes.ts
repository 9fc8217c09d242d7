import type { Metric } from '../../../knowledge/index.ts';
import type { Expression } from '../../../sql/index.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import { columnExpression } from '../plan/column-expression.ts';
import { displayColumns } from '../resolve/display-columns.ts';
import type { BoundDimension } from './bind-metric.ts';

/**
 * Keys that tell rows of one name apart: two people called Ana Silva are two groups, two shops in one city are one. A level of a
 * hierarchy, as cities are of provinces, is told by its name alone.
 */
export function namesakeKeys(
  groups: readonly BoundDimension[],
  metric: Metric,
  { graph, displayColumn }: GroundedKnowledge,
): readonly Expression[] {
  return groups.flatMap(({ dimension }) => {
    // A name that the rows of the figure carry themselves is what they are added up by.
    if (dimension === undefined || dimension.parent !== undefined || dimension.table === metric.table)
      return [];
    const table = graph.table(dimension.table);
    const column = graph.column(dimension.column);
    const names = displayColumns(table, displayColumn(table.id));
    const { distinctCount, nullCount, scannedRows } = column.profile ?? {};
    const isShared =
      distinctCount !== undefined &&
      scannedRows !== undefined &&
      distinctCount < scannedRows - (nullCount ?? 0);
    return isShared && names.some(({ id }) => id === column.id)
      ? table.primaryKey.map((id) => columnExpression(graph.column(id), graph))
      : [];
  });
}
