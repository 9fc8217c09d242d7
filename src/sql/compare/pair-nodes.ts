/** Which nodes of two expressions stand opposite each other. */

import { operandsOf } from '../normal/query-nodes.ts';
import type { SqlNode } from '../tree/node.ts';
import type { Comparing } from './difference.ts';

/** Pairs two nodes and what is below them: equal parts first, then those of one role and type, in order. */
export function pairNodes(comparing: Comparing, [before, after]: Opposites, isInEqual = false): void {
  const one = openedOf(before, after);
  const other = openedOf(after, before);
  const { queryBefore, queryAfter } = queriesAt(comparing, one, other);
  if (queryBefore !== undefined && queryAfter !== undefined) {
    comparing.compareQueries(comparing, queryBefore, queryAfter);
    return;
  }
  const isEqual = isInEqual || hasOneKey(comparing, one, other);
  if (isSameKind(one, other)) comparing.pairs.push({ before: one, after: other, isEqual });
  pairLinks(comparing, [one, other], isEqual);
  pairLists(comparing, [partsOf(one), partsOf(other)], isEqual);
}

type Opposites = readonly [before: SqlNode, after: SqlNode];

/** Names have no keys where only the column they belong to has one. */
function hasOneKey({ before, after }: Comparing, one: SqlNode, other: SqlNode): boolean {
  const key = before.keys[one.id];
  if (key !== undefined) return key === after.keys[other.id];
  return one.children.length === 0 && one.type === other.type && sameText(one.value, other.value);
}

function sameText(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/** Pairs the operators of two chains below their first ones. */
export function pairLinks({ pairs }: Comparing, [before, after]: Opposites, isEqual: boolean): void {
  const opposite = linksOf(after);
  for (const [index, link] of linksOf(before).entries()) {
    const other = opposite[index];
    if (index > 0 && other?.type === link.type) pairs.push({ before: link, after: other, isEqual });
  }
}

/** Brackets and aliases on one side only are stepped over. */
function openedOf(node: SqlNode, opposite: SqlNode): SqlNode {
  let at = node;
  while (WRAPPERS.has(at.type) && at.type !== opposite.type) {
    const inner = at.children.find(({ role }) => role === 'this');
    if (inner === undefined) return at;
    at = inner;
  }
  return at;
}

const WRAPPERS: ReadonlySet<string> = new Set(['Paren', 'Alias', 'Pos']);

function queriesAt({ before, after }: Comparing, one: SqlNode, other: SqlNode) {
  return { queryBefore: before.queries.get(one), queryAfter: after.queries.get(other) };
}

/** `a > b` and `b < a` are of one kind. */
const FLIPS: Readonly<Record<string, string>> = { GT: 'LT', GTE: 'LTE', LT: 'GT', LTE: 'GTE' };

function isSameKind(one: SqlNode, other: SqlNode): boolean {
  return one.type === other.type || FLIPS[one.type] === other.type;
}

const CHAINS: ReadonlySet<string> = new Set(['And', 'Or', 'Add', 'Mul', 'DPipe']);

/** Two operands around a sign; a call of the same type is none. */
function isChain({ type, flags, children }: SqlNode): boolean {
  return CHAINS.has(type) && flags.call === undefined && children.length > 1;
}

/** The operator nodes of a chain, the outermost first. */
function linksOf(node: SqlNode): readonly SqlNode[] {
  const links: SqlNode[] = [];
  if (!isChain(node)) return links;
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.type === node.type) links.push(at);
    if (at.type === node.type || at.type === 'Paren') open.push(...at.children.toReversed());
  }
  return links;
}

/** Joins that hang on a relation and the offset in a LIMIT are parts of their own. */
function partsOf(node: SqlNode): readonly SqlNode[] {
  if (isChain(node)) return operandsOf(node);
  return node.children.filter(({ role }) => role !== 'joins' && (role !== 'offset' || node.type !== 'Limit'));
}

type Lists = readonly [before: readonly SqlNode[], after: readonly SqlNode[]];

function pairLists(comparing: Comparing, [before, after]: Lists, isEqual: boolean): void {
  const keyOf = (keys: readonly (string | undefined)[]) => (node: SqlNode) => keys[node.id];
  const first = match(before, after, [keyOf(comparing.before.keys), keyOf(comparing.after.keys)]);
  const byRole = (node: SqlNode) => `${node.role} ${FLIPS[node.type] ? 'comparison' : node.type}`;
  const second = match(first.leftBefore, first.leftAfter, [byRole, byRole]);
  const third = match(second.leftBefore, second.leftAfter, [({ role }) => role, ({ role }) => role]);
  for (const [one, other] of [...first.pairs, ...second.pairs, ...third.pairs]) {
    pairNodes(comparing, [one, other], isEqual);
  }
}

type KeyOf = (node: SqlNode) => string | undefined;

/** Pairs nodes of one key, in order. */
function match(before: readonly SqlNode[], after: readonly SqlNode[], [keyBefore, keyAfter]: [KeyOf, KeyOf]) {
  const byKey = new Map<string, SqlNode[]>();
  for (const node of after.toReversed()) {
    const key = keyAfter(node);
    if (key === undefined) continue;
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [node]);
    else same.push(node);
  }
  const pairs: (readonly [SqlNode, SqlNode])[] = [];
  const taken = new Set<SqlNode>();
  for (const node of before) {
    const key = keyBefore(node);
    const other = key === undefined ? undefined : byKey.get(key)?.pop();
    if (other === undefined) continue;
    pairs.push([node, other]);
    taken.add(node).add(other);
  }
  return {
    pairs,
    leftBefore: before.filter((node) => !taken.has(node)),
    leftAfter: after.filter((node) => !taken.has(node)),
  };
}
