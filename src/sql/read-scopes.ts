/** Walks a query tree clause by clause and builds the scopes in which its names are to be understood. */

import {
  ANY_COLUMNS,
  type Columns,
  createScope,
  type NameRules,
  type Scope,
  type Source,
} from './name-scope.ts';
import { aliasOf, allColumns, projectedColumns, renamed, wildcardSource } from './shown-columns.ts';
import {
  field,
  type Identifier,
  identifierOf,
  isEmpty,
  isQueryNode,
  isTreeNode,
  listOf,
  nameParts,
  type TreeNode,
  variantOf,
} from './syntax-tree.ts';

/** The common table expressions that can be named, lower case. */
export type CteColumns = ReadonlyMap<string, Columns>;

/** What the walk tells about each name it meets. */
export interface ScopeReader {
  readonly rules: NameRules;
  readTable(parts: readonly Identifier[], ctes: CteColumns): Columns & { readonly isTable?: boolean };
  readBareName(name: Identifier, scope: Scope, inOrderBy: boolean): void;
  readDottedName(parts: readonly Identifier[], scope: Scope): void;
  /** The `t` of `t.*`. */
  readSourceName(name: Identifier, scope: Scope): void;
}

/** What the walk carries along. */
export interface ReadingContext {
  readonly ctes: CteColumns;
  readonly reader: ScopeReader;
  /** In ORDER BY an alias of the select list wins over a column. */
  readonly inOrderBy: boolean;
}

interface BodyResult {
  readonly columns: Columns;
  /** The scope of a plain SELECT, in which its ORDER BY is read too. */
  readonly scope?: Scope;
}

/** Reads a query and everything inside it; gives the columns it shows. */
export function readQuery(query: TreeNode, outer: Scope, around: ReadingContext): Columns {
  const context = { ...around, ctes: readCtes(query.with, outer, around), inOrderBy: false };
  const body = readBody(query.body, outer, context);
  const scope = body.scope ?? scopeOver(body.columns, outer);
  readExpression(query.order_by, scope, { ...context, inOrderBy: true });
  // LIMIT sees no columns.
  readExpression(query.limit_clause, createScope(undefined), context);
  return body.columns;
}

function readCtes(withClause: unknown, outer: Scope, context: ReadingContext): CteColumns {
  const ctes = new Map(context.ctes);
  for (const cte of listOf(field(withClause, 'cte_tables'))) {
    const alias = field(cte, 'alias');
    const name = identifierOf(field(alias, 'name'))?.name.toLowerCase();
    const query = field(cte, 'query');
    if (name === undefined || !isQueryNode(query)) continue;
    // A recursive one names itself inside; until it has been read its columns are the declared ones, or any.
    ctes.set(name, renamed(ANY_COLUMNS, alias));
    ctes.set(name, renamed(readQuery(query, outer, { ...context, ctes }), alias));
  }
  return ctes;
}

function readBody(body: unknown, outer: Scope, context: ReadingContext): BodyResult {
  const variant = variantOf(body);
  const content = variant?.content;
  if (variant?.name === 'Select') return readSelect(content, outer, context);
  if (variant?.name === 'SetOperation') return { columns: readSetOperation(content, outer, context) };
  if (variant?.name === 'Query' && isQueryNode(content)) {
    return { columns: readQuery(content, outer, context) };
  }
  readExpression(content, outer, context);
  return { columns: ANY_COLUMNS };
}

/** Left column names count; ORDER BY may use those of the other branches too, so all are kept. */
function readSetOperation(node: unknown, outer: Scope, context: ReadingContext): Columns {
  const left = readBody(field(node, 'left'), outer, context).columns;
  const right = readBody(field(node, 'right'), outer, context).columns;
  return {
    named: new Map([...right.named, ...left.named]),
    isOpen: left.isOpen || right.isOpen,
    hasUnnamed: left.hasUnnamed || right.hasUnnamed,
  };
}

function readSelect(select: unknown, outer: Scope, context: ReadingContext): BodyResult {
  const scope = createScope(outer);
  const conditions = listOf(field(select, 'from')).flatMap((item) => readFromItem(item, scope, context));
  readExpression(conditions, scope, context);
  const projection = listOf(field(select, 'projection'));
  for (const item of projection) {
    const alias = identifierOf(field(field(item, 'ExprWithAlias'), 'alias'));
    if (alias) scope.aliases.add(alias.name.toLowerCase());
  }
  for (const clause of [
    'distinct',
    'projection',
    'selection',
    'group_by',
    'having',
    'named_window',
    'qualify',
  ]) {
    readExpression(field(select, clause), scope, context);
  }
  return { columns: projectedColumns(projection, scope), scope };
}

/** The scope of a join and where in it the sources of its right side start. */
interface JoinPlace {
  readonly scope: Scope;
  readonly before: number;
}

/** Reads one entry of FROM with its joins; the ON conditions left for later come back. */
function readFromItem(item: unknown, scope: Scope, context: ReadingContext): readonly unknown[] {
  const conditions: unknown[] = [];
  readRelation(field(item, 'relation'), scope, context);
  for (const join of listOf(field(item, 'joins'))) {
    const before = scope.sources.length;
    readRelation(field(join, 'relation'), scope, context);
    const constraint = variantOf(field(join, 'join_operator'))?.content;
    const using = field(constraint, 'Using');
    if (using !== undefined) readUsing(using, { scope, before }, context);
    else if (variantOf(constraint)?.name === 'Natural') mergeNatural(scope, before);
    else if (context.reader.rules.onSeesLaterSources) conditions.push(constraint);
    else readExpression(constraint, scope, context);
  }
  return conditions;
}

