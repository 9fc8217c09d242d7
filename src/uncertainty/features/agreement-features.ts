/** What other candidates for the same question say. */

import { createHash } from 'node:crypto';
import type { ReadQuery } from '../../faults/reading/index.ts';
import { childrenIn, type SqlNode } from '../../sql/tree/index.ts';
import type { Feature, FeatureGroup, FeatureSources, FeatureValue, NodeReader } from './feature.ts';
import { type NodeSubjects, nodeSubjects } from './node-subjects.ts';

const FEW = 0.34;
const few = (text: string) => (value: FeatureValue) =>
  typeof value === 'number' && value < FEW ? text : undefined;

const AGREEMENT_FEATURES = [
  { name: 'n_others', kind: 'count', unit: 'queries', about: 'other candidates' },
  {
    name: 'others_say_it',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that have the same part anywhere',
    tell: few('most other candidates do not have it'),
  },
  {
    name: 'others_say_it_here',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that have the same part in the same clause',
    tell: few('most other candidates do not have it here'),
  },
  {
    name: 'others_use_it_so',
    kind: 'ratio',
    unit: 'share of queries',
    about:
      'other candidates that have the same part below the same kind of node, literals beside the same column',
    tell: few('most other candidates do not use it so'),
  },
  {
    name: 'others_rival',
    kind: 'ratio',
    unit: 'share of queries',
    about:
      'the commonest column, table or literal of the others that the query lacks, of the kind of the node',
    tell: (value) =>
      typeof value === 'number' && value > 1 - FEW ? 'most other candidates have another one' : undefined,
  },
  {
    name: 'others_say_around',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that have the node around it, with all that is below: the same condition',
  },
  {
    name: 'others_fill_otherwise',
    kind: 'ratio',
    unit: 'share of queries',
    about:
      'other candidates that lack the part and have another of its kind in its place: beside the same column',
    tell: (value) =>
      typeof value === 'number' && value > 1 - FEW
        ? 'most other candidates have another one in its place'
        : undefined,
  },
  {
    name: 'others_lowest_below',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'the least common column, table or literal at or below the node',
  },
  {
    name: 'others_whole',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that are the same query',
    tell: (value) => (value === 0 ? 'no other candidate is the same query' : undefined),
  },
  { name: 'others_select', kind: 'ratio', unit: 'share of queries', about: 'others that show the same' },
  { name: 'others_from', kind: 'ratio', unit: 'share of queries', about: 'others that join the same' },
  { name: 'others_where', kind: 'ratio', unit: 'share of queries', about: 'others with the same conditions' },
  {
    name: 'others_order',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'others of the same order and limit',
  },
  { name: 'others_group', kind: 'ratio', unit: 'share of queries', about: 'others of the same groups' },
  {
    name: 'others_tables',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'others that use the same tables',
  },
  {
    name: 'others_columns',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'others that use the same columns',
  },
  {
    name: 'others_largest',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'the largest group of equal queries among all candidates',
  },
  {
    name: 'others_different',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'different queries among all candidates',
  },
] as const satisfies readonly Feature[];

export const agreementFeatures: FeatureGroup = { name: 'agreement', features: AGREEMENT_FEATURES, open };

const WIDTH = AGREEMENT_FEATURES.length;

function open(query: ReadQuery, { others = [] }: FeatureSources): NodeReader {
  if (others.length === 0)
    return (_, into, at) => {
      for (let index = 0; index < WIDTH; index += 1) into[at + index] = index === 0 ? 0 : Number.NaN;
    };
  const own = nodeKeys(query);
  const keys = countSame(others);
  const whole = ofWholeQuery(own, keys, others.length);
  const rivals = rivalsOf(own, keys, others.length);
  const { nodes } = query.tree;
  const shares = nodes.map(({ id }) => sharesOf(id, own, { keys, count: others.length }));
  const lowest = lowestBelow(query, shares);
  return ({ id, type, parent }, into, at) => {
    const { anywhere = 0, here = 0, so = 0, otherwise = 0 } = shares[id] ?? {};
    into[at] = others.length;
    into[at + 1] = anywhere;
    into[at + 2] = here;
    into[at + 3] = so;
    into[at + 4] = rivals.get(type) ?? Number.NaN;
    into[at + 5] = parent === undefined ? 1 : (shares[parent.id]?.anywhere ?? 0);
    into[at + 6] = otherwise;
    into[at + 7] = lowest[id] ?? Number.NaN;
    for (let index = 0; index < whole.length; index += 1) into[at + 8 + index] = whole[index] ?? Number.NaN;
  };
}

