import type { Catalog } from '../../../catalog/index.ts';
import { parse, scopes } from '../../../sql/index.ts';
import { isAggregateCall } from '../../../sql/scope/index.ts';
import { ancestor, type SqlNode, type SqlTree } from '../../../sql/tree/index.ts';

/** Parts of a query's outline; each has one label of few. */
export const SHAPE_PARTS = ['show', 'distinct', 'where', 'group', 'order', 'nest', 'size'] as const;
export type ShapePart = (typeof SHAPE_PARTS)[number];

/** What a query does with a column. */
export const COLUMN_ROLES = ['show', 'figure', 'where', 'order', 'group', 'having', 'join'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** What of a query a question can tell: its outline, and which columns and values serve what. */
export interface QueryTraits {
  readonly shape: Readonly<Record<ShapePart, string>>;
  /** By column id. */
  readonly columns: ReadonlyMap<string, ReadonlySet<ColumnRole>>;
  readonly tables: ReadonlySet<string>;
  /** In lower case, without the signs of a pattern. */
  readonly literals: readonly { readonly text: string; readonly operator: string }[];
}

const OPERATORS: Partial<Record<SqlNode['type'], string>> = {
  EQ: '=',
  NEQ: '<>',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
  Like: 'like',
  Between: 'between',
  Is: 'null',
  In: 'in',
};

/** Traits of a query in SQL; null where it cannot be read. Names that the catalog lacks are passed over. */
export function queryTraits(sql: string, catalog: Catalog): QueryTraits | null {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) return null;
  const { tree } = parsed;
  const { references, sources } = scopes(tree, catalog);
  const columns = new Map<string, Set<ColumnRole>>();
  for (const node of tree.nodes) {
    const reference = references[node.id];
    if (reference === undefined || reference.kind === 'star' || !('lineage' in reference)) continue;
    const role = columnRole(node);
    for (const { id } of reference.lineage.physical) {
      const roles = columns.get(id) ?? new Set<ColumnRole>();
      columns.set(id, roles.add(role));
    }
  }
  const tables = new Set(sources.flatMap((source) => source?.table?.id ?? []));
  return { shape: shapeOf(tree, tables.size), columns, tables, literals: literalsOf(tree) };
}

/** The clause that a name stands in, and what the query around it is for. */
function columnRole(node: SqlNode): ColumnRole {
  let at = node;
  let isFigure = false;
  while (at.parent !== undefined && at.parent.type !== 'Select') {
    if (isAggregateCall(at)) isFigure = true;
    at = at.parent;
    if (at.type === 'Join') return 'join';
  }
  if (isAggregateCall(at)) isFigure = true;
  const query = at.parent;
  switch (at.role) {
    case 'where':
      return isKeyOfQuery(node) ? 'join' : 'where';
    case 'having':
      return 'having';
    case 'group':
      return 'group';
    case 'order':
      return 'order';
    default:
      if (query !== undefined && isMembership(query)) return 'join';
      return isFigure || (query !== undefined && isScalar(query)) ? 'figure' : 'show';
  }
}

/** The left side of `IN (SELECT …)`. */
function isKeyOfQuery(node: SqlNode): boolean {
  return node.parent?.type === 'In' && node.parent.children.some(({ role }) => role === 'query');
}

/** A query whose rows are only looked up. */
function isMembership(query: SqlNode): boolean {
  const above = ancestor(query, ({ type }) => type !== 'Subquery' && type !== 'Paren');
  return above?.type === 'In' || above?.type === 'Exists';
}

function isScalar(query: SqlNode): boolean {
  const above = ancestor(query, ({ type }) => type !== 'Subquery' && type !== 'Paren');
  return above !== undefined && OPERATORS[above.type] !== undefined && above.type !== 'In';
}

function literalsOf(tree: SqlTree): QueryTraits['literals'] {
  return tree.nodes.flatMap((node) => {
    if (node.type !== 'Literal') return [];
    const above = ancestor(node, ({ type }) => OPERATORS[type] !== undefined || type === 'Limit');
    const operator =
      above === undefined ? undefined : above.type === 'Limit' ? 'limit' : OPERATORS[above.type];
    if (operator === undefined) return [];
    const isNegated = above?.parent?.type === 'Not';
    const written = (node.value ?? '').toLowerCase();
    const text = operator === 'like' ? written.replaceAll('%', '') : written;
    return [{ text, operator: isNegated ? `not ${operator}` : operator }];
  });
}

