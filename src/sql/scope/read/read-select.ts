/** One SELECT: its sources first, then its list, then the clauses that may name the aliases of the list. */
import { child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { ANY_COLUMNS, createColumns, joinOpenness, renameOutput } from '../state/columns.ts';
import { computedLineage } from '../state/lineage.ts';
import type { Clause } from '../state/name-rules.ts';
import {
  emptyLevel,
  type Frame,
  listen,
  openLevel,
  type Place,
  type Reading,
  takeSteps,
} from '../state/reading.ts';
import type { Columns, Output, Reference } from '../state/scope.ts';
import { type OutputName, outputName } from './output-name.ts';
import { readExpression, withoutBrackets } from './read-expression.ts';
import { openScope, readFrom, readWaiting } from './read-from.ts';
import { readStar, showAll } from './read-star.ts';
import { readWith, scopeOfQuery } from './read-with.ts';

export function readSelect(reading: Reading, select: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, select, frame);
  const ctes = readWith(reading, select, { parent: scope, outer: frame.outer, ctes: frame.ctes });
  const level = openLevel(scope, frame.outer);
  const place: Place = { level, ctes };
  const waiting = readFrom(reading, select, place);
  level.clause = 'select';
  scope.outputs = readProjection(reading, select, place);
  readWaiting(reading, waiting, place);
  for (const clause of select.children) readClause(reading, clause, place);
  return scope.outputs;
}

/** Clauses besides WITH, FROM, joins and the list. */
const CLAUSES: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  // PostgreSQL reads DISTINCT ON by the rules of ORDER BY.
  ['distinct', 'order'],
  ['where', 'where'],
  ['group', 'group'],
  ['having', 'having'],
  ['windows', 'window'],
  ['qualify', 'qualify'],
  ['order', 'order'],
]);

function readClause(reading: Reading, node: SqlNode, place: Place): void {
  const clause = CLAUSES.get(node.role);
  if (clause !== undefined) {
    place.level.clause = clause;
    if (clause === 'group' || clause === 'order') readTerms(reading, node, place);
    else readExpression(reading, node, place);
  } else if (node.role === 'limit' || node.role === 'offset') readLimit(reading, node, place);
}

/** Around a term of GROUP BY or ORDER BY; below them a name is the whole term. */
const TERM_LISTS: ReadonlySet<string> = new Set([
  'Order',
  'Ordered',
  'Group',
  'Rollup',
  'Cube',
  'GroupingSets',
  'Distinct',
  'Tuple',
  'Paren',
  'Collate',
]);

/** Reads terms so that a bare name among them is known to be one. */
function readTerms(reading: Reading, node: SqlNode, place: Place): void {
  if (TERM_LISTS.has(node.type)) {
    for (const part of node.children) readTerms(reading, part, place);
    return;
  }
  const before = place.level.bareTerm;
  place.level.bareTerm = node;
  readExpression(reading, node, place);
  place.level.bareTerm = before;
}

/** LIMIT sees no columns. */
function readLimit(reading: Reading, node: SqlNode, { level, ctes }: Place): void {
  readExpression(reading, node, { level: emptyLevel(level.scope, undefined), ctes });
}

/** The ORDER BY and LIMIT of a set operation, of VALUES or of brackets, which name output columns. */
export function readEnd(reading: Reading, query: SqlNode, place: Place): void {
  const order = child(query, 'order');
  if (order !== undefined) readTerms(reading, order, place);
  for (const part of query.children) {
    if (part.role === 'limit' || part.role === 'offset') readLimit(reading, part, place);
  }
}

// The select list: what each item shows, and the aliases other clauses may name.

/** A SELECT without a list, as DuckDB's `FROM t`, shows all columns of all sources. */
function readProjection(reading: Reading, select: SqlNode, place: Place): Columns {
  const items = childrenIn(select, 'expressions');
  if (items.length === 0) return showAll(reading, place.level);
  const [only] = items;
  // `SELECT * FROM t` shows what its source shows; no list needs to be made.
  if (items.length === 1 && only !== undefined && isStar(only)) return readStarItem(reading, only, place);
  const parts: Shown[] = [];
  const list: Output[] = [];
  for (const item of items) {
    const columns = readItem(reading, item, { place, index: list.length });
    parts.push(columns);
    takeSteps(reading, columns.list.length);
    for (const output of columns.list) list.push(output);
  }
  return createColumns(list, joinOpenness(parts));
}

/** The columns of one item; to be looked up only once the list is whole. */
type Shown = Pick<Columns, 'list' | 'openness'>;

interface ItemPlace {
  readonly place: Place;
  /** Number of columns shown by the items before. */
  readonly index: number;
}

