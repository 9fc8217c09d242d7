/** The ways in which queries count rows. */

import { withoutBrackets } from '../normal/query-nodes.ts';
import { type Relation, relations } from '../normal/relations.ts';
import { literalKey } from '../normal/scalar-keys.ts';
import { ancestor, child, childrenIn, type SqlNode } from '../tree/node.ts';
import type { Equivalence } from './equivalence-types.ts';

/** `COUNT(*)`, `COUNT(1)`, and COUNT of a column that has a value in every row. */
export function countsRows(node: SqlNode, isNeverNull: NeverNull): boolean {
  const counted = onlyArgument(node, 'Count');
  if (counted === undefined) return false;
  if (counted.type === 'Star') return counted.children.length === 0;
  return hasValue(counted, isNeverNull);
}

/**
 * The condition whose rows a call counts: `SUM(CASE WHEN c THEN 1 ELSE 0 END)`, `SUM(IIF(c, 1, 0))`, `SUM(a = b)`,
 * `COUNT(CASE WHEN c THEN 1 END)`, `COUNT(IIF(c, id, NULL))`. Of no rows at all SUM gives NULL and COUNT 0, which nobody
 * who asks for a number means.
 */
export function countedCondition(node: SqlNode, isNeverNull: NeverNull): SqlNode | undefined {
  const summed = onlyArgument(node, 'Sum');
  if (summed !== undefined) {
    if (CONDITIONS.has(summed.type) && summed.flags.call === undefined) return summed;
    const choice = readChoice(summed);
    return choice && isNumber(choice.yes, '1') && isNumber(choice.no, '0') ? choice.condition : undefined;
  }
  const counted = onlyArgument(node, 'Count');
  const choice = counted && readChoice(counted);
  const isNothingElse = choice?.no === undefined || choice.no.type === 'Null';
  return choice && isNothingElse && hasValue(choice.yes, isNeverNull) ? choice.condition : undefined;
}

const CONDITIONS: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE']);

function onlyArgument(node: SqlNode, type: string): SqlNode | undefined {
  const [only, ...more] = node.type === type ? node.children : [];
  return only && more.length === 0 ? withoutBrackets(only) : undefined;
}

function hasValue(node: SqlNode, isNeverNull: NeverNull): boolean {
  return node.type === 'Literal' || (node.type === 'Column' && isFilled(node, isNeverNull));
}

function isNumber(node: SqlNode | undefined, value: string): boolean {
  return node?.type === 'Literal' && node.flags.string === undefined && node.value === value;
}

interface Choice {
  readonly condition: SqlNode;
  readonly yes: SqlNode;
  readonly no: SqlNode | undefined;
}

/** A searched CASE of one branch, or IIF. */
function readChoice(node: SqlNode): Choice | undefined {
  if (node.type === 'If') return choiceOf(node, child(node, 'false'));
  const [branch, ...more] = node.type === 'Case' ? childrenIn(node, 'ifs') : [];
  const isSearched = child(node, 'this') === undefined && more.length === 0;
  return branch && isSearched ? choiceOf(branch, child(node, 'default')) : undefined;
}

function choiceOf(branch: SqlNode, no: SqlNode | undefined): Choice | undefined {
  const [condition, yes] = [child(branch, 'this'), child(branch, 'true')];
  return condition && yes && { condition, yes, no };
}

/** One-to-one matching of two lists of nodes in any order. */
export interface NodeTests {
  readonly equal: Equivalence;
  /** Nodes with different numbers are not equal; absent where nothing tells so beforehand. */
  readonly signatureOf?: ((node: SqlNode) => number) | undefined;
}

/**
 * Whether every node of the first list has a partner of its own in the second. The partners are found by augmenting
 * paths: equivalence is not transitive, so taking the first that fits may miss (`name, a.name` against
 * `a.name, b.name`).
 */
