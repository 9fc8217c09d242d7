/** Semantic equivalence of nodes, after "node-level uncertainty" (arXiv 2511.13984): the rules of its Algorithm 1. */

import { fnv1a } from '../../lib/index.ts';
import { normaliseWith } from '../normal/normalise.ts';
import { operandsOf } from '../normal/query-nodes.ts';
import { relations } from '../normal/relations.ts';
import { internedKeys, literalKey } from '../normal/scalar-keys.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import {
  type Equivalence,
  hasOrderedChildren,
  isBinary,
  isFlipped,
  isSymmetric,
} from './equivalence-types.ts';
import { sameScalars } from './is-same-around.ts';
import { countedCondition, countsRows, matchesAll, type NeverNull, type NodeTests } from './row-counts.ts';

export interface EquivalenceOptions {
  /**
   * `published`: the wording of the paper, with one alias map for a tree and children in any order. `tightened`, the
   * default: names by scope; order counts where it changes the result (BETWEEN, CASE, arguments, LIMIT, ORDER BY);
   * chains of AND and OR, brackets, and the joins and conditions of inner joins are compared as sets. `tolerant`: also
   * equal is what has one canonical form (`normalise`), and what counts the same rows in other words.
   */
  readonly mode?: 'published' | 'tightened' | 'tolerant';
  /** In `tolerant`: lets COUNT of a column be COUNT(*). */
  readonly isNeverNull?: NeverNull;
}

/**
 * `equivalence(generated, gold)(node, other)`. It is not symmetric: a qualifier of the first tree that names nothing is
 * equal to nothing. Nor is it transitive, since a bare name equals the same name under any qualifier.
 */
export function equivalence(
  generated: SqlTree,
  gold: SqlTree,
  { mode = 'tightened', isNeverNull }: EquivalenceOptions = {},
): Equivalence {
  const isTightened = mode !== 'published';
  const known = new Map<number, boolean>();
  const rules: Rules = {
    isTightened,
    basesOf: [
      isTightened ? scopedBaseNames() : treeBaseNames(generated),
      isTightened ? scopedBaseNames() : treeBaseNames(gold),
    ],
    trees: [generated, gold],
    // What `tolerant` takes as equal may have other names and literals in it.
    signatureOf: mode === 'tolerant' ? undefined : nodeSignatures(),
    tolerates: mode === 'tolerant' ? tolerance([generated, gold], isNeverNull) : undefined,
    equal: (a, b) => {
      const pair = a.id * gold.nodes.length + b.id;
      const answer = known.get(pair) ?? areEqual(rules, a, b);
      known.set(pair, answer);
      return answer;
    },
  };
  return rules.equal;
}

interface Rules {
  readonly isTightened: boolean;
  readonly basesOf: readonly [generated: BaseNames, gold: BaseNames];
  readonly trees: readonly [generated: SqlTree, gold: SqlTree];
  readonly equal: Equivalence;
  readonly signatureOf: NodeTests['signatureOf'];
  readonly tolerates: Tolerance | undefined;
}

type Tolerance = (a: SqlNode, b: SqlNode, equal: Equivalence) => boolean;

function tolerance(
  trees: readonly [generated: SqlTree, gold: SqlTree],
  isNeverNull: NeverNull = () => undefined,
): Tolerance {
  const haveOneKey = equalKeys(...trees);
  return (a, b, equal) => {
    if (haveOneKey(a, b)) return true;
    if (countsRows(a, isNeverNull)) return countsRows(b, isNeverNull);
    const condition = countedCondition(a, isNeverNull);
    const other = condition && countedCondition(b, isNeverNull);
    return condition !== undefined && other !== undefined && equal(condition, other);
  };
}

/** The first rule that speaks decides. */
function areEqual(rules: Rules, a: SqlNode, b: SqlNode): boolean {
  if (rules.tolerates?.(a, b, rules.equal) === true) return true;
  const [left, right] = [innerOf(rules, a), innerOf(rules, b)];
  if (left !== a || right !== b) return rules.equal(left, right);
  if (a.type === 'Column' && b.type === 'Column') return areEqualColumns(rules, a, b);
  if (a.type === 'TableAlias' && b.type === 'TableAlias') return true;
  if (a.type === 'Identifier' && b.type === 'Identifier') return areEqualNames(rules, a, b);
  if (isFlipped(a.type, b.type)) return inOrder(rules, a.children, b.children.toReversed());
  if (a.type !== b.type) return false;
  if (a.type === 'Select' && rules.isTightened) return areEqualSelects(rules, a, b);
  return isBinary(a) && isBinary(b) ? areEqualOperations(rules, a, b) : areEqualOthers(rules, a, b);
}

