/** The elements of an array in FROM: UNNEST, and BigQuery's path `t.items`. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { createColumns, createOutput } from './columns.ts';
import { createSource } from './create-source.ts';
import { computedLineage } from './lineage.ts';
import { readName } from './name.ts';
import type { RelationAlias } from './read-alias.ts';
import { readExpression } from './read-expression.ts';
import type { FunctionPlace } from './read-function.ts';
import { tableNameParts } from './read-table-name.ts';
import { type Level, listen, type Place, type Reading } from './reading.ts';
import { findSources, resolveQualified } from './resolve-qualified.ts';
import type { Output, Source } from './scope.ts';

/** One column for each array; a list of names may be longer, since a map gives keys and values. */
export function readUnnest(reading: Reading, unnest: SqlNode, { place, alias, node }: FunctionPlace): Source {
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
export function isArrayPath(reading: Reading, node: SqlNode, level: Level): boolean {
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

export function readArrayPath(reading: Reading, node: SqlNode, { place, alias }: PathPlace): Source {
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