function readItem(reading: Reading, item: SqlNode, at: ItemPlace): Shown {
  const value = starOf(withoutBrackets(item));
  if (isStar(value)) return readStarItem(reading, value, at.place);
  if (value.type === 'Dot' && child(value, 'expression')?.type === 'Star')
    return readRowStar(reading, value, at);
  if (item.type === 'Aliases') return readManyAliases(reading, item, at);
  if (isColumnsCall(value)) return readOpenItem(reading, value, at);
  const output = item.type === 'Alias' ? readAliased(reading, item, at) : readPlain(reading, item, at);
  return { list: [output], openness: 'none' };
}

/** `* ILIKE 'a%'` of DuckDB shows some of the columns; all are taken. */
function starOf(node: SqlNode): SqlNode {
  const filtered = node.type === 'ILike' ? child(node, 'this') : undefined;
  return filtered?.type === 'Star' ? filtered : node;
}

function isStar(node: SqlNode): boolean {
  return node.type === 'Star' || (node.type === 'Column' && node.children.at(-1)?.type === 'Star');
}

/** Columns that REPLACE or RENAME made anew can be named like aliases. */
function readStarItem(reading: Reading, star: SqlNode, place: Place): Columns {
  const columns = readStar(reading, star, place);
  const changes = star.type === 'Star' ? star.children : (star.children.at(-1)?.children ?? []);
  for (const { role, children } of changes) {
    const key = children.find((part) => part.role === 'alias')?.value?.toLowerCase();
    const output = role === 'except' || key === undefined ? undefined : columns.byKey.get(key);
    if (output !== undefined) addAlias(place, output);
  }
  return columns;
}

/** `(t).*` of a row shows its columns, of another value fields nobody knows. */
function readRowStar(reading: Reading, node: SqlNode, at: ItemPlace): Columns {
  readOpenItem(reading, node, at);
  const row = child(node, 'this');
  const reference = row && reading.references[withoutBrackets(row).id];
  return reference?.kind === 'row' ? reference.source.columns : ANY_COLUMNS;
}

/** COLUMNS('pattern') of DuckDB shows as many columns as match. */
function isColumnsCall(node: SqlNode): boolean {
  return node.type === 'Anonymous' && node.flags.call !== undefined && /^columns$/i.test(node.value ?? '');
}

function readOpenItem(reading: Reading, node: SqlNode, { place }: ItemPlace): Columns {
  readExpression(reading, node, place);
  return ANY_COLUMNS;
}

function readManyAliases(reading: Reading, item: SqlNode, at: ItemPlace): Shown {
  const value = child(item, 'this') ?? item;
  const output = readValue(reading, value, at);
  const outputs = childrenIn(item, 'aliases').map((alias) => renameOutput(output, alias.value ?? ''));
  for (const one of outputs) addAlias(at.place, one);
  return { list: outputs, openness: 'none' };
}

function readAliased(reading: Reading, item: SqlNode, at: ItemPlace): Output {
  const value = child(item, 'this') ?? item;
  const output = renameOutput(readValue(reading, value, at), child(item, 'alias')?.value ?? '');
  addAlias(at.place, output);
  return output;
}

/** Of two equal aliases the first is meant. */
function addAlias({ level }: Place, output: Output): void {
  const { aliases } = level;
  if (output.key !== undefined && !aliases.has(output.key)) aliases.set(output.key, output);
}

function readPlain(reading: Reading, item: SqlNode, at: ItemPlace): Output {
  const output = readValue(reading, item, at);
  const reference = reading.references[withoutBrackets(item).id];
  if (reference?.kind === 'column') at.place.level.plain.set(output, reference);
  return output;
}

/** The output of an expression under the name it has without an alias. */
function readValue(reading: Reading, node: SqlNode, { place, index }: ItemPlace): Output {
  const heard = listen(reading, () => readExpression(reading, node, place));
  const { name, key } = nameOf(reading, node, index);
  const reference = reading.references[withoutBrackets(node).id];
  const same = reference && sameOutput(reference);
  if (same !== undefined) {
    return { name, key, lineage: same.lineage, origin: { kind: 'outputs', outputs: [same] } };
  }
  const lineage = reference?.kind === 'open' ? reference.lineage : computedLineage(heard);
  return { name, key, lineage, origin: { kind: 'expression', node } };
}

/** Where expressions are called after functions, a subquery is called after its column. */
function nameOf(reading: Reading, node: SqlNode, index: number): OutputName {
  const own = outputName(reading.tree, { node, index }, reading.rules);
  if (node.type !== 'Subquery' || reading.rules.unnamedOutput !== 'function') return own;
  return scopeOfQuery(reading, node)?.outputs.list[0] ?? own;
}

/** The output that a plain name shows unchanged. */
function sameOutput(reference: Reference): Output | undefined {
  if (reference.kind !== 'column' && reference.kind !== 'alias') return undefined;
  return reference.fields.length === 0 ? reference.output : undefined;
}