/** The name of a select item says nothing, nor do brackets. */
function innerOf({ isTightened }: Rules, node: SqlNode): SqlNode {
  const isOpen = node.type === 'Alias' || (isTightened && node.type === 'Paren');
  return (isOpen && child(node, 'this')) || node;
}

function areEqualColumns(rules: Rules, a: SqlNode, b: SqlNode): boolean {
  if (nameOf(child(a, 'this')) !== nameOf(child(b, 'this'))) return false;
  const [one, other] = [child(a, 'table'), child(b, 'table')];
  const base = one && baseOf(rules, 0, one);
  if (one !== undefined && base === undefined) return false;
  return one === undefined || other === undefined || base === baseOf(rules, 1, other);
}

function nameOf(node: SqlNode | undefined): string | undefined {
  return node?.type === 'Star' ? '*' : node?.value?.toLowerCase();
}

function baseOf({ basesOf }: Rules, side: 0 | 1, qualifier: SqlNode): string | undefined {
  return basesOf[side](qualifier.value?.toLowerCase() ?? '', qualifier);
}

function areEqualNames(rules: Rules, a: SqlNode, b: SqlNode): boolean {
  // A table `race` is no column `race`, and an alias no qualifier that happens to be spelt as it is.
  if (rules.tolerates !== undefined && namedBy(a) !== namedBy(b)) return false;
  if (a.parent?.type === 'TableAlias' && b.parent?.type === 'TableAlias') return true;
  const [isQualifier, isOther] = [isColumnQualifier(a), isColumnQualifier(b)];
  if (isQualifier && (isOther || isTableName(b))) {
    const base = baseOf(rules, 0, a);
    return base !== undefined && base === (isOther ? baseOf(rules, 1, b) : nameOf(b));
  }
  if (isOther && isTableName(a)) return nameOf(a) === baseOf(rules, 1, b);
  return nameOf(a) === nameOf(b);
}

function namedBy(name: SqlNode): 'relation' | 'table alias' | 'other' {
  if (name.parent?.type === 'TableAlias') return 'table alias';
  return isColumnQualifier(name) || isTableName(name) ? 'relation' : 'other';
}

function isColumnQualifier({ role, parent }: SqlNode): boolean {
  return role === 'table' && parent?.type === 'Column';
}

function isTableName({ role, parent }: SqlNode): boolean {
  return role === 'this' && parent?.type === 'Table';
}

function areEqualOperations(rules: Rules, a: SqlNode, b: SqlNode): boolean {
  if (!sameScalars(rules.trees, a, b)) return false;
  const isChain = a.type === 'And' || a.type === 'Or';
  if (isChain && rules.isTightened) return matchesAll(operandsOf(a), operandsOf(b), rules);
  if (inOrder(rules, a.children, b.children)) return true;
  return isSymmetric(a.type) && inOrder(rules, a.children, b.children.toReversed());
}

function inOrder({ equal }: Rules, a: readonly SqlNode[], b: readonly SqlNode[]): boolean {
  return (
    a.length === b.length &&
    a.every((node, index) => {
      const other = b[index];
      return other !== undefined && equal(node, other);
    })
  );
}

function areEqualOthers(rules: Rules, a: SqlNode, b: SqlNode): boolean {
  if (!sameScalars(rules.trees, a, b)) return false;
  const [one, other] = [comparedChildren(a), comparedChildren(b)];
  const isOrdered = rules.isTightened && hasOrderedChildren(a);
  if (!isOrdered) return matchesAll(one, other, rules);
  return inOrder(rules, one, other) && one.every(({ role }, index) => role === other[index]?.role);
}

/** Names given to tables and select items are no part of what a node says. */
function comparedChildren({ children }: SqlNode): readonly SqlNode[] {
  return children.filter(
    ({ type, role }) => type !== 'TableAlias' && (type !== 'Identifier' || role !== 'alias'),
  );
}

/** Where only inner joins are, relations and conditions are two sets, so that swapping joins is no error. */
function areEqualSelects(rules: Rules, a: SqlNode, b: SqlNode): boolean {
  const [one, other] = [relations(a), relations(b)];
  const isInner = [...one, ...other].every(({ join }) => join === 'inner');
  if (!isInner) return areEqualOthers(rules, a, b);
  const rest = ({ children }: SqlNode) => children.filter(({ role }) => role !== 'from' && role !== 'joins');
  const relationsOf = (list: typeof one) => list.map(({ node }) => node);
  const conditionsOf = (list: typeof one) =>
    list.flatMap(({ on, using }) => [...on.flatMap((node) => operandsOf(node, 'And')), ...using]);
  return (
    sameScalars(rules.trees, a, b) &&
    matchesAll(relationsOf(one), relationsOf(other), rules) &&
    matchesAll(conditionsOf(one), conditionsOf(other), rules) &&
    matchesAll(rest(a), rest(b), rules)
  );
}

