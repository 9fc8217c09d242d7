/** Columns of a grouped query that are neither grouped nor in an aggregate: SQLite and MySQL take any row's value. */
import type { DialectName } from '../../dialects/dialect.ts';
import { child, childrenIn, type SqlNode, type SqlTree } from '../../tree/node.ts';
import { hasAggregate, isAggregate } from './aggregate-types.ts';
import { sameTree } from './match-phrase.ts';

export interface BareColumn {
  /** The only MAX or MIN of the query: SQLite takes the column from its row. */
  readonly extreme: SqlNode | undefined;
}

/** PostgreSQL and MySQL have them only where the grouped columns decide them. */
const HAS: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql', 'postgres']);
const ALLOWS: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql']);

/** Empty where the source has no such columns or the target takes them too. */
export function findBareColumns(tree: SqlTree, to: DialectName): ReadonlyMap<SqlNode, BareColumn> {
  const found = new Map<SqlNode, BareColumn>();
  if (!HAS.has(tree.dialect) || ALLOWS.has(to)) return found;
  for (const node of tree.nodes) if (node.type === 'Select') addBareColumns(node, found);
  return found;
}

function addBareColumns(select: SqlNode, found: Map<SqlNode, BareColumn>): void {
  const group = child(select, 'group');
  const list = childrenIn(select, 'expressions');
  if (group === undefined && !list.some(hasAggregate)) return;
  const keys = (group?.children ?? []).map((key) => listed(key, list));
  const aliases = new Set(
    list.flatMap((item) => (item.type === 'Alias' ? [child(item, 'alias')?.value?.toLowerCase()] : [])),
  );
  const later = (['having', 'order'] as const).flatMap((role) => childrenIn(select, role));
  const extremes = [...list, ...later].flatMap(extremesIn);
  const bare = { extreme: extremes.length === 1 ? extremes[0] : undefined };
  const add = (column: SqlNode): void => void found.set(column, bare);
  for (const item of list) addFrom(item, { keys, aliases: new Set() }, add);
  for (const clause of later) addFrom(clause, { keys, aliases }, add);
}

function extremesIn(node: SqlNode): readonly SqlNode[] {
  if (node.type === 'Subquery' || node.type === 'Select' || node.type === 'Window') return [];
  const inside = node.children.flatMap(extremesIn);
  return (node.type === 'Max' || node.type === 'Min') && isAggregate(node) ? [node, ...inside] : inside;
}

/** `GROUP BY 1` and `GROUP BY alias` name items of the list. */
function listed(key: SqlNode, list: readonly SqlNode[]): SqlNode {
  const place = key.type === 'Literal' ? Number(key.value) : Number.NaN;
  const name =
    key.type === 'Column' && key.children.length === 1 ? key.children[0]?.value?.toLowerCase() : undefined;
  const named = list.find(
    (item) => item.type === 'Alias' && child(item, 'alias')?.value?.toLowerCase() === name,
  );
  const item = Number.isInteger(place) ? list[place - 1] : name === undefined ? undefined : named;
  return (item?.type === 'Alias' ? child(item, 'this') : item) ?? key;
}

interface Covered {
  readonly keys: readonly SqlNode[];
  /** Names of items of the list, which stand for what they name. */
  readonly aliases: ReadonlySet<string | undefined>;
}

/** What is computed over rows of its own, or of the whole group. */
const CLOSED: ReadonlySet<string> = new Set(['Window', 'Subquery', 'Select', 'Filter', 'WithinGroup']);

function addFrom(node: SqlNode, covered: Covered, add: (column: SqlNode) => void): void {
  if (isAggregate(node) || CLOSED.has(node.type)) return;
  if (covered.keys.some((key) => isSameValue(key, node))) return;
  if (node.type !== 'Column') {
    for (const below of node.children) addFrom(below, covered, add);
    return;
  }
  const isAlias = node.children.length === 1 && covered.aliases.has(node.children[0]?.value?.toLowerCase());
  const isStar = node.children.at(-1)?.type === 'Star';
  if (!isAlias && !isStar) add(node);
}

/** The same expression; a column with its table and the same without it count as one. */
function isSameValue(key: SqlNode, node: SqlNode): boolean {
  if (key.type !== 'Column' || node.type !== 'Column') return sameTree(key, node);
  const left = key.children.map((part) => part.value?.toLowerCase());
  const right = node.children.map((part) => part.value?.toLowerCase());
  const shared = Math.min(left.length, right.length);
  return left.slice(-shared).join('.') === right.slice(-shared).join('.');
}
