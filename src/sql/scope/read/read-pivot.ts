/** PIVOT and UNPIVOT: which columns are left, and which come new. */
import { child, childrenIn, type SqlNode, walk } from '../../tree/node.ts';
import { createColumns, createOutput } from '../state/columns.ts';
import { NO_LINEAGE, uniteLineages } from '../state/lineage.ts';
import { readAlias } from '../state/names.ts';
import { emptyLevel, listen, type Place, type Reading } from '../state/reading.ts';
import type { Columns, Lineage, Output, Source } from '../state/scope.ts';
import { aliasReference } from './create-reference.ts';
import { readExpression } from './read-expression.ts';
import { showAll } from './read-star.ts';

interface PivotPlace {
  /** What is turned. */
  readonly source: Source;
  readonly place: Place;
}

/** A pivot behind a relation makes a new source of it. */
export function readPivot(reading: Reading, pivot: SqlNode, { source, place }: PivotPlace): Source {
  const level = emptyLevel(place.level.scope, place.level.outer);
  level.sources.push(source);
  const columns = pivotColumns(reading, pivot, { level, ctes: place.ctes });
  const turned: Source = {
    ...source,
    ...nameOf(pivot),
    kind: 'pivot',
    node: pivot,
    columns,
    table: undefined,
  };
  reading.sources[pivot.id] = turned;
  return turned;
}

/** The pivot's own name, when it has one behind it. */
function nameOf(pivot: SqlNode): Partial<Source> {
  const { name, node } = readAlias(pivot);
  return name === undefined ? {} : { name, key: name.toLowerCase(), alias: node, path: [] };
}

/** What a pivot shows of the sources at a place. */
export function pivotColumns(reading: Reading, pivot: SqlNode, place: Place): Columns {
  return pivot.flags.unpivot === undefined
    ? turnToColumns(reading, pivot, place)
    : turnToRows(reading, pivot, place);
}

const PARTS: ReadonlySet<string> = new Set(['expressions', 'fields', 'group', 'default']);

/** The columns that are grouped by, and open ones that take their names from values. */
function turnToColumns(reading: Reading, pivot: SqlNode, place: Place): Columns {
  const parts = pivot.children.filter((part) => PARTS.has(part.role));
  for (const part of parts) {
    if (part.type === 'PivotIn') readPivotIn(reading, part, place);
    else readExpression(reading, part, place);
  }
  const group = parts.filter((part) => part.role === 'group');
  if (group.length > 0) return createColumns([...outputsNamed(reading, group)], 'all');
  const used = outputsNamed(reading, parts);
  const kept = showAll(reading, place.level).list.filter((output) => !used.has(output));
  return createColumns(kept, 'all');
}

/** `month IN ('jan', feb)`: names in the list are values. */
function readPivotIn(reading: Reading, field: SqlNode, place: Place): void {
  for (const part of field.children) {
    const value = part.type === 'Alias' ? (child(part, 'this') ?? part) : part;
    if (part.role === 'this' || value.type !== 'Column') readExpression(reading, value, place);
    else reading.references[value.id] = { kind: 'text', lineage: NO_LINEAGE };
  }
}

/** The columns named anywhere below these nodes. */
function outputsNamed({ references }: Reading, nodes: readonly SqlNode[]): Set<Output> {
  const named = new Set<Output>();
  for (const node of nodes) {
    for (const below of walk(node)) {
      const reference = references[below.id];
      if (reference?.kind === 'column') named.add(reference.output);
    }
  }
  return named;
}

/** The columns that are kept, then a column of names and one of values. */
function turnToRows(reading: Reading, pivot: SqlNode, place: Place): Columns {
  const fields = childrenIn(pivot, 'fields');
  const listed = fields.flatMap((field) =>
    field.type === 'PivotIn' ? childrenIn(field, 'expressions') : [field],
  );
  const heard = listen(reading, () => {
    for (const item of listed) readExpression(reading, item, place);
  });
  const turned = outputsNamed(reading, listed);
  const shown = showAll(reading, place.level);
  const kept = shown.list.filter((output) => !turned.has(output));
  const lineage = uniteLineages(heard);
  const names = fields
    .flatMap((field) => (field.type === 'PivotIn' ? (child(field, 'this') ?? []) : []))
    .map((name) => newColumn(reading, name, { place, lineage: NO_LINEAGE }));
  const values = childrenIn(pivot, 'expressions')
    .flatMap((value) => (value.type === 'Tuple' ? value.children : [value]))
    .map((value) => newColumn(reading, value, { place, lineage }));
  // The statement UNPIVOT may leave the new columns without names in the tree.
  return createColumns([...kept, ...names, ...values], names.length > 0 ? shown.openness : 'all');
}

interface NewColumn {
  readonly place: Place;
  readonly lineage: Lineage;
}

/** A name that UNPIVOT gives; it refers to nothing but itself. */
function newColumn(reading: Reading, node: SqlNode, { place, lineage }: NewColumn): Output {
  const output = { ...createOutput(node.children.at(-1)?.value ?? node.value ?? ''), lineage };
  reading.references[node.id] = aliasReference(place.level.scope, output);
  return output;
}
