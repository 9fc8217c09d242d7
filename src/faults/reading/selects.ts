/** Where in its SELECT a node stands, and what that SELECT has: found in one pass over a query. */

import { isAggregateCall } from '../../sql/scope/index.ts';
import { child, childrenIn, type SqlNode } from '../../sql/tree/index.ts';
import type { ReadQuery } from './read-query.ts';

export interface SelectContext {
  /** By node id: the id of the innermost SELECT, its own for a SELECT; -1 outside of any. */
  readonly selects: Int16Array;
  readonly isInList: (node: SqlNode) => boolean;
  readonly isInAggregate: (node: SqlNode) => boolean;
  /** Of a SELECT by its id; false for -1. An aggregate over a window is none: it leaves the rows as they are. */
  readonly hasAggregate: (select: number) => boolean;
  readonly hasListAggregate: (select: number) => boolean;
  readonly hasGroup: (select: number) => boolean;
  /** A Column that its SELECT groups by, or that stands in GROUP BY. */
  readonly isGrouped: (column: SqlNode) => boolean;
  /** Conditions joined by AND in the WHERE, HAVING, QUALIFY or ON that a node is or stands in; 0 elsewhere. */
  readonly countConditions: (node: SqlNode) => number;
}

const IN_LIST = 1;
const IN_AGGREGATE = 2;
const IN_GROUP = 4;
const HAS_AGGREGATE = 8;
const HAS_LIST_AGGREGATE = 16;
const HAS_GROUP = 32;

/** Checks and features ask for the same of one query: it is read once. */
const READ = new WeakMap<ReadQuery, SelectContext>();

export function readSelects(query: ReadQuery): SelectContext {
  const known = READ.get(query);
  if (known !== undefined) return known;
  const read = readPlaces(query);
  READ.set(query, read);
  return read;
}

function readPlaces(query: ReadQuery): SelectContext {
  const { nodes } = query.tree;
  const selects = new Int16Array(nodes.length).fill(-1);
  const conditions = new Int16Array(nodes.length).fill(-1);
  const marks = new Uint8Array(nodes.length);
  // Parents come before their children.
  for (const node of nodes) readNode(node, { selects, conditions, marks });
  const groups = new Map<number, ReadonlySet<string>>();
  const counts = new Map<number, number>();
  const has = (id: number, mark: number) => ((marks[id] ?? 0) & mark) !== 0;
  return {
    selects,
    isInList: ({ id }) => has(id, IN_LIST),
    isInAggregate: ({ id }) => has(id, IN_AGGREGATE),
    hasAggregate: (select) => has(select, HAS_AGGREGATE),
    hasListAggregate: (select) => has(select, HAS_LIST_AGGREGATE),
    hasGroup: (select) => has(select, HAS_GROUP),
    isGrouped: (column) => {
      const select = selects[column.id] ?? -1;
      if (!has(select, HAS_GROUP)) return false;
      if (has(column.id, IN_GROUP)) return true;
      const keys = groups.get(select) ?? groupKeys(nodes[select] as SqlNode, query);
      groups.set(select, keys);
      return keys.has(EVERYTHING) ? !has(column.id, IN_AGGREGATE) : keys.has(columnKey(column, query));
    },
    countConditions: ({ id }) => {
      const root = conditions[id] ?? -1;
      if (root < 0) return 0;
      const known = counts.get(root);
      if (known !== undefined) return known;
      const count = countAnded(nodes[root] as SqlNode);
      counts.set(root, count);
      return count;
    },
  };
}

interface Places {
  readonly selects: Int16Array;
  /** The id of the condition a node stands in. */
  readonly conditions: Int16Array;
  readonly marks: Uint8Array;
}

