/** What the schema says of every node of a query, as rows of the 22 schema features. */

import type { ReadQuery, SchemaFacts } from '../../faults/index.ts';
import { child, type Reference, type Scope, type Source, type SqlNode } from '../../sql/index.ts';
import { joinFits } from './schema-join-fits.ts';
import { type NamesInUse, namesInUse } from './schema-names-in-use.ts';

/** Places in a row, in the order of the specification (17 to 38). */
const AT = {
  isIdentifierValid: 0,
  tableExists: 1,
  columnExistsAnywhere: 2,
  columnExistsInResolvedTable: 3,
  columnExistsInScope: 4,
  tablesWithColumn: 5,
  scopeSourcesWithColumn: 6,
  isAmbiguousInScope: 7,
  hasQualifier: 8,
  qualifierInScope: 9,
  qualifierIsAlias: 10,
  qualifierIsTableName: 11,
  qualifierResolvesToBase: 12,
  tableIsAliased: 13,
  aliasUsed: 14,
  aliasShadowsTable: 15,
  scopeSources: 16,
  isPrimaryKey: 17,
  isForeignKey: 18,
  joinMatchesKey: 19,
  columnsInTable: 20,
  resolvesToProjectionAlias: 21,
} as const;

export const SCHEMA_WIDTH = 22;

interface Looking {
  readonly query: ReadQuery;
  readonly schema: SchemaFacts;
  readonly used: NamesInUse;
  /** One row of `SCHEMA_WIDTH` values after the other, by node id. */
  readonly rows: Float64Array;
}

/** Rows by node id, one after the other. */
export function schemaRows(query: ReadQuery, schema: SchemaFacts): Float64Array {
  const { tree, scopes } = query;
  const rows = new Float64Array(tree.nodes.length * SCHEMA_WIDTH);
  const looking: Looking = { query, schema, used: namesInUse(query), rows };
  const fits = joinFits(query, schema);
  const visible = visibleCounts(query);
  for (const node of tree.nodes) {
    readNode(looking, node);
    const row = node.id * SCHEMA_WIDTH;
    const scope = scopes.places[node.id];
    rows[row + AT.scopeSources] = scope === undefined ? 0 : (visible[scope.query.id] ?? 0);
    rows[row + AT.joinMatchesKey] = fits[node.id] ?? -1;
  }
  return rows;
}

/** Sources that a query sees, its own and those around it; by the id of its node. */
function visibleCounts({ tree, scopes }: ReadQuery): Int32Array {
  const counts = new Int32Array(tree.nodes.length);
  // Outer ones come first.
  for (const { query, outer, sources } of scopes.all) {
    counts[query.id] = sources.length + (outer === undefined ? 0 : (counts[outer.query.id] ?? 0));
  }
  return counts;
}

function readNode(looking: Looking, node: SqlNode): void {
  switch (node.type) {
    case 'Column':
      return readColumn(looking, node, node.children.at(-1));
    case 'Table':
      return readRelation(looking, node, node);
    case 'TableAlias':
      return readAlias(looking, node);
    case 'Identifier':
      return readIdentifier(looking, node);
    default:
      looking.rows[node.id * SCHEMA_WIDTH + AT.isIdentifierValid] = 1;
  }
}

function readIdentifier(looking: Looking, node: SqlNode): void {
  const { rows, query } = looking;
  const { id, parent, role } = node;
  if (parent?.type === 'Column' && role !== 'this')
    readQualifier(looking, parent, { row: id * SCHEMA_WIDTH });
  else if (parent?.type === 'Column' || parent?.type === 'Table' || isAliasName(node))
    copyRow(rows, parent, id);
  // A name in USING, or behind a star's EXCEPT.
  else if (query.scopes.references[id] !== undefined) readColumn(looking, node, node);
  else {
    // Names of fields, windows, columns of an alias: the query makes them, or nobody can tell.
    rows[id * SCHEMA_WIDTH + AT.isIdentifierValid] = 1;
    if (parent?.type === 'Alias') readProjectionAlias(looking, node, parent);
  }
}

function isAliasName({ parent, role }: SqlNode): boolean {
  return parent?.type === 'TableAlias' && role === 'this';
}

