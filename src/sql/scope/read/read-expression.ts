/** Reads every name below a node of an expression; a query inside is read with this place around it. */
import { child, type SqlNode } from '../../tree/node.ts';
import { NO_LINEAGE } from '../state/lineage.ts';
import { NO_ALIAS, readName } from '../state/names.ts';
import { emptyLevel, type Level, type Place, type Reading, takeSteps } from '../state/reading.ts';
import type { Reference, Source } from '../state/scope.ts';
import { columnReference, openReference, rowReference } from './create-reference.ts';
import { readStar } from './read-star.ts';
import { readTableName } from './read-table-name.ts';
import { findSources, resolveColumn } from './resolve-column.ts';

type Reader = (reading: Reading, node: SqlNode, place: Place) => void;

export function readExpression(reading: Reading, node: SqlNode, place: Place): void {
  takeSteps(reading, 1);
  const read = READERS.get(node.type);
  if (read !== undefined) read(reading, node, place);
  else if (node.flags.call !== undefined) readCall(reading, node, place);
  else readChildren(reading, node, place);
}

function readChildren(reading: Reading, node: SqlNode, place: Place): void {
  for (const part of node.children) readExpression(reading, part, place);
}

function readCall(reading: Reading, node: SqlNode, place: Place): void {
  const isAggregate = AGGREGATES.has((node.value ?? '').toUpperCase());
  if (isAggregate) place.level.aggregates += 1;
  readChildren(reading, node, place);
  if (isAggregate) place.level.aggregates -= 1;
}

function readColumn(reading: Reading, node: SqlNode, place: Place): void {
  if (node.children.at(-1)?.type === 'Star') {
    readStarValue(reading, node, place);
    return;
  }
  const reference = resolveColumn(reading, node, place.level);
  reading.references[node.id] = reference;
  reading.used.push(reference.lineage);
}

/** A star as an argument: COUNT(*), OBJECT_CONSTRUCT(*). */
function readStarValue(reading: Reading, node: SqlNode, place: Place): void {
  readStar(reading, node, place);
  reading.used.push(reading.references[node.id]?.lineage ?? NO_LINEAGE);
}

/** A value comes from what a subquery shows, not from what its conditions look at. */
function readSubquery(reading: Reading, node: SqlNode, { level, ctes }: Place): void {
  const outside = reading.used;
  reading.used = [];
  const columns = reading.readQuery(reading, node, {
    kind: 'subquery',
    parent: level.scope,
    outer: level,
    ctes,
  });
  reading.used = outside;
  // EXISTS looks at rows and not at what the query shows.
  if (node.parent?.type === 'Exists') return;
  takeSteps(reading, columns.list.length);
  for (const output of columns.list) reading.used.push(output.lineage);
}

/** `x -> x + 1`: its parameters are no columns. */
function readLambda(reading: Reading, node: SqlNode, { level, ctes }: Place): void {
  const names = node.children.filter((part) => part.role === 'expressions');
  const inner = emptyLevel(level.scope, level, { parameters: parameterNames(names) });
  const body = child(node, 'this');
  if (body !== undefined) readExpression(reading, body, { level: inner, ctes });
}

/** `WITH(a AS x + 1, a * 2)`: each name hides what is around it from there on. */
function readLet(reading: Reading, node: SqlNode, place: Place): void {
  let { level } = place;
  for (const part of node.children) {
    const value = part.type === 'LetName' ? child(part, 'this') : part;
    if (value !== undefined) readExpression(reading, value, { ...place, level });
    const name = child(part, 'alias');
    if (part.type !== 'LetName' || name === undefined) continue;
    level = emptyLevel(level.scope, level, { parameters: parameterNames([name]) });
  }
}

/** `[x + 1 FOR x IN list IF x > 0]`: the list is read outside. */
function readComprehension(reading: Reading, node: SqlNode, place: Place): void {
  const names = node.children.filter((part) => part.role === 'expressions');
  const level = emptyLevel(place.level.scope, place.level, { parameters: parameterNames(names) });
  for (const part of node.children) {
    if (part.role === 'iterator') readExpression(reading, part, place);
    else if (part.role !== 'expressions') readExpression(reading, part, { ...place, level });
  }
}

/** Parameters come as Identifiers or, where brackets were read first, as Columns. */
function parameterNames(nodes: readonly SqlNode[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    if (node.type === 'Identifier') names.add((node.value ?? '').toLowerCase());
    else for (const name of parameterNames(node.children)) names.add(name);
  }
  return names;
}

/** `name => value`, `{name: value}`: the name is no column. */
function readNamedValue(reading: Reading, node: SqlNode, place: Place): void {
  for (const part of node.children) {
    if (part.role === 'expression') readExpression(reading, part, place);
  }
}

/** The keys of a MAP are values, those of a struct names. */
function readProperty(reading: Reading, node: SqlNode, place: Place): void {
  if (node.parent?.type === 'Map') readChildren(reading, node, place);
  else readNamedValue(reading, node, place);
}