function shapeOf(tree: SqlTree, size: number): Record<ShapePart, string> {
  const select = firstSelect(tree.root);
  return {
    show: select === undefined ? 'none' : showOf(select),
    distinct: select?.children.some(({ role }) => role === 'distinct') ? 'yes' : 'no',
    where: whereOf(tree),
    group: groupOf(tree),
    order: orderOf(tree),
    nest: nestOf(tree),
    size: String(Math.min(size, 4)),
  };
}

/** The select whose rows are shown: of a set operation the first. */
function firstSelect(root: SqlNode): SqlNode | undefined {
  let at: SqlNode | undefined = root;
  while (at !== undefined && at.type !== 'Select') at = at.children.find(({ role }) => role === 'this');
  return at;
}

const MOST_SHOWN = 4;

function showOf(select: SqlNode): string {
  const items = select.children.filter(({ role }) => role === 'expressions').map(itemOf);
  if (items.length > MOST_SHOWN) return 'many';
  return items.sort().join('+');
}

function itemOf(item: SqlNode): string {
  const node = item.type === 'Alias' ? (item.children[0] ?? item) : item;
  if (node.type === 'Column') return node.children.some(({ type }) => type === 'Star') ? 'star' : 'col';
  if (node.type === 'Star') return 'star';
  if (!isAggregateCall(node)) return 'expression';
  const isDistinct = node.children.some(({ type }) => type === 'Distinct');
  return `${node.type.toLowerCase()}${isDistinct ? '-distinct' : ''}`;
}

/** Comparisons with values, in every WHERE of the query. */
function whereOf(tree: SqlTree): string {
  const found: string[] = [];
  let isOr = false;
  for (const node of tree.nodes) {
    const operator = OPERATORS[node.type];
    if (operator === undefined && node.type !== 'Or') continue;
    if (
      ancestor(node, ({ type }) => type === 'Where' || type === 'Select' || type === 'Join')?.type !== 'Where'
    )
      continue;
    if (node.type === 'Or') isOr = true;
    else if (!node.children.some(({ role }) => role === 'query'))
      found.push(node.parent?.type === 'Not' ? `not ${operator}` : (operator ?? ''));
  }
  if (found.length > MOST_SHOWN) return 'many';
  return `${isOr ? 'or ' : ''}${found.sort().join(' ')}`;
}

function groupOf(tree: SqlTree): string {
  const group = tree.nodes.some(({ type }) => type === 'Group');
  const having = tree.nodes.find(({ type }) => type === 'Having');
  if (having === undefined) return group ? 'group' : 'none';
  const comparison = having.children.find(({ type }) => OPERATORS[type] !== undefined);
  const figure = comparison?.children.find(isAggregateCall);
  return `having ${figure?.type ?? ''} ${comparison === undefined ? '' : OPERATORS[comparison.type]}`;
}

function orderOf(tree: SqlTree): string {
  const order = tree.nodes.find(({ type }) => type === 'Order');
  if (order === undefined) return 'none';
  const [first] = order.children;
  const by = first?.children[0];
  const what = by === undefined ? '' : isAggregateCall(by) ? by.type : 'col';
  const limit = tree.nodes.find(({ type }) => type === 'Limit')?.children[0];
  const rows = limit === undefined ? 'all' : limit.value === '1' ? 'first' : 'some';
  return `${first?.flags.desc === undefined ? 'asc' : 'desc'} ${what} ${rows}`;
}

const SETS: Partial<Record<SqlNode['type'], string>> = {
  Intersect: 'intersect',
  Except: 'except',
  Union: 'union',
};

function nestOf(tree: SqlTree): string {
  const found = new Set<string>();
  for (const node of tree.nodes) {
    const set = SETS[node.type];
    if (set !== undefined) found.add(set);
    if (node.type !== 'Select' || node === tree.root) continue;
    if (isMembership(node)) {
      const above = ancestor(node, ({ type }) => type === 'In' || type === 'Exists');
      if (above?.parent?.type === 'Not') found.add('except');
    } else if (isScalar(node)) found.add('scalar');
    else if (ancestor(node, ({ type }) => type !== 'Subquery' && SETS[type] === undefined) !== undefined)
      found.add('derived');
  }
  return found.size === 0 ? 'none' : [...found].sort().join('+');
}
