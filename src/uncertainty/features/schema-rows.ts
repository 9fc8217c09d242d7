/** What the schema says of every node of a query, as rows of the 22 schema features. */

import type { SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { Reference, Scope, Source } from '../../sql/scope/index.ts';
import { child, type SqlNode } from '../../sql/tree/index.ts';

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

// Whether the columns that a query joins by are those of a key.

/**
 * By node id: 1 a key joins the two columns, 0.5 they have one name and it is that of a key, 0 neither; undefined where
 * a node joins nothing. For the `=` of two columns in ON or of two sources elsewhere (a join written with a comma), its
 * columns and their names, names in USING, and for a Join the best of its conditions.
 */
function joinFits({ tree, scopes }: ReadQuery, schema: SchemaFacts): readonly (number | undefined)[] {
  const fits: (number | undefined)[] = new Array(tree.nodes.length);
  const idsOf = (node: SqlNode) => columnIds(scopes.references[node.id]);
  for (const node of tree.nodes) {
    if (node.type === 'EQ') {
      const [left, right] = node.children;
      if (left?.type !== 'Column' || right?.type !== 'Column') continue;
      const join = joinAround(node);
      if (join === undefined && !isOfTwoSources(scopes.references[left.id], scopes.references[right.id]))
        continue;
      const fit = fitOf(schema, idsOf(left), idsOf(right));
      for (const part of [node, left, right]) fits[part.id] = fit;
      for (const part of [...left.children, ...right.children]) fits[part.id] = fit;
      raise(fits, join, fit);
    } else if (node.role === 'using' && node.parent?.type === 'Join') {
      const ids = idsOf(node);
      const fit = fitOf(schema, ids, ids);
      fits[node.id] = fit;
      raise(fits, node.parent, fit);
    }
  }
  return fits;
}

function raise(fits: (number | undefined)[], join: SqlNode | undefined, fit: number): void {
  if (join !== undefined) fits[join.id] = Math.max(fits[join.id] ?? 0, fit);
}

/** The Join in whose condition a node stands. */
function joinAround(node: SqlNode): SqlNode | undefined {
  for (let at: SqlNode | undefined = node; at !== undefined && at.type !== 'Select'; at = at.parent) {
    if (at.parent?.type === 'Join' && at.role !== 'this') return at.parent;
  }
  return undefined;
}

function isOfTwoSources(one: Reference | undefined, other: Reference | undefined): boolean {
  return one?.kind === 'column' && other?.kind === 'column' && one.source !== other.source;
}

const NO_IDS: readonly string[] = [];

/** The columns of the schema that a name is the value of, also through derived tables. */
function columnIds(reference: Reference | undefined): readonly string[] {
  const physical = reference?.lineage.physical;
  return physical === undefined || physical.length === 0 ? NO_IDS : physical.map(({ id }) => id);
}

function fitOf(schema: SchemaFacts, left: readonly string[], right: readonly string[]): number {
  let best = 0;
  for (const one of left) {
    for (const other of right) {
      if (schema.isKeyPair(one, other)) return 1;
      if (one !== other && isNamesake(schema, one, other)) best = 0.5;
    }
  }
  return best;
}

/** Both ends of a key in many schemas that declare none. */
function isNamesake(schema: SchemaFacts, one: string, other: string): boolean {
  const name = schema.columns.get(one)?.name.toLowerCase();
  const isSame = name !== undefined && name === schema.columns.get(other)?.name.toLowerCase();
  return isSame && (isKey(schema, one) || isKey(schema, other));
}

function isKey({ primaryKeys, referring, referred }: SchemaFacts, id: string): boolean {
  return primaryKeys.has(id) || referring.has(id) || referred.has(id);
}

// Which of the names that a query makes itself it also uses.

type Output = Scope['outputs']['list'][number];

interface NamesInUse {
  /** 1 for entries of FROM that a qualifier names; by the id of their node. */
  readonly sources: Uint8Array;
  /** Items of select lists that are named elsewhere in their query or outside of it. */
  readonly outputs: ReadonlySet<Output>;
  /** Lower-case names of common table expressions that some FROM reads. */
  readonly ctes: ReadonlySet<string>;
}

function namesInUse({ tree, scopes }: ReadQuery): NamesInUse {
  const sources = new Uint8Array(tree.nodes.length);
  const outputs = new Set<Output>();
  for (const { id, type, children } of tree.nodes) {
    const reference = scopes.references[id];
    if (reference === undefined) continue;
    if (reference.kind === 'alias' || reference.kind === 'column') outputs.add(reference.output);
    const isNamed = (type === 'Column' && children.length > 1) || reference.kind === 'row';
    if (isNamed) for (const source of sourcesOf(reference)) sources[source.node.id] = 1;
  }
  return { sources, outputs, ctes: readCtes(scopes.all) };
}

/** The sources that a name speaks of, or is looked for in. */
function sourcesOf(reference: Reference): readonly Source[] {
  switch (reference.kind) {
    case 'star':
      return reference.sources;
    case 'open':
      return reference.candidates;
    case 'ambiguous':
      return reference.candidates.flatMap(({ source }) => source ?? []);
    case 'column':
    case 'unknown':
    case 'hidden':
    case 'row':
      return reference.source === undefined ? [] : [reference.source];
    default:
      return [];
  }
}

function readCtes(all: readonly Scope[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { sources } of all) {
    for (const { kind, node } of sources) {
      const name = kind === 'cte' ? node.children.find(({ role }) => role === 'this')?.value : undefined;
      if (name !== undefined) names.add(name.toLowerCase());
    }
  }
  return names;
}