/** `x IN t`: in SQLite the name is a table's. */
function readIn(reading: Reading, node: SqlNode, place: Place): void {
  for (const part of node.children) {
    const isTable = part.role === 'field' && part.type === 'Column' && reading.rules.inNameIsTable;
    if (isTable) readListedTable(reading, part, place);
    else readExpression(reading, part, place);
  }
}

function readListedTable(reading: Reading, node: SqlNode, { ctes }: Place): void {
  const source = readTableName(reading, node, { ctes, alias: NO_ALIAS });
  const reference = rowReference(source);
  reading.references[node.id] = reference;
  reading.used.push(reference.lineage);
}

/** `#2`, `$2`: the second column of all sources, counted through. */
function readPlace(reading: Reading, node: SqlNode, { level }: Place): void {
  const held = level.sources.flatMap((source) => source.columns.list.map((output) => ({ source, output })));
  const isOpen = level.sources.some(({ columns }) => columns.openness !== 'none');
  const found = isOpen ? undefined : held[Number(node.value) - 1];
  const reference =
    found === undefined
      ? openReference(node.value ?? '', level.sources)
      : columnReference(level.scope, found);
  reading.references[node.id] = reference;
  reading.used.push(reference.lineage);
}

function readNothing(): void {}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['Column', readColumn],
  ['Star', readStarValue],
  ['PositionalReference', readPlace],
  ['Identifier', readNothing],
  ['Literal', readNothing],
  ['DataType', readNothing],
  ['Var', readNothing],
  ['Into', readNothing],
  ['Lock', readNothing],
  ['Subquery', readSubquery],
  ['Select', readSubquery],
  ['Union', readSubquery],
  ['Intersect', readSubquery],
  ['Except', readSubquery],
  ['Values', readSubquery],
  ['Pivot', readSubquery],
  ['Lambda', readLambda],
  ['Let', readLet],
  ['Comprehension', readComprehension],
  ['Kwarg', readNamedValue],
  ['PropertyEQ', readProperty],
  ['Dot', readDot],
  ['In', readIn],
]);

// What follows a dot that is no plain qualifier: `(row).field`, `t.$1`, `a.b.c.d.e`, `text.upper()`.

/** The field is no column, unless what stands before the dot is a whole row; arguments of a call count. */
function readDot(reading: Reading, node: SqlNode, place: Place): void {
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

/** Names of aggregate functions of the seven dialects, upper case. */
const AGGREGATES: ReadonlySet<string> = new Set(
  `ANY_VALUE APPROX_COUNT_DISTINCT APPROX_DISTINCT APPROX_PERCENTILE APPROX_QUANTILES APPROX_QUANTILE APPROX_TOP_COUNT
  APPROX_TOP_K APPROX_TOP_SUM ARBITRARY ARG_MAX ARG_MIN ARGMAX ARGMIN ARRAY_AGG ARRAY_CONCAT_AGG ARRAY_UNION_AGG
  ARRAY_UNIQUE_AGG AVG BIT_AND BIT_OR BIT_XOR BITAND_AGG BITOR_AGG BITXOR_AGG BOOL_AND BOOL_OR BOOLAND_AGG BOOLOR_AGG
  CHECKSUM CORR COUNT COUNT_IF COUNTIF COVAR_POP COVAR_SAMP ENTROPY EVERY FIRST FSUM GEOMETRIC_MEAN GROUP_CONCAT
  HISTOGRAM HLL JSON_AGG JSON_ARRAYAGG JSON_GROUP_ARRAY JSON_GROUP_OBJECT JSON_OBJECT_AGG JSON_OBJECTAGG JSONB_AGG
  JSONB_OBJECT_AGG KURTOSIS LAST LIST LISTAGG LOGICAL_AND LOGICAL_OR MAD MAP_AGG MAX MAX_BY MEAN MEDIAN MIN MIN_BY MODE
  MULTIMAP_AGG NUMERIC_HISTOGRAM OBJECT_AGG PERCENTILE PERCENTILE_CONT PERCENTILE_DISC PRODUCT QUANTILE QUANTILE_CONT
  QUANTILE_DISC REGR_AVGX REGR_AVGY REGR_COUNT REGR_INTERCEPT REGR_R2 REGR_SLOPE SKEWNESS STD STDDEV STDDEV_POP
  STDDEV_SAMP STRING_AGG SUM TOTAL VAR_POP VAR_SAMP VARIANCE VARIANCE_POP VARIANCE_SAMP XMLAGG`.split(/\s+/),
);

/** Whether a node calls an aggregate. MAX and MIN of several values are none: SQLite's MAX(a, b) is the greater. */
export function isAggregateCall({ type, value, flags, children }: SqlNode): boolean {
  if (flags.call === undefined || !AGGREGATES.has((value ?? '').toUpperCase())) return false;
  return (type !== 'Max' && type !== 'Min') || children.length < 2;
}

/** The expression inside brackets that only group: `((a))` is a. */
export function withoutBrackets(node: SqlNode): SqlNode {
  let at = node;
  while (at.type === 'Paren' && at.children[0] !== undefined) at = at.children[0];
  return at;
}
