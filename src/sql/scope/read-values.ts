/** VALUES: rows of expressions under numbered names. */
import { childrenIn, type SqlNode } from '../tree/node.ts';
import { createColumns } from './columns.ts';
import { computedLineage, uniteLineages } from './lineage.ts';
import { openScope } from './open-scope.ts';
import { numbered } from './output-name.ts';
import { readExpression } from './read-expression.ts';
import { emptyLevel, type Frame, listen, type Reading } from './reading.ts';
import type { Columns, Output } from './scope.ts';

export function readValues(reading: Reading, values: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, values, frame);
  const level = emptyLevel(scope, frame.outer);
  const rows = childrenIn(values, 'expressions').map((row) =>
    valuesOf(row).map((node): Output => {
      const lineage = computedLineage(
        listen(reading, () => readExpression(reading, node, { level, ctes: frame.ctes })),
      );
      return { name: undefined, key: undefined, lineage, origin: { kind: 'expression', node } };
    }),
  );
  scope.outputs = createColumns(
    (rows[0] ?? []).map((_, index) => {
      const name = numbered(reading.rules.valuesColumn, index);
      const outputs = rows.flatMap((row) => row[index] ?? []);
      const lineage = uniteLineages(outputs.map((output) => output.lineage));
      return { name, key: name, lineage, origin: { kind: 'outputs', outputs } };
    }),
  );
  return scope.outputs;
}

function valuesOf(row: SqlNode): readonly SqlNode[] {
  return row.type === 'Tuple' ? row.children : [row];
}