/** A USING column must be on both sides, and is one column from then on; the right side starts at `before`. */
function readUsing(using: unknown, { scope, before }: JoinPlace, { reader }: ReadingContext): void {
  for (const part of listOf(using)) {
    const name = nameParts(part)?.at(-1);
    if (name === undefined) continue;
    const bare = { ...name, quote: undefined };
    const right = { ...createScope(undefined), sources: scope.sources.slice(before) };
    reader.readBareName(bare, right, false);
    scope.merged.add(name.name.toLowerCase());
    const left = { ...right, sources: scope.sources.slice(0, before), merged: scope.merged };
    reader.readBareName(bare, left, false);
  }
}

function mergeNatural(scope: Scope, before: number): void {
  const left = new Set(scope.sources.slice(0, before).flatMap((source) => [...source.columns.named.keys()]));
  for (const source of scope.sources.slice(before)) {
    for (const name of source.columns.named.keys()) if (left.has(name)) scope.merged.add(name);
  }
}

function readRelation(relation: unknown, scope: Scope, context: ReadingContext): void {
  const variant = variantOf(relation);
  const content = variant?.content;
  const alias = field(content, 'alias');
  switch (variant?.name) {
    case 'Table':
      scope.sources.push(readTable(content, scope, context));
      return;
    case 'Derived': {
      const sees = context.reader.rules.derivedSeesSiblings || !isEmpty(field(content, 'lateral'));
      const outer = sees ? scope : (scope.parent ?? createScope(undefined));
      const query = field(content, 'subquery');
      const columns = isQueryNode(query) ? readQuery(query, outer, context) : ANY_COLUMNS;
      scope.sources.push({ alias: aliasOf(alias), columns: renamed(columns, alias), isTable: false });
      return;
    }
    case 'NestedJoin':
      readNestedJoin(content, scope, context);
      return;
    default:
      // PIVOT, UNNEST and the like: their columns come of data or of expressions we do not evaluate.
      readExpression(field(content, 'array_exprs'), scope, context);
      scope.sources.push({ alias: aliasOf(alias), columns: ANY_COLUMNS, isTable: false });
  }
}

function readTable(content: unknown, scope: Scope, context: ReadingContext): Source {
  const alias = field(content, 'alias');
  const parts = nameParts(field(content, 'name')) ?? [];
  const ownName = parts.at(-1)?.name.toLowerCase();
  if (!isEmpty(field(content, 'args'))) {
    readExpression(field(content, 'args'), scope, context);
    return { alias: aliasOf(alias) ?? ownName, columns: ANY_COLUMNS, isTable: false };
  }
  const found = context.reader.readTable(parts, context.ctes);
  return {
    alias: aliasOf(alias) ?? ownName,
    columns: renamed(found, alias),
    isTable: found.isTable === true,
  };
}

function readNestedJoin(content: unknown, scope: Scope, context: ReadingContext): void {
  const alias = field(content, 'alias');
  const inner = createScope(scope.parent);
  readExpression(readFromItem(field(content, 'table_with_joins'), inner, context), inner, context);
  if (isEmpty(alias)) {
    scope.sources.push(...inner.sources);
    for (const name of inner.merged) scope.merged.add(name);
    return;
  }
  scope.sources.push({ alias: aliasOf(alias), columns: renamed(allColumns(inner), alias), isTable: false });
}

/** Reads every name below a node; a query inside is read with this scope around it. */
function readExpression(node: unknown, scope: Scope, context: ReadingContext): void {
  if (Array.isArray(node)) {
    for (const item of node) readExpression(item, scope, context);
    return;
  }
  if (!isTreeNode(node)) return;
  if (isQueryNode(node)) {
    readQuery(node, scope, context);
    return;
  }
  for (const [key, content] of Object.entries(node)) readChild(key, content, scope, context);
}

/** Fields that hold names of other things than columns, or no names at all. */
const SKIPPED = new Set(
  'alias name data_type collation span window_name NamedWindow Dot TypedString'.split(' '),
);

function readChild(key: string, content: unknown, scope: Scope, context: ReadingContext): void {
  if (SKIPPED.has(key) || key.endsWith('_token')) return;
  if (key === 'Identifier') {
    const name = identifierOf(content);
    if (name) context.reader.readBareName(name, scope, context.inOrderBy);
  } else if (key === 'CompoundIdentifier') {
    const parts = listOf(content).map(identifierOf);
    if (parts.every((part) => part !== undefined)) context.reader.readDottedName(parts, scope);
  } else if (key === 'QualifiedWildcard') {
    const source = wildcardSource(content);
    if (source) context.reader.readSourceName(source, scope);
  } else if (key === 'Lambda') {
    const inner = createScope(scope, lambdaParameters(field(content, 'params')));
    readExpression(field(content, 'body'), inner, context);
  } else {
    readExpression(content, scope, context);
  }
}

function lambdaParameters(parameters: unknown): readonly string[] {
  const many = field(parameters, 'Many');
  const one = field(parameters, 'One');
  return (many === undefined ? [one] : listOf(many))
    .map((parameter) => identifierOf(field(parameter, 'name') ?? parameter)?.name.toLowerCase())
    .filter((name) => name !== undefined);
}

function scopeOver(columns: Columns, outer: Scope): Scope {
  const scope = createScope(outer);
  scope.sources.push({ alias: undefined, columns, isTable: false });
  return scope;
}