/**
 * Whether two expressions, or two whole statements, have one canonical form: `IIF(a, 1, 0)` and a CASE, a name given to
 * a select item and the item, `NOT a = b` and `a <> b`. Parts that have no form of their own are never equal here.
 */
function equalKeys(generated: SqlTree, gold: SqlTree): Equivalence {
  const fold = internedKeys();
  const one = keysOf(generated, fold);
  const other = keysOf(gold, fold);
  return (a, b) => {
    const key = one[a.id];
    return key !== undefined && key === other[b.id];
  };
}

function keysOf(tree: SqlTree, fold: (key: string) => string): readonly (string | undefined)[] {
  const { form, keys } = normaliseWith(tree, {}, fold);
  // The brackets keep the query from being equal to an expression with its text.
  return keys.with(tree.root.id, `[${form.key}]`);
}

/**
 * A number for each node that equivalent nodes share, in both modes: the names of columns and the literals below it,
 * added up as hashes, so that their order, brackets and names of tables count nothing. It spares comparing what cannot
 * be equal.
 */
function nodeSignatures(): (node: SqlNode) => number {
  const known = new Map<SqlNode, number>();
  const signatureOf = (node: SqlNode): number => {
    const signature = known.get(node) ?? readSignature(node, signatureOf);
    known.set(node, signature);
    return signature;
  };
  return signatureOf;
}

function readSignature(node: SqlNode, signatureOf: (node: SqlNode) => number): number {
  if (node.type === 'Column') return fnv1a(node.children.at(-1)?.value?.toLowerCase() ?? '*');
  if (node.type === 'Literal') return fnv1a(literalKey(node));
  if (node.type === 'TableAlias') return 0;
  let sum = 0;
  for (const below of node.children) sum = (sum + signatureOf(below)) >>> 0;
  return sum;
}

// What a qualifier stands for: alias to table, by the two readings of node-level uncertainty.

/** The lower-case name of the table a qualifier stands for at a place; `undefined` when it stands for none. */
type BaseNames = (qualifier: string, place: SqlNode) => string | undefined;

/** One map for the whole tree, as the paper has it: where an alias is given twice, the last one holds everywhere. */
function treeBaseNames(tree: SqlTree): BaseNames {
  const names = new Map<string, string>();
  for (const node of tree.nodes) {
    if (RELATIONS.has(node.type) && node.role === 'this') addNames(names, node);
    if (node.type === 'CTE') addName(names, nameOfAlias(node));
  }
  return (qualifier) => names.get(qualifier);
}

/** A map for each SELECT, looking outward for names of queries around. */
function scopedBaseNames(): BaseNames {
  const maps = new Map<SqlNode, ReadonlyMap<string, string>>();
  const mapOf = (select: SqlNode): ReadonlyMap<string, string> => {
    const known = maps.get(select);
    if (known !== undefined) return known;
    const names = new Map<string, string>();
    let unnamed = 0;
    for (const { node } of relations(select)) {
      addNames(names, node);
      // What has no table behind it is known by its place, so that another alias is no other name.
      if (node.type === 'Table') continue;
      unnamed += 1;
      const alias = nameOfAlias(node);
      if (alias !== undefined) names.set(alias, `$${unnamed}`);
    }
    maps.set(select, names);
    return names;
  };
  return (qualifier, place) => {
    for (let at: SqlNode | undefined = place; at !== undefined; at = at.parent) {
      const base = at.type === 'Select' ? mapOf(at).get(qualifier) : undefined;
      if (base !== undefined) return base;
    }
    return undefined;
  };
}

const RELATIONS: ReadonlySet<string> = new Set([
  'Table',
  'Subquery',
  'Unnest',
  'Lateral',
  'Values',
  'TableFromRows',
]);

/** A table answers to its alias and to its own name; what has no table behind it stands for itself. */
function addNames(names: Map<string, string>, relation: SqlNode): void {
  const alias = nameOfAlias(relation);
  const name = relation.type === 'Table' ? child(relation, 'this') : undefined;
  const base = name?.type === 'Identifier' ? name.value?.toLowerCase() : undefined;
  addName(names, base);
  if (alias !== undefined) names.set(alias, base ?? alias);
}

function addName(names: Map<string, string>, name: string | undefined): void {
  if (name !== undefined) names.set(name, name);
}

function nameOfAlias(node: SqlNode): string | undefined {
  const alias = child(node, 'alias');
  return alias && child(alias, 'this')?.value?.toLowerCase();
}