function readNode(node: SqlNode, { selects, conditions, marks }: Places): void {
  const { id, parent } = node;
  if (node.type === 'Select') {
    selects[id] = id;
    if (child(node, 'group') !== undefined) marks[id] = HAS_GROUP;
    return;
  }
  if (parent === undefined) return;
  selects[id] = selects[parent.id] ?? -1;
  conditions[id] = conditionOf(node, parent) ?? conditions[parent.id] ?? -1;
  marks[id] = parent.type === 'Select' ? markInSelect(node) : (marks[parent.id] ?? 0);
  if (isAggregated(node, parent)) marks[id] = (marks[id] ?? 0) | IN_AGGREGATE;
  const select = selects[id] ?? -1;
  if (select < 0 || !isAggregate(node)) return;
  const isInList = ((marks[id] ?? 0) & IN_LIST) !== 0;
  marks[select] = (marks[select] ?? 0) | HAS_AGGREGATE | (isInList ? HAS_LIST_AGGREGATE : 0);
}

function markInSelect({ role }: SqlNode): number {
  if (role === 'expressions') return IN_LIST;
  return role === 'group' ? IN_GROUP : 0;
}

/** The node under a WHERE, HAVING, QUALIFY or ON; the clause itself is looked up by it. */
function conditionOf(node: SqlNode, parent: SqlNode): number | undefined {
  if (CLAUSES.has(node.type)) return child(node, 'this')?.id;
  if (node.type === 'Join') return child(node, 'on')?.id ?? -1;
  return parent.type === 'Join' && node.role !== 'on' ? -1 : undefined;
}

const CLAUSES: ReadonlySet<string> = new Set(['Where', 'Having', 'Qualify']);

/** The arguments of an aggregate, the rows it is filtered to and the order it takes them in. */
function isAggregated(node: SqlNode, parent: SqlNode): boolean {
  if (isAggregate(parent)) return true;
  if (parent.type !== 'Filter' && parent.type !== 'WithinGroup') return false;
  return node.role === 'expression' && !isWindowed(parent);
}

function isAggregate(node: SqlNode): boolean {
  return isAggregateCall(node) && !isWindowed(node);
}

const AROUND_CALLS: ReadonlySet<string> = new Set(['Filter', 'WithinGroup', 'IgnoreNulls', 'RespectNulls']);

function isWindowed(call: SqlNode): boolean {
  let at = call;
  while (at.role === 'this' && at.parent !== undefined && AROUND_CALLS.has(at.parent.type)) at = at.parent;
  return at.role === 'this' && at.parent?.type === 'Window';
}

/** GROUP BY ALL groups by all that is not aggregated. */
const EVERYTHING = '*';

/** What a SELECT groups by, as keys of columns; names of projections and positions stand for what they name. */
function groupKeys(select: SqlNode, query: ReadQuery): ReadonlySet<string> {
  const keys = new Set<string>();
  const group = child(select, 'group');
  if (group?.flags.all !== undefined) keys.add(EVERYTHING);
  for (const item of group?.children ?? []) {
    const meant = groupedExpression(item, select, query);
    if (meant?.type === 'Column') keys.add(columnKey(meant, query));
  }
  return keys;
}

function groupedExpression(item: SqlNode, select: SqlNode, query: ReadQuery): SqlNode | undefined {
  const projections = childrenIn(select, 'expressions');
  const isAlias = query.scopes.references[item.id]?.kind === 'alias';
  const isPosition = item.type === 'Literal' && item.flags.string === undefined;
  if (!isAlias && !isPosition) return item;
  const name = child(item, 'this')?.value?.toLowerCase();
  const projection = isPosition
    ? projections[Number(item.value) - 1]
    : projections.find((candidate) => child(candidate, 'alias')?.value?.toLowerCase() === name);
  return projection?.type === 'Alias' ? child(projection, 'this') : projection;
}

/** Two columns of a query have one key where they are the same column of the same source. */
function columnKey(column: SqlNode, { scopes }: ReadQuery): string {
  const reference = scopes.references[column.id];
  if (reference?.kind === 'column') {
    return `${reference.source.node.id}.${reference.output.key} ${reference.fields.join('.')}`;
  }
  return column.children.map(({ value }) => value?.toLowerCase()).join('.');
}

function countAnded(condition: SqlNode): number {
  let count = 0;
  const open = [condition];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.type !== 'And' && at.type !== 'Paren') count += 1;
    else for (const below of at.children) open.push(below);
  }
  return count;
}
