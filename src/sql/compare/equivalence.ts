/** Semantic equivalence of nodes, after "node-level uncertainty" (arXiv 2511.13984): the rules of its Algorithm 1. */
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { type BaseNames, scopedBaseNames, treeBaseNames } from './base-names.ts';
import { equalKeys } from './equal-keys.ts';
import {
  type Equivalence,
  hasOrderedChildren,
  isBinary,
  isFlipped,
  isSymmetric,
} from './equivalence-types.ts';
import type { NeverNull } from './is-filled.ts';
import { matchesAll, type NodeTests } from './matches-all.ts';
import { nodeSignatures } from './node-signatures.ts';
import { operandsOf } from './operands.ts';
import { relations } from './relations.ts';
import { countedCondition, countsRows } from './row-counts.ts';
import { sameScalars } from './same-scalars.ts';

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
