/** The select list: what each item shows, and the aliases other clauses may name. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { ANY_COLUMNS, createColumns, joinOpenness, renameOutput } from './columns.ts';
import { computedLineage } from './lineage.ts';
import { type OutputName, outputName } from './output-name.ts';
import { readExpression } from './read-expression.ts';
import { readStar, showAll } from './read-star.ts';
import { scopeOfQuery } from './read-with.ts';
import { listen, type Place, type Reading, takeSteps } from './reading.ts';
import type { Columns, Output, Reference } from './scope.ts';
import { withoutBrackets } from './without-brackets.ts';

/** A SELECT without a list, as DuckDB's `FROM t`, shows all columns of all sources. */
export function readProjection(reading: Reading, select: SqlNode, place: Place): Columns {
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
