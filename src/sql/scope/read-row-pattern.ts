/** MATCH_RECOGNIZE: its variables stand for rows of the source before it, and what it shows is a source of its own. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { createColumns, createOutput, renameColumns } from './columns.ts';
import { computedLineage, NO_LINEAGE } from './lineage.ts';
import { columnNames, readAlias } from './read-alias.ts';
import { readExpression } from './read-expression.ts';
import { emptyLevel, listen, type Place, type Reading, takeSteps } from './reading.ts';
import type { Columns, Lineage, Output, Source } from './scope.ts';

interface PatternPlace {
  /** Whose rows are looked at. */
  readonly source: Source;
  readonly place: Place;
}

export function readRowPattern(reading: Reading, pattern: SqlNode, { source, place }: PatternPlace): Source {
  // Only variables stand before a dot inside: the engines do not take the table's name there.
  const rows: Source = { ...source, name: undefined, key: undefined };
  const { scope, outer } = place.level;
  const inside = (variables?: ReadonlyMap<string, Source>): Place => {
    const level = emptyLevel(scope, outer, variables && { variables });
    level.sources.push(rows);
    return { level, ctes: place.ctes };
  };
  const partition = childrenIn(pattern, 'partition_by');
  const order = child(pattern, 'order');
  for (const part of partition) readExpression(reading, part, inside());
  if (order !== undefined) readExpression(reading, order, inside());
  const measures = readMeasures(reading, pattern, inside(variablesOf(pattern, source)));
  const alias = readAlias(pattern);
  const columns = shownColumns(reading, pattern, { rows, partition, measures });
  const found: Source = {
    ...source,
    // Without a name of its own nothing outside can be said of it with a dot.
    name: alias.name,
    key: alias.name?.toLowerCase(),
    alias: alias.node,
    path: [],
    kind: 'pivot',
    node: pattern,
    columns: renameColumns(columns, columnNames(alias)),
    table: undefined,
  };
  reading.sources[pattern.id] = found;
  return found;
}

/** All mean rows of one source. */
function variablesOf(pattern: SqlNode, source: Source): ReadonlyMap<string, Source> {
  const defined = childrenIn(pattern, 'fields').flatMap((definition) => childrenIn(definition, 'alias'));
  const names = [...childrenIn(pattern, 'aliases'), ...defined];
  return new Map(
    names.map((node) => {
      const key = (node.value ?? '').toLowerCase();
      return [key, { ...source, name: node.value, key, alias: node, path: [] }];
    }),
  );
}

/** Which rows a measure is about is for the definitions to say, so it comes from their columns too. */
function readMeasures(reading: Reading, pattern: SqlNode, place: Place): readonly Output[] {
  const measures = childrenIn(pattern, 'expressions').map((measure) => ({
    measure,
    heard: listen(reading, () => readExpression(reading, child(measure, 'this') ?? measure, place)),
  }));
  const defined = listen(reading, () => {
    for (const { children } of childrenIn(pattern, 'fields'))
      for (const part of children) if (part.role === 'this') readExpression(reading, part, place);
  });
  const chosen = computedLineage(defined);
  takeSteps(reading, measures.length * (chosen.from.length + chosen.open.length));
  return measures.map(({ measure, heard }) => measureOf(measure, [...heard, chosen]));
}

function measureOf(measure: SqlNode, lineages: readonly Lineage[]): Output {
  const node = child(measure, 'this') ?? measure;
  return {
    ...createOutput(child(measure, 'alias')?.value ?? ''),
    lineage: computedLineage(lineages),
    origin: { kind: 'expression', node },
  };
}

interface Shown {
  readonly rows: Source;
  readonly partition: readonly SqlNode[];
  readonly measures: readonly Output[];
}

/** One row for a match: what the rows were divided by, and the measures. Every row: its columns too. */
function shownColumns(reading: Reading, pattern: SqlNode, { rows, partition, measures }: Shown): Columns {
  const first = partition.map((node) => outputOf(reading, node));
  if (pattern.flags.all === undefined) return createColumns([...first, ...measures]);
  const { list, openness } = rows.columns;
  if (reading.tree.dialect !== 'trino') return createColumns([...list, ...measures], openness);
  // Trino shows what the rows are divided and sorted by before the measures, and the rest behind them.
  const order = child(pattern, 'order')?.children ?? [];
  const sorted = order.flatMap(({ children }) => children.filter(({ type }) => type === 'Column'));
  const before = new Set([...first, ...sorted.map((node) => outputOf(reading, node))]);
  const others = list.filter((output) => !before.has(output));
  return createColumns([...before, ...measures, ...others], openness);
}

/** The column that a name means; one of a table that nobody knows is called by that name. */
function outputOf({ references }: Reading, column: SqlNode): Output {
  const reference = references[column.id];
  if (reference?.kind === 'column') return reference.output;
  const lineage = reference?.lineage ?? NO_LINEAGE;
  return { ...createOutput(column.children.at(-1)?.value ?? ''), lineage };
}
