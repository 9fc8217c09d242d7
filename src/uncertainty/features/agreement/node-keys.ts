/** Keys of nodes by what they mean: equal for nodes of different queries that say the same. */
import { createHash } from 'node:crypto';
import type { ReadQuery } from '../../../faults/index.ts';
import { childrenIn, type SqlNode } from '../../../sql/index.ts';
import { type NodeSubjects, nodeSubjects } from '../node-subjects.ts';

export interface NodeKeys {
  /** By node id: columns and tables by what they name, operators without regard to the order of equal operands. */
  readonly keys: readonly string[];
  /** By node id: the key with the part of the query it stands in. */
  readonly placed: readonly string[];
  /** By node id: the key with that of the node around it, of literals with the compared column. */
  readonly slots: readonly string[];
  /** By node id: the slot without its content. */
  readonly placeOf: readonly string[];
  readonly all: ReadonlySet<string>;
  readonly allPlaced: ReadonlySet<string>;
  readonly allSlots: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
  /** The whole query. */
  readonly whole: string;
  /** Of the outer query: what it shows, where it reads, what it asks. */
  readonly clauses: ReadonlyMap<string, string>;
  /** Types of the columns, tables and literals, by key. */
  readonly leaves: ReadonlyMap<string, string>;
  /** All tables, all columns. */
  readonly usedTables: string;
  readonly usedColumns: string;
}

/** Types of nodes that stand for what a query is about. */
export const LEAF_TYPES: ReadonlySet<string> = new Set(['Column', 'Table', 'Literal']);

const KNOWN = new WeakMap<ReadQuery, NodeKeys>();

/** Made once for a query; every candidate is compared with every other. */
export function nodeKeys(query: ReadQuery): NodeKeys {
  const known = KNOWN.get(query);
  if (known !== undefined) return known;
  const made = makeKeys(query);
  KNOWN.set(query, made);
  return made;
}

function makeKeys(query: ReadQuery): NodeKeys {
  const { nodes } = query.tree;
  const subjects = nodeSubjects(query);
  const keys: string[] = new Array(nodes.length).fill('');
  // Children have higher ids, so that from the end on all of them have their keys.
  for (let id = nodes.length - 1; id >= 0; id -= 1)
    keys[id] = shorten(keyOf(nodes[id] as SqlNode, subjects, keys));
  const clauses = nodes.map(() => 'none');
  for (const node of nodes) clauses[node.id] = clauseOf(node, clauses);
  const placed = nodes.map(({ id }) => `${clauses[id]} ${keys[id]}`);
  const placeOf = nodes.map((node) => placeIn(node, subjects));
  const slots = nodes.map(({ id }) => `${placeOf[id]} ${keys[id]}`);
  return {
    keys,
    placed,
    slots,
    placeOf,
    all: new Set(keys),
    allPlaced: new Set(placed),
    allSlots: new Set(slots),
    places: new Set(placeOf),
    whole: keys[0] ?? '',
    clauses: clauseKeys(query.tree.root, keys),
    leaves: leavesOf(nodes, keys),
    usedTables: [...subjects.usedTables].sort().join(),
    usedColumns: [...subjects.usedColumns].sort().join(),
  };
}

/** Lists inside a clause have the role of the select list: the values of IN, the terms of ORDER BY. */
function clauseOf({ role, parent }: SqlNode, clauses: readonly string[]): string {
  if (parent === undefined) return 'none';
  const around = clauses[parent.id] ?? 'none';
  if (role === 'expressions' && parent.type !== 'Select') return around;
  return CLAUSES.get(role) ?? around;
}

function leavesOf(nodes: readonly SqlNode[], keys: readonly string[]): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  for (const { id, type } of nodes) {
    const key = keys[id] ?? '';
    if (LEAF_TYPES.has(type) && !leaves.has(key)) leaves.set(key, type);
  }
  return leaves;
}

const LONGEST_KEY = 1_000;

/** A key holds those below it: without this, a long chain of conditions or a long literal would take the square of its length. */
function shorten(key: string): string {
  return key.length <= LONGEST_KEY ? key : `#${createHash('sha256').update(key).digest('base64url')}`;
}

const CLAUSES: ReadonlyMap<string, string> = new Map([
  ...['expressions', 'from', 'joins', 'on', 'where', 'group', 'having', 'order', 'limit'].map(
    (role) => [role, role] as const,
  ),
]);