export function matchesAll(
  a: readonly SqlNode[],
  b: readonly SqlNode[],
  { equal, signatureOf }: NodeTests,
): boolean {
  if (a.length !== b.length) return false;
  const [one, other] = [bucketsOf(a, signatureOf), bucketsOf(b, signatureOf)];
  if (one.size !== other.size) return false;
  for (const [key, nodes] of one) {
    const opposite = other.get(key);
    if (opposite === undefined || opposite.length !== nodes.length) return false;
    // Literals of one bucket are equal to each other.
    if (!key.startsWith('Literal') && !hasMatching(nodes, opposite, equal)) return false;
  }
  return true;
}

/** Nodes that can be equal at all, so that only they are compared. */
function bucketsOf(
  nodes: readonly SqlNode[],
  signatureOf: NodeTests['signatureOf'],
): ReadonlyMap<string, SqlNode[]> {
  const buckets = new Map<string, SqlNode[]>();
  for (const node of nodes) {
    const key = signatureOf === undefined ? '' : `${kindOf(node)} ${signatureOf(node)}`;
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [node]);
    else bucket.push(node);
  }
  return buckets;
}

const TRANSPARENT: ReadonlySet<string> = new Set(['Alias', 'Paren']);
const FLIPPED: Readonly<Record<string, string>> = { GT: 'LT', GTE: 'LTE' };

function kindOf(node: SqlNode): string {
  let at = node;
  while (TRANSPARENT.has(at.type)) {
    const inner = child(at, 'this');
    if (inner === undefined) break;
    at = inner;
  }
  return at.type === 'Literal' ? `Literal ${literalKey(at)}` : (FLIPPED[at.type] ?? at.type);
}

/** A matching that leaves nobody out; each node first takes a free partner, then makes others move on. */
function hasMatching(a: readonly SqlNode[], b: readonly SqlNode[], equal: Equivalence): boolean {
  const partners = new Map<SqlNode, SqlNode>();
  const free = new Set(b);
  const place = (node: SqlNode, tried: Set<SqlNode>): boolean => {
    for (const other of free) {
      if (!equal(node, other)) continue;
      free.delete(other);
      partners.set(other, node);
      return true;
    }
    for (const [other, holder] of partners) {
      if (tried.has(other) || !equal(node, other)) continue;
      tried.add(other);
      if (!place(holder, tried)) continue;
      partners.set(other, node);
      return true;
    }
    return false;
  };
  return a.every((node) => place(node, new Set()));
}

// Whether a column has a value in every row of its query.

/**
 * Whether a column of a table holds no NULL. Names in lower case, as queries write them; `undefined` where the table has
 * no such column.
 */
export type NeverNull = (table: string, column: string) => boolean | undefined;

/** A column of the SELECT's own tables that is never NULL there, unless an outer join may have made it so. */
function isFilled(column: SqlNode, isNeverNull: NeverNull): boolean {
  const select = ancestor(column, ({ type }) => type === 'Select');
  const name = child(column, 'this')?.value?.toLowerCase();
  if (select === undefined || name === undefined) return false;
  const qualifier = child(column, 'table')?.value?.toLowerCase();
  const all = relations(select);
  const owners = all.filter((relation) =>
    qualifier === undefined ? mayHave(relation, name, isNeverNull) : nameOf(relation) === qualifier,
  );
  const [owner, ...others] = owners;
  if (owner === undefined || others.length > 0) return false;
  // Rows without a partner get NULL in the tables on the far side of an outer join.
  const isKept = owner.join === 'inner' && all.every(({ join }) => join === 'inner' || join === 'left');
  const table = tableOf(owner);
  return isKept && table !== undefined && isNeverNull(table, name) === true;
}

/** What is no table may have any column. */
function mayHave(relation: Relation, column: string, isNeverNull: NeverNull): boolean {
  const table = tableOf(relation);
  return table === undefined || isNeverNull(table, column) !== undefined;
}

function nameOf(relation: Relation): string | undefined {
  const alias = child(relation.node, 'alias');
  return (alias && child(alias, 'this')?.value?.toLowerCase()) ?? tableOf(relation);
}

function tableOf({ node }: Relation): string | undefined {
  return node.type === 'Table' ? child(node, 'this')?.value?.toLowerCase() : undefined;
}
