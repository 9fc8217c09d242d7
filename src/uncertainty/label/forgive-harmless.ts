/** The last step of tolerant labels: what differs from the gold and changes no result. */
import { ancestor, child, operandsOf, relations, type SqlNode, type SqlTree } from '../../sql/index.ts';
import { endOf } from './align-nodes.ts';
import { isChain } from './flat-parts.ts';
import { columnPair, columnText, type GoldSelect, goldSelects } from './gold-conditions.ts';

type EqualNodes = (generated: SqlNode, gold: SqlNode) => boolean;

/**
 * Below what equals something in the gold nothing is wrong. Inner joins and conditions are judged as sets, whatever the
 * rest of their SELECT does; chains of AND and OR as one, by their outermost link; names given to tables and items, and
 * brackets, by what they are given to.
 */
export function forgiveHarmless(
  [generated, gold]: readonly [SqlTree, SqlTree],
  labels: Uint8Array,
  equal: EqualNodes,
): void {
  const judge: Judge = { labels, equal, selects: goldSelects(gold), gold };
  for (const node of generated.nodes) {
    const isInGold = hasError(judge, node) && gold.nodes.some((other) => equal(node, other));
    if (isInGold) forgiveAll(judge, node);
  }
  for (const node of generated.nodes) {
    if (node.type === 'Select') judgeJoins(judge, node);
    else if (node.type === 'EQ' && isImplied(judge, node)) forgiveAll(judge, node);
  }
  for (const node of generated.nodes) if (isChain(node)) judgeChain(judge, node);
  for (const node of generated.nodes.toReversed()) followInner(judge, node);
  for (const node of generated.nodes) followOwner(judge, node);
}

interface Judge {
  readonly labels: Uint8Array;
  readonly equal: EqualNodes;
  readonly gold: SqlTree;
  readonly selects: readonly GoldSelect[];
}

function hasError({ labels }: Judge, node: SqlNode): boolean {
  return labels.subarray(node.id, endOf(node)).includes(1);
}

function forgiveAll({ labels }: Judge, node: SqlNode): void {
  labels.fill(0, node.id, endOf(node));
}

/** A join is right whose table and conditions one SELECT of the gold has; FROM is right whose table one has. */
function judgeJoins(judge: Judge, select: SqlNode): void {
  for (const { node, place, join, on, using } of relations(select)) {
    if (join !== 'inner') continue;
    const conditions = [...on.flatMap((condition) => operandsOf(condition, 'And')), ...using];
    const isRight = judge.selects.some(
      (gold) =>
        gold.relations.some((other) => judge.equal(node, other)) &&
        conditions.every((condition) => isDemanded(judge, gold, condition)),
    );
    const outer = place.type === 'Join' ? place : child(select, 'from');
    if (isRight && outer !== undefined) judge.labels[outer.id] = 0;
  }
}

function isDemanded({ equal }: Judge, gold: GoldSelect, condition: SqlNode): boolean {
  return gold.conditions.some((other) => equal(condition, other)) || follows({ equal }, gold, condition);
}

/** `a = c` follows from `a = b AND b = c`. */
function follows({ equal }: Pick<Judge, 'equal'>, gold: GoldSelect, condition: SqlNode): boolean {
  const sides = columnPair(condition);
  if (sides === undefined) return false;
  const columns = gold.conditions.flatMap((other) => columnPair(other) ?? []);
  const [one, other] = sides.map((side) => {
    const same = columns.filter((column) => equal(side, column));
    return new Set(same.map((column) => gold.equalColumns.get(columnText(column))));
  });
  return one !== undefined && other !== undefined && [...one].some((set) => other.has(set));
}

function isImplied(judge: Judge, node: SqlNode): boolean {
  return hasError(judge, node) && judge.selects.some((gold) => follows(judge, gold, node));
}

/** The outermost link speaks for the chain: it is right when all operands stand together in the gold. */
function judgeChain(judge: Judge, node: SqlNode): void {
  const { labels, equal, selects, gold } = judge;
  const above = ancestor(node, ({ type }) => type !== 'Paren');
  if (above?.type === node.type) {
    labels[node.id] = 0;
    return;
  }
  if (labels[node.id] === 0) return;
  const operands = operandsOf(node);
  const isAmong = (others: readonly SqlNode[]) =>
    operands.every((operand) => others.some((other) => equal(operand, other)));
  const isInSelect =
    node.type === 'And' &&
    selects.some((select) => operands.every((operand) => isDemanded(judge, select, operand)));
  const isInChain = () => gold.nodes.some((other) => other.type === node.type && isAmong(operandsOf(other)));
  if (isInSelect || isInChain()) labels[node.id] = 0;
}

const WRAPPERS: ReadonlySet<string> = new Set(['Paren', 'Alias', 'Subquery']);

/** Brackets, and an item with its name, are as right as what is inside. */
function followInner({ labels }: Judge, node: SqlNode): void {
  const inner = WRAPPERS.has(node.type) ? child(node, 'this') : undefined;
  if (inner !== undefined) labels[node.id] = labels[inner.id] ?? 0;
}

/** The name of an item is never wrong, that of a table only where the table is. */
function followOwner({ labels }: Judge, node: SqlNode): void {
  if (node.role !== 'alias' || node.parent === undefined) return;
  if (node.type === 'Identifier' || labels[node.parent.id] === 0) labels.fill(0, node.id, endOf(node));
}