/** Parents come before their children. */
function copyRow(rows: Float64Array, from: SqlNode | undefined, to: number): void {
  if (from === undefined) return;
  const start = from.id * SCHEMA_WIDTH;
  rows.copyWithin(to * SCHEMA_WIDTH, start, start + SCHEMA_WIDTH);
}

function readColumn(looking: Looking, node: SqlNode, name: SqlNode | undefined): void {
  const { rows, schema, query } = looking;
  const row = node.id * SCHEMA_WIDTH;
  const reference = query.scopes.references[node.id];
  const source = sourceOf(reference);
  rows[row + AT.tableExists] = bit(source !== undefined && source.kind !== 'unknown-table');
  rows[row + AT.tableIsAliased] = bit(source?.alias !== undefined);
  rows[row + AT.columnsInTable] = source?.columns.list.length ?? 0;
  const isQualified = node.children.length > 1;
  if (isQualified) {
    rows[row + AT.hasQualifier] = 1;
    readQualifier(looking, node, { row, isOfColumn: true });
  }
  // `t.*` names no column: it is as good as its qualifier.
  if (name?.type !== 'Identifier') {
    rows[row + AT.isIdentifierValid] = isQualified ? (rows[row + AT.qualifierInScope] ?? 0) : 1;
    return;
  }
  const named = schema.columnsNamed.get((name.value ?? '').toLowerCase());
  rows[row + AT.isIdentifierValid] = bit(named !== undefined || isMade(reference));
  rows[row + AT.columnExistsAnywhere] = bit(named !== undefined);
  rows[row + AT.columnExistsInResolvedTable] = bit(isHeld(reference));
  rows[row + AT.tablesWithColumn] = named?.length ?? 0;
  const holders = countHolders(query.scopes.places[node.id], (name.value ?? '').toLowerCase());
  rows[row + AT.scopeSourcesWithColumn] = holders;
  rows[row + AT.columnExistsInScope] = bit(holders > 0 || isMade(reference));
  rows[row + AT.isAmbiguousInScope] = bit(reference?.kind === 'ambiguous' && !isQualified);
  rows[row + AT.resolvesToProjectionAlias] = bit(reference?.kind === 'alias');
  const id = reference?.lineage.physical[0]?.id ?? '';
  rows[row + AT.isPrimaryKey] = bit(schema.primaryKeys.has(id));
  rows[row + AT.isForeignKey] = bit(schema.referring.has(id));
}

/** Whether the table that a name is looked for in has the column, or nobody can say that it has not. */
function isHeld(reference: Reference | undefined): boolean {
  switch (reference?.kind) {
    case 'column':
    case 'ambiguous':
    case 'hidden':
      return true;
    case 'open':
      return isOfOtherKinds(reference.candidates);
    default:
      return false;
  }
}

/** Columns of functions and the like are not told; of a table that the schema does not have there are none. */
function isOfOtherKinds(sources: readonly Source[]): boolean {
  return sources.every(({ kind }) => kind !== 'unknown-table');
}

/** Names that mean something although no table of the schema may have such a column. */
function isMade(reference: Reference | undefined): boolean {
  switch (reference?.kind) {
    case 'alias':
    case 'row':
    case 'unit':
    case 'parameter':
      return true;
    default:
      return isHeld(reference);
  }
}

function countHolders(place: Scope | undefined, key: string): number {
  let count = 0;
  for (let scope = place; scope !== undefined; scope = scope.outer) {
    for (const { columns } of scope.sources) if (columns.byKey.has(key)) count += 1;
  }
  return count;
}

interface QualifierRow {
  readonly row: number;
  /** The row of a column, whose own name and table are written elsewhere. */
  readonly isOfColumn?: boolean;
}