/** The keys of one candidate, and how often it was given. */
interface Counted {
  readonly other: NodeKeys;
  times: number;
}

/** Many set-ups write the same query: it is compared once. */
function countSame(others: readonly ReadQuery[]): readonly Counted[] {
  const counted = new Map<ReadQuery, Counted>();
  for (const query of others) {
    const known = counted.get(query);
    if (known === undefined) counted.set(query, { other: nodeKeys(query), times: 1 });
    else known.times += 1;
  }
  return [...counted.values()];
}

/** Shares of the others that have a node; `otherwise`: that lack it, and have something in its place. */
interface NodeShares {
  readonly anywhere: number;
  readonly here: number;
  readonly so: number;
  readonly otherwise: number;
}

function sharesOf(
  id: number,
  own: NodeKeys,
  { keys, count }: { readonly keys: readonly Counted[]; readonly count: number },
): NodeShares {
  const [key = '', placed = '', slot = '', place = ''] = [
    own.keys[id],
    own.placed[id],
    own.slots[id],
    own.placeOf[id],
  ];
  let [anywhere, here, so, otherwise] = [0, 0, 0, 0];
  for (const { other, times } of keys) {
    if (other.allSlots.has(slot)) so += times;
    if (other.all.has(key)) {
      anywhere += times;
      if (other.allPlaced.has(placed)) here += times;
    } else if (other.places.has(place)) otherwise += times;
  }
  return { anywhere: anywhere / count, here: here / count, so: so / count, otherwise: otherwise / count };
}

function ofWholeQuery(own: NodeKeys, keys: readonly Counted[], count: number): readonly number[] {
  const shareOf = (test: (other: NodeKeys) => boolean): number =>
    keys.reduce((sum, { other, times }) => sum + (test(other) ? times : 0), 0) / count;
  const clause = (...names: readonly string[]): number =>
    shareOf(({ clauses }) => names.every((name) => clauses.get(name) === own.clauses.get(name)));
  const groups = new Map([[own.whole, 1]]);
  for (const { other, times } of keys) groups.set(other.whole, (groups.get(other.whole) ?? 0) + times);
  return [
    shareOf(({ whole }) => whole === own.whole),
    clause('expressions', 'distinct'),
    clause('from'),
    clause('where'),
    clause('order', 'limit'),
    clause('group', 'having'),
    shareOf(({ usedTables }) => usedTables === own.usedTables),
    shareOf(({ usedColumns }) => usedColumns === own.usedColumns),
    Math.max(...groups.values()) / (count + 1),
    groups.size / (count + 1),
  ];
}

/** By type of node: the share of the others that have the commonest part which the query lacks. */
function rivalsOf({ all }: NodeKeys, keys: readonly Counted[], count: number): ReadonlyMap<string, number> {
  const rivals = new Map<string, { readonly type: string; count: number }>();
  for (const { other, times } of keys)
    for (const [key, type] of other.leaves) {
      if (all.has(key)) continue;
      const known = rivals.get(key);
      if (known === undefined) rivals.set(key, { type, count: times });
      else known.count += times;
    }
  const best = new Map<string, number>([...LEAF_TYPES].map((type) => [type, 0]));
  for (const rival of rivals.values())
    best.set(rival.type, Math.max(best.get(rival.type) ?? 0, rival.count / count));
  best.set('Identifier', Math.max(best.get('Column') ?? 0, best.get('Table') ?? 0));
  return best;
}

function lowestBelow({ tree: { nodes } }: ReadQuery, shares: readonly NodeShares[]): readonly number[] {
  const lowest = new Array<number>(nodes.length).fill(1);
  for (let id = nodes.length - 1; id >= 0; id -= 1) {
    const node = nodes[id];
    if (node === undefined) continue;
    const own = LEAF_TYPES.has(node.type) ? (shares[id]?.anywhere ?? 1) : 1;
    lowest[id] = Math.min(lowest[id] ?? 1, own);
    const parent = node.parent?.id;
    if (parent !== undefined) lowest[parent] = Math.min(lowest[parent] ?? 1, lowest[id] ?? 1);
  }
  return lowest;
}

/** Keys of nodes by what they mean: equal for nodes of different queries that say the same. */
interface NodeKeys {
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
const LEAF_TYPES: ReadonlySet<string> = new Set(['Column', 'Table', 'Literal']);

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
