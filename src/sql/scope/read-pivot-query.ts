/** The statements PIVOT and UNPIVOT of DuckDB. */
import { child, type SqlNode } from '../tree/node.ts';
import { openScope } from './open-scope.ts';
import { readRelations } from './read-from.ts';
import { pivotColumns } from './read-pivot.ts';
import { readEnd } from './read-select.ts';
import { readWith } from './read-with.ts';
import { emptyLevel, type Frame, openLevel, type Reading } from './reading.ts';
import type { Columns } from './scope.ts';

export function readPivotQuery(reading: Reading, pivot: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, pivot, frame);
  const ctes = readWith(reading, pivot, { parent: scope, outer: frame.outer, ctes: frame.ctes });
  const level = openLevel(scope, frame.outer);
  const relation = child(pivot, 'this');
  if (relation !== undefined) readRelations(reading, relation, { level, ctes });
  scope.outputs = pivotColumns(reading, pivot, { level, ctes });
  const shown = emptyLevel(scope, frame.outer, { clause: 'outputs' });
  shown.sources.push({
    kind: 'pivot',
    node: pivot,
    name: undefined,
    key: undefined,
    alias: undefined,
    path: [],
    table: undefined,
    query: scope,
    columns: scope.outputs,
  });
  readEnd(reading, pivot, { level: shown, ctes });
  return scope.outputs;
}
