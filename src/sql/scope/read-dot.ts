/** What follows a dot that is no plain qualifier: `(row).field`, `t.$1`, `a.b.c.d.e`, `text.upper()`. */
import { child, type SqlNode } from '../tree/node.ts';
import { columnReference, openReference } from './create-reference.ts';
import { readName } from './name.ts';
import type { Level, Place, Reading } from './reading.ts';
import { resolveColumn } from './resolve-column.ts';
import { findSources } from './resolve-qualified.ts';
import type { Reference, Source } from './scope.ts';
import { withoutBrackets } from './without-brackets.ts';

/** The field is no column, unless what stands before the dot is a whole row; arguments of a call count. */
export function readDot(reading: Reading, node: SqlNode, place: Place): void {
  const inner = child(node, 'this');
  const field = child(node, 'expression');
  const column = inner && withoutBrackets(inner);
  const found = column && field && resolveRowField(reading, { column, field }, place.level);
  if (column !== undefined && found !== undefined) {
    reading.references[column.id] = found;
    reading.used.push(found.lineage);
    return;
  }
  if (inner !== undefined) reading.readExpression(reading, inner, place);
  if (field?.flags.call !== undefined) reading.readExpression(reading, field, place);
}

interface RowField {
  readonly column: SqlNode;
  readonly field: SqlNode;
}

function resolveRowField(reading: Reading, { column, field }: RowField, level: Level): Reference | undefined {
  if (column.type !== 'Column' || column.children.length !== 1) return undefined;
  const name = field.value ?? '';
  const isNumbered = field.type === 'PositionalReference';
  if (!isNumbered && field.type !== 'Identifier') return undefined;
  const source = isNumbered ? findNamed(reading, column, level) : findRow(reading, column, level);
  if (source === undefined) return undefined;
  const { list, byKey } = source.columns;
  const output = isNumbered ? list[Number(name) - 1] : byKey.get(name.toLowerCase());
  return output === undefined
    ? openReference(name, [source])
    : columnReference(level.scope, { source, output });
}

/** `t.$1` of Snowflake is the first column of t. */
function findNamed(reading: Reading, column: SqlNode, level: Level): Source | undefined {
  return findSources(reading, readName(column), { length: 1, level })?.[0];
}

function findRow(reading: Reading, column: SqlNode, level: Level): Source | undefined {
  if (!reading.rules.hasRowValues) return undefined;
  const reference = resolveColumn(reading, column, level);
  return reference.kind === 'row' ? reference.source : undefined;
}
