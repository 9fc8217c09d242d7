/** The select list: what each item shows, and the aliases other clauses may name. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { ANY_COLUMNS, createColumns, joinOpenness, renameOutput } from './columns.ts';
import { computedLineage } from './lineage.ts';
import { outputName } from './output-name.ts';
import { readExpression } from './read-expression.ts';
import { readStar, showAll } from './read-star.ts';
import { listen, type Place, type Reading } from './reading.ts';
import type { Columns, Output, Reference } from './scope.ts';
import { withoutBrackets } from './without-brackets.ts';

/** A SELECT without a list, as DuckDB's `FROM t`, shows all columns of all sources. */
export function readProjection(reading: Reading, select: SqlNode, place: Place): Columns {
  const items = childrenIn(select, 'expressions');
  if (items.length === 0) return showAll(place.level);
  const parts: Columns[] = [];
  const list: Output[] = [];
  for (const item of items) {
    const columns = readItem(reading, item, { place, index: list.length });
    parts.push(columns);
    for (const output of columns.list) list.push(output);
  }
  return createColumns(list, joinOpenness(parts));
}

interface ItemPlace {
  readonly place: Place;
  /** Number of columns shown by the items before. */
  readonly index: number;
}

function readItem(reading: Reading, item: SqlNode, at: ItemPlace): Columns {
  const value = starOf(withoutBrackets(item));
  if (isStar(value)) return readStarItem(reading, value, at.place);
  if (value.type === 'Dot' && child(value, 'expression')?.type === 'Star')
    return readRowStar(reading, value, at);
  if (item.type === 'Aliases') return readManyAliases(reading, item, at);
  if (isColumnsCall(value)) return readOpenItem(reading, value, at);
  const output = item.type === 'Alias' ? readAliased(reading, item, at) : readPlain(reading, item, at);
  return createColumns([output]);
}

/** `* ILIKE 'a%'` of Snowflake shows some of the columns; all are taken. */
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
  const { aliases, sources } = place.level;
  for (const output of columns.list) {
    const { key } = output;
    if (key === undefined || aliases.has(key)) continue;
    if (sources.every((source) => source.columns.byKey.get(key) !== output)) aliases.set(key, output);
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

function readManyAliases(reading: Reading, item: SqlNode, at: ItemPlace): Columns {
  const value = child(item, 'this') ?? item;
  const output = readValue(reading, value, at);
  return createColumns(childrenIn(item, 'aliases').map((alias) => renameOutput(output, alias.value ?? '')));
}

function readAliased(reading: Reading, item: SqlNode, at: ItemPlace): Output {
  const value = child(item, 'this') ?? item;
  const output = renameOutput(readValue(reading, value, at), child(item, 'alias')?.value ?? '');
  const { aliases } = at.place.level;
  // Of two equal aliases the first is meant.
  if (output.key !== undefined && !aliases.has(output.key)) aliases.set(output.key, output);
  return output;
}

function readPlain(reading: Reading, item: SqlNode, at: ItemPlace): Output {
  const output = readValue(reading, item, at);
  const reference = reading.references[withoutBrackets(item).id];
  const { plain } = at.place.level;
  if (reference?.kind === 'column' && output.key !== undefined && !plain.has(output.key)) {
    plain.set(output.key, reference);
  }
  return output;
}

/** The output of an expression under the name it has without an alias. */
function readValue(reading: Reading, node: SqlNode, { place, index }: ItemPlace): Output {
  const heard = listen(reading, () => readExpression(reading, node, place));
  const { name, key } = outputName(reading.tree, { node, index }, reading.rules);
  const reference = reading.references[withoutBrackets(node).id];
  const same = reference && sameOutput(reference);
  if (same !== undefined) {
    return { name, key, lineage: same.lineage, origin: { kind: 'outputs', outputs: [same] } };
  }
  const lineage = reference?.kind === 'open' ? reference.lineage : computedLineage(heard);
  return { name, key, lineage, origin: { kind: 'expression', node } };
}

/** The output that a plain name shows unchanged. */
function sameOutput(reference: Reference): Output | undefined {
  if (reference.kind !== 'column' && reference.kind !== 'alias') return undefined;
  return reference.fields.length === 0 ? reference.output : undefined;
}
