/** One relation of FROM as a source: a table, a subquery, UNNEST, LATERAL, a function, VALUES; with its pivots. */
import { child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { ANY_COLUMNS, createColumns, createOutput, createSource, renameColumns } from '../state/columns.ts';
import { computedLineage, NO_LINEAGE } from '../state/lineage.ts';
import { columnNames, NO_ALIAS, type RelationAlias, readAlias, readName } from '../state/names.ts';
import { emptyLevel, type Level, listen, type Place, type Reading, takeSteps } from '../state/reading.ts';
import type { Columns, Lineage, Output, ScopeKind, Source } from '../state/scope.ts';
import { tableFunctionColumns } from '../state/table-functions.ts';
import { readExpression } from './read-expression.ts';
import { readPivot } from './read-pivot.ts';
import { readTableName, tableNameParts } from './read-table-name.ts';
import { scopeOfQuery } from './read-with.ts';
import { findSources, resolveQualified } from './resolve-column.ts';

export function readRelation(reading: Reading, node: SqlNode, place: Place): Source {
  const pivots = childrenIn(node, 'pivots');
  const first = pivots[0];
  const alias = readAlias(node);
  if (first === undefined) return readCore(reading, node, { place, alias });
  // `t PIVOT (…) AS p` names the result, `t AS x PIVOT (…)` what is turned.
  const isResult = alias.node !== undefined && alias.node.start > first.start;
  let source = readCore(reading, node, { place, alias: isResult ? NO_ALIAS : alias });
  for (const pivot of pivots) {
    const read = pivot.type === 'Pivot' ? readPivot : readRowPattern;
    source = read(reading, pivot, { source, place });
  }
  if (!isResult) return source;
  const named = { name: alias.name, key: alias.name?.toLowerCase(), alias: alias.node };
  // What PIVOT shows is not known well enough to be called anew.
  const columns = first.type === 'Pivot' ? source.columns : renameColumns(source.columns, columnNames(alias));
  return { ...source, ...named, columns };
}

interface RelationPlace {
  readonly place: Place;
  readonly alias: RelationAlias;
}

function readCore(reading: Reading, node: SqlNode, at: RelationPlace): Source {
  switch (node.type) {
    case 'Table':
      return readTable(reading, node, at);
    case 'Subquery':
    case 'Values':
      return readDerived(reading, node, { ...at, query: node, isLateral: node.flags.lateral !== undefined });
    case 'Unnest':
      return readUnnest(reading, node, { ...at, node });
    case 'Lateral':
    case 'TableFromRows':
      return readLateral(reading, node, at);
    default:
      return readOther(reading, node, at);
  }
}

function readTable(reading: Reading, node: SqlNode, at: RelationPlace): Source {
  const { place, alias } = at;
  const version = child(node, 'version');
  if (version !== undefined) readExpression(reading, version, place);
  const name = child(node, 'this');
  if (name !== undefined && name.type !== 'Identifier') return readFunction(reading, name, { ...at, node });
  if (isArrayPath(reading, node, place.level)) return readArrayPath(reading, node, at);
  return readTableName(reading, node, { ctes: place.ctes, alias });
}

/** LATERAL (SELECT …), LATERAL f(x), TABLE(f(x)). */
function readLateral(reading: Reading, node: SqlNode, at: RelationPlace): Source {
  const inner = child(node, 'this');
  if (inner === undefined) return readOther(reading, node, at);
  if (inner.type === 'Subquery') return readDerived(reading, node, { ...at, query: inner, isLateral: true });
  if (inner.type === 'Unnest') return readUnnest(reading, inner, { ...at, node });
  return readFunction(reading, inner, { ...at, node });
}

interface DerivedQuery extends RelationPlace {
  readonly query: SqlNode;
  readonly isLateral: boolean;
}

function readDerived(reading: Reading, node: SqlNode, derived: DerivedQuery): Source {
  const { query, isLateral, alias } = derived;
  const { level, ctes } = derived.place;
  const kind: ScopeKind = isLateral ? 'lateral' : 'derived';
  const outer = isLateral || reading.rules.derivedSeesSiblings ? level : level.outer;
  const columns = reading.readQuery(reading, query, { kind, parent: level.scope, outer, ctes });
  const scope = scopeOfQuery(reading, query);
  const sourceKind = scope?.query.type === 'Values' ? 'values' : 'derived';
  return createSource(reading, { kind: sourceKind, node, alias, columns, query: scope });
}

/** A relation nobody knows: its names are read, its columns are open. */
function readOther(reading: Reading, node: SqlNode, { place, alias }: RelationPlace): Source {
  for (const part of node.children) {
    if (part.role !== 'alias' && part.role !== 'sample') readExpression(reading, part, place);
  }
  return createSource(reading, { kind: 'function', node, alias, columns: ANY_COLUMNS });
}

// The elements of an array in FROM: UNNEST, and BigQuery's path `t.items`.

/** One column for each array; a list of names may be longer, since a map gives keys and values. */
function readUnnest(reading: Reading, unnest: SqlNode, { place, alias, node }: FunctionPlace): Source {
  const arrays = childrenIn(unnest, 'expressions').map((array) => ({
    node: array,
    lineage: computedLineage(listen(reading, () => readExpression(reading, array, place))),
  }));
  const count = arrays.length === 1 ? Math.max(1, alias.columns.length) : arrays.length;
  const name = elementName(reading, alias);
  const elements = Array.from({ length: count }, (_, index): Output => {
    const array = arrays[arrays.length === 1 ? 0 : index];
    if (array === undefined) return createOutput(name);
    const { lineage, node: of } = array;
    return { ...createOutput(name), lineage, origin: { kind: 'element', node: of } };
  });
  const columns = createColumns(
    [...elements.slice(0, count), ...placeColumns(unnest, node)],
    fieldsOf(reading, alias),
  );
  return createSource(reading, { kind: 'array', node, alias, columns });
}

function elementName({ rules }: Reading, alias: RelationAlias): string {
  return (rules.functionAliasNamesColumn ? alias.name : undefined) ?? 'unnest';
}

/** Fields of an element can be named where values have fields, unless the alias lists the columns. */
function fieldsOf({ rules }: Reading, alias: RelationAlias): 'fields' | 'none' {
  return rules.hasStructs && alias.columns.length === 0 ? 'fields' : 'none';
}

/** WITH OFFSET AS place, WITH ORDINALITY. */
function placeColumns(...nodes: readonly SqlNode[]): readonly Output[] {
  for (const node of nodes) {
    const offset = child(node, 'offset');
    if (offset !== undefined) return [createOutput(offset.value ?? 'offset', 'numeric')];
    if (child(node, 'ordinality') !== undefined) return [createOutput('ordinality', 'numeric')];
  }
  return [];
}

/** True when the first part of a dotted table name is a source that can be seen here. */
function isArrayPath(reading: Reading, node: SqlNode, level: Level): boolean {
  if (!reading.rules.hasArrayPaths || node.children[0]?.role === 'this') return false;
  if (tableNameParts(node).some((part) => isInsideQuotes(part, reading))) return false;
  return findSources(reading, readName(node, tableNameParts(node)), { length: 1, level }) !== undefined;
}

/** One quoted name with dots inside, `sales.secret` as a whole, is the path of a table and never that of an array. */
function isInsideQuotes({ flags, start }: SqlNode, { tree }: Reading): boolean {
  return flags.quoted !== undefined && tree.text.charAt(start) !== flags.quoted;
}

interface PathPlace {
  readonly place: Place;
  readonly alias: RelationAlias;
}

function readArrayPath(reading: Reading, node: SqlNode, { place, alias }: PathPlace): Source {
  const parts = tableNameParts(node);
  const reference = resolveQualified(reading, readName(node, parts), place.level);
  reading.references[node.id] = reference;
  reading.used.push(reference.lineage);
  const ownName = parts.at(-1)?.value ?? '';
  const element: Output = {
    ...createOutput(alias.name ?? ownName),
    lineage: computedLineage([reference.lineage]),
  };
  const columns = createColumns([element, ...placeColumns(node)], 'fields');
  return createSource(reading, { kind: 'array', node, alias, columns, ownName });
}

// MATCH_RECOGNIZE: its variables stand for rows of the source before it, and what it shows is a source of its own.

interface PatternPlace {
  /** Whose rows are looked at. */
  readonly source: Source;
  readonly place: Place;
}

function readRowPattern(reading: Reading, pattern: SqlNode, { source, place }: PatternPlace): Source {
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

/** A function in FROM: its arguments are read, its columns come from a list or are open. */
interface FunctionPlace {
  readonly place: Place;
  readonly alias: RelationAlias;
  /** The relation that the source is for: a Table, Lateral, TableFromRows. */
  readonly node: SqlNode;
}

function readFunction(reading: Reading, call: SqlNode, { place, alias, node }: FunctionPlace): Source {
  const lineage = computedLineage(listen(reading, () => readExpression(reading, call, place)));
  const written = call.value ?? '';
  const name = written.slice(written.lastIndexOf('.') + 1);
  const known = declaredColumns(call) ?? functionColumns(reading, name, alias);
  const ordinality = child(node, 'ordinality') === undefined ? [] : [createOutput('ordinality', 'numeric')];
  const list = [...withLineage(known.list, lineage), ...ordinality];
  const columns = createColumns(list, known.openness);
  return createSource(reading, { kind: 'function', node, alias, columns, ownName: name });
}

/** The COLUMNS of JSON_TABLE and XMLTABLE, nested ones included. */
function declaredColumns(call: SqlNode): Columns | undefined {
  const declared = call.children.find(({ type }) => type === 'TableColumns');
  return declared && createColumns(outputsIn(declared));
}

function outputsIn(columns: SqlNode): readonly Output[] {
  return columns.children.flatMap((column) => {
    const name = child(column, 'this')?.value;
    return name === undefined ? outputsIn(column) : [createOutput(name)];
  });
}

function functionColumns({ tree, rules }: Reading, name: string, alias: RelationAlias): Columns {
  const ownName = (rules.functionAliasNamesColumn ? alias.name : undefined) ?? name;
  const known = tableFunctionColumns(name, tree.dialect, ownName);
  if (known !== undefined) return createColumns(known);
  // What a function gives that is not listed: a value under its own name, or columns nobody knows.
  return createColumns(rules.functionAliasNamesColumn ? [createOutput(ownName)] : [], 'all');
}

function withLineage(list: readonly Output[], lineage: Lineage): readonly Output[] {
  return list.map((output) => ({ ...output, lineage }));
}
