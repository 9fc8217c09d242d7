/** The difficulty classes of Spider. */

import { queryPlace, withoutBrackets } from '../normal/query-nodes.ts';
import { child, childrenIn, type SqlNode, type SqlTree, walk } from '../tree/node.ts';

export type Hardness = 'easy' | 'medium' | 'hard' | 'extra';

/**
 * Spider's class of a query, by the rules of `eval_hardness` in the official `evaluation.py` (Yu et al. 2018; the same in
 * test-suite-sql-eval), with its oddities: NOT in a condition counts as an aggregate, so does every AND and OR of HAVING,
 * and of a set operation only the first SELECT is looked at. What the official parser cannot read takes the nearest
 * reading: a CTE, EXISTS and a subquery in the select list are nested queries. A statement that is no query is an empty
 * one, as there. One fault is not copied: its parser loses an OR behind `a < b` where b is a column.
 */
export function hardness({ root }: SqlTree): Hardness {
  const { select, sets } = firstSelect(root);
  const facts = readFacts(select);
  const component1 = countComponent1(facts);
  const component2 = countComponent2(facts, sets) + countCtes(root);
  const others = countOthers(facts);
  if (component2 === 0) {
    if (component1 <= 1 && others === 0) return 'easy';
    if ((others <= 2 && component1 <= 1) || (component1 <= 2 && others < 2)) return 'medium';
    if ((others > 2 && component1 <= 2) || (component1 > 2 && component1 <= 3 && others <= 2)) return 'hard';
  }
  return component1 <= 1 && others === 0 && component2 <= 1 ? 'hard' : 'extra';
}

/** The SELECT the official parser starts with, and how many set operations follow it: one, since the rest nests. */
function firstSelect(root: SqlNode): { select: SqlNode; sets: number } {
  let at = root;
  let sets = 0;
  for (;;) {
    const inner = SETS.has(at.type) || at.type === 'Subquery' ? child(at, 'this') : undefined;
    if (SETS.has(at.type)) sets = 1;
    if (inner === undefined) return { select: at, sets };
    at = inner;
  }
}

const SETS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

/** A query as the official parser sees it. */
interface Facts {
  readonly items: readonly SqlNode[];
  readonly joins: number;
  readonly on: Conditions;
  readonly where: Conditions;
  readonly having: Conditions;
  readonly group: readonly SqlNode[];
  readonly order: readonly SqlNode[];
  readonly hasLimit: boolean;
}

interface Conditions {
  readonly units: readonly SqlNode[];
  readonly ands: number;
  readonly ors: number;
}

function readFacts(select: SqlNode): Facts {
  const group = child(select, 'group');
  const order = child(select, 'order');
  const joins = childrenIn(select, 'joins');
  return {
    items: childrenIn(select, 'expressions'),
    joins: joins.length,
    on: readConditions(joins.flatMap((join) => childrenIn(join, 'on'))),
    where: readConditions(childrenIn(select, 'where').flatMap(({ children }) => children)),
    having: readConditions(childrenIn(select, 'having').flatMap(({ children }) => children)),
    group: group?.children ?? [],
    order: order?.children ?? [],
    hasLimit: child(select, 'limit') !== undefined,
  };
}

function readConditions(conditions: readonly SqlNode[]): Conditions {
  const units: SqlNode[] = [];
  let ands = 0;
  let ors = 0;
  const open = [...conditions];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const inner = withoutBrackets(at);
    if (inner.type !== 'And' && inner.type !== 'Or') units.push(inner);
    else {
      if (inner.type === 'And') ands += 1;
      else ors += 1;
      open.push(...inner.children);
    }
  }
  return { units, ands, ors };
}

function countComponent1({ joins, on, where, having, group, order, hasLimit }: Facts): number {
  const clauses = [where.units.length > 0, group.length > 0, order.length > 0, hasLimit];
  const likes = unitsOf(on, where, having).filter((unit) => positive(unit).type === 'Like');
  return clauses.filter(Boolean).length + joins + on.ors + where.ors + having.ors + likes.length;
}

function countComponent2({ on, where, having, items }: Facts, sets: number): number {
  const nested = [...unitsOf(on, where, having), ...items].map(countQueries);
  return nested.reduce((sum, count) => sum + count, sets);
}

function unitsOf(...conditions: readonly Conditions[]): readonly SqlNode[] {
  return conditions.flatMap(({ units }) => units);
}

/** Queries in an expression, without those inside them. */
function countQueries(expression: SqlNode): number {
  const place = queryPlace(expression);
  if (place === 'subquery') return 1;
  return expression.children.reduce((sum, below) => sum + countQueries(below), 0);
}

function countCtes(root: SqlNode): number {
  let count = 0;
  for (const node of walk(root)) if (node.type === 'CTE') count += 1;
  return count;
}

function countOthers({ items, where, having, group, order }: Facts): number {
  const negations = [...where.units, ...having.units].filter((unit) => positive(unit) !== unit).length;
  const connectives = having.ands + having.ors;
  const terms = order.flatMap(({ children }) => children.flatMap(sidesOf));
  const aggregates = [...items, ...group, ...terms].filter(hasAggregate).length + negations + connectives;
  return [aggregates > 1, items.length > 1, where.units.length > 1, group.length > 1].filter(Boolean).length;
}

/** What NOT stands before. */
function positive(unit: SqlNode): SqlNode {
  const inner = unit.type === 'Not' ? child(unit, 'this') : undefined;
  return inner === undefined ? unit : withoutBrackets(inner);
}

const ARITHMETIC: ReadonlySet<string> = new Set(['Add', 'Sub', 'Mul', 'Div']);

/** Both sides of `COUNT(*) - COUNT(a)` count in ORDER BY. */
function sidesOf(term: SqlNode): readonly SqlNode[] {
  const inner = withoutBrackets(term);
  return ARITHMETIC.has(inner.type) ? inner.children : [inner];
}

/** The five that Spider knows. */
const AGGREGATES: ReadonlySet<string> = new Set(['Max', 'Min', 'Count', 'Sum', 'Avg']);

function hasAggregate(expression: SqlNode): boolean {
  if (AGGREGATES.has(expression.type)) return true;
  return queryPlace(expression) === undefined && expression.children.some(hasAggregate);
}