/** Operators whose two sides may change places. */
const SYMMETRIC: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'And', 'Or', 'Add', 'Mul']);
const UNORDERED: ReadonlySet<string> = new Set([...SYMMETRIC, 'Select', 'Group', 'In', 'From', 'Where']);
const FLIPPED: Readonly<Record<string, string>> = { GT: 'LT', GTE: 'LTE' };
const OPEN: ReadonlySet<string> = new Set(['Alias', 'Paren']);

function keyOf(node: SqlNode, subjects: NodeSubjects, keys: readonly string[]): string {
  const { type, id, children, value } = node;
  if (OPEN.has(type)) return keys[children.find(({ role }) => role === 'this')?.id ?? -1] ?? '';
  const name = value?.toLowerCase();
  if (type === 'Column') return subjects.columns[id] ?? `?${bareNames(children)}`;
  if (type === 'Table') return `table ${subjects.tables[id] ?? `?${bareNames(children)}`}`;
  if (type === 'Identifier')
    return `name ${(node.role === 'table' ? subjects.tables[id] : subjects.columns[id]) ?? subjects.tables[id] ?? name}`;
  if (type === 'TableAlias') return `alias ${subjects.tables[id] ?? ''}`;
  if (type === 'Literal') return node.flags.string === undefined ? String(Number(value)) : `'${value}'`;
  return operationKey(node, keys);
}

function operationKey(node: SqlNode, keys: readonly string[]): string {
  const { type, flags, value } = node;
  const parts = partsOf(node)
    .filter((part) => part.type !== 'TableAlias')
    .map(({ id }) => keys[id] ?? '');
  const flipped = FLIPPED[type];
  if (flipped !== undefined) parts.reverse();
  else if (UNORDERED.has(type)) parts.sort();
  const marks = `${flags.desc === undefined ? '' : ' desc'}${flags.side === undefined ? '' : ` ${flags.side}`}${flags.call === undefined ? '' : ` ${value?.toLowerCase()}`}`;
  return `${flipped ?? type}${marks}(${parts.join(',')})`;
}

/** What an operation is made of, however it is written: links of a chain of AND, tables of inner joins in any order. */
function partsOf(node: SqlNode): readonly SqlNode[] {
  const { type, children, parent } = node;
  if (type === 'And' || type === 'Or') return linksOf(node);
  if (type === 'From' && parent !== undefined && joinsInAnyOrder(parent))
    return [node, ...childrenIn(parent, 'joins')].flatMap((source) => childrenIn(source, 'this'));
  if (type === 'Join' && parent !== undefined && joinsInAnyOrder(parent)) return childrenIn(node, 'on');
  return children;
}

/** The conditions of a chain such as `(a AND b) AND c`. */
function linksOf(chain: SqlNode): readonly SqlNode[] {
  const links: SqlNode[] = [];
  const open = [...chain.children].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const bare = node.type === 'Paren' ? (node.children[0] ?? node) : node;
    if (bare.type === chain.type) open.push(...[...bare.children].reverse());
    else links.push(bare);
  }
  return links;
}

/** Every join is an inner one with a condition: which table comes first says nothing. */
function joinsInAnyOrder(select: SqlNode): boolean {
  return childrenIn(select, 'joins').every(
    ({ children, flags: { side, method, comma, kind } }) =>
      (side ?? method ?? comma) === undefined &&
      (kind === undefined || kind === 'INNER') &&
      children.some(({ role }) => role === 'on'),
  );
}

function bareNames(children: readonly SqlNode[]): string {
  const name = children.find(({ role }) => role === 'this');
  return name?.value?.toLowerCase() ?? name?.type ?? '';
}

function placeIn(node: SqlNode, { compared }: NodeSubjects): string {
  const { type, parent, role } = node;
  if (type === 'Literal') return `${type} ${compared[node.id] ?? parent?.type}`;
  const isName = type === 'Identifier' || type === 'TableAlias';
  const around = isName ? parent?.parent : parent;
  if (around === undefined || SYMMETRIC.has(around.type)) return `${type} ${around?.type}`;
  return `${type} ${around.type === 'Join' ? 'From' : around.type} ${role}`;
}

function clauseKeys(root: SqlNode, keys: readonly string[]): ReadonlyMap<string, string> {
  const parts = new Map<string, string[]>();
  for (const { role, id } of root.children) {
    const clause = role === 'joins' ? 'from' : role;
    const known = parts.get(clause);
    if (known === undefined) parts.set(clause, [keys[id] ?? '']);
    else known.push(keys[id] ?? '');
  }
  return new Map([...parts].map(([clause, list]) => [clause, list.sort().join(';')]));
}