function readQualifier({ rows, schema, query }: Looking, column: SqlNode, at: QualifierRow): void {
  const { row } = at;
  const reference = query.scopes.references[column.id];
  const key = (child(column, 'table')?.value ?? '').toLowerCase();
  const isMissing = reference?.kind === 'unknown' && reference.missing === 'source';
  const source = isMissing ? undefined : findSource(query.scopes.places[column.id], key);
  // Of a path into a structure, the first name may be a column.
  const isInScope = source !== undefined || (!isMissing && isMade(reference));
  const isTableName = schema.tablesNamed.has(key);
  rows[row + AT.qualifierInScope] = bit(isInScope);
  rows[row + AT.qualifierIsAlias] = bit(source?.alias !== undefined);
  rows[row + AT.qualifierIsTableName] = bit(isTableName);
  rows[row + AT.qualifierResolvesToBase] = bit(source?.table !== undefined);
  if (at.isOfColumn) return;
  const isKnown = source !== undefined && source.kind !== 'unknown-table';
  // An alias is a name whatever it stands for; of a table that is not there the name is none.
  const isGiven = source === undefined ? isInScope : source.alias !== undefined;
  rows[row + AT.isIdentifierValid] = bit(isKnown || isTableName || isGiven);
  rows[row + AT.tableExists] = bit(isKnown);
  rows[row + AT.tableIsAliased] = bit(source?.alias !== undefined);
  rows[row + AT.columnsInTable] = source?.columns.list.length ?? 0;
  rows[row + AT.aliasShadowsTable] = bit(source !== undefined && isShadow(schema, source));
}

function findSource(place: Scope | undefined, key: string): Source | undefined {
  for (let scope = place; scope !== undefined; scope = scope.outer) {
    const source = scope.sources.find((one) => one.key === key);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** A table, or what else bears the alias of a relation. */
function readRelation({ rows, schema, query, used }: Looking, relation: SqlNode, node: SqlNode): void {
  const row = node.id * SCHEMA_WIDTH;
  const source = query.scopes.sources[relation.id];
  const name = (child(relation, 'this')?.value ?? '').toLowerCase();
  const isKnown = source === undefined ? schema.tablesNamed.has(name) : source.kind !== 'unknown-table';
  rows[row + AT.isIdentifierValid] = bit(isKnown);
  rows[row + AT.tableExists] = bit(isKnown);
  if (source === undefined) return;
  rows[row + AT.columnsInTable] = source.columns.list.length;
  rows[row + AT.tableIsAliased] = bit(source.alias !== undefined);
  rows[row + AT.aliasUsed] = bit(source.alias !== undefined && used.sources[source.node.id] === 1);
  rows[row + AT.aliasShadowsTable] = bit(isShadow(schema, source));
}

function isShadow({ tablesNamed }: SchemaFacts, { alias, key, table }: Source): boolean {
  return alias !== undefined && (tablesNamed.get(key ?? '')?.some(({ id }) => id !== table?.id) ?? false);
}

function readAlias(looking: Looking, node: SqlNode): void {
  const { rows, schema, query, used } = looking;
  const { parent } = node;
  const row = node.id * SCHEMA_WIDTH;
  if (parent !== undefined && parent.type !== 'CTE') readRelation(looking, parent, node);
  rows[row + AT.isIdentifierValid] = 1;
  if (parent?.type !== 'CTE') return;
  const key = (child(node, 'this')?.value ?? '').toLowerCase();
  const body = child(parent, 'this');
  const outputs = body && query.scopes.places[body.id]?.outputs;
  rows[row + AT.tableExists] = 1;
  rows[row + AT.aliasUsed] = bit(used.ctes.has(key));
  rows[row + AT.aliasShadowsTable] = bit(schema.tablesNamed.has(key));
  rows[row + AT.columnsInTable] = outputs?.list.length ?? 0;
}

function readProjectionAlias({ rows, schema, query, used }: Looking, node: SqlNode, alias: SqlNode): void {
  const row = node.id * SCHEMA_WIDTH;
  const key = (node.value ?? '').toLowerCase();
  const output = query.scopes.places[alias.id]?.outputs.byKey.get(key);
  rows[row + AT.aliasUsed] = bit(output !== undefined && used.outputs.has(output));
  rows[row + AT.aliasShadowsTable] = bit(schema.tablesNamed.has(key));
}

/** The source whose column a name is, or would be. */
function sourceOf(reference: Reference | undefined): Source | undefined {
  switch (reference?.kind) {
    case 'column':
    case 'open':
    case 'unknown':
    case 'hidden':
    case 'row':
      return reference.source;
    case 'ambiguous':
      return reference.candidates[0]?.source;
    case 'star':
      return reference.sources[0];
    default:
      return undefined;
  }
}

function bit(holds: boolean): number {
  return holds ? 1 : 0;
}
