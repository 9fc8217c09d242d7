/** Which nodes of a generated query are wrong, judged by a gold one: Algorithm 1 of arXiv 2511.13984. */
import { MOST_NODES } from '../../faults/reading/index.ts';
import { sameScalars } from '../../sql/compare/index.ts';
import { equivalence } from '../../sql/index.ts';
import { operandsOf, relations } from '../../sql/normal/index.ts';
import { ancestor, child, childrenIn, type SqlNode, type SqlTree } from '../../sql/tree/index.ts';
import type { LabelFacts } from './label-facts.ts';

const DEFAULTS: LabelOptions = {
  mode: 'counterpart',
  globalPass: true,
  equality: 'tolerant',
  extendedContainers: false,
};

/**
 * Labels by node id of the generated tree, 1 = error; `undefined` where either query has more than `MOST_NODES` nodes,
 * since the work grows with the product of their sizes. What the generated query lacks has no node and no label.
 */
export function labelNodes(
  generated: SqlTree,
  gold: SqlTree,
  options: Partial<LabelOptions> = {},
  facts?: LabelFacts,
): Uint8Array | undefined {
  if (Math.max(generated.nodes.length, gold.nodes.length) > MOST_NODES) return undefined;
  const settled = { ...DEFAULTS, ...options };
  const isTolerant = settled.equality === 'tolerant';
  const equal = equivalence(generated, gold, {
    mode: isTolerant ? 'tolerant' : 'published',
    ...(facts !== undefined && { isNeverNull: facts.isNeverNull }),
  });
  const trees = [generated, gold] as const;
  const isSameBesideChildren = (a: SqlNode, b: SqlNode) => sameScalars(trees, a, b);
  const alignment = (isTolerant ? alignRemaining : alignNodes)(generated, gold, {
    equal,
    isSameBesideChildren: settled.extendedContainers ? isSameBesideChildren : undefined,
  });
  forgiveContainers(generated, alignment, settled);
  if (settled.globalPass) (isTolerant ? forgiveHarmless : rescueNodes)(trees, alignment.labels, equal);
  return alignment.labels;
}

/** The first step of Algorithm 1: two trees laid over each other, level by level. */
interface Alignment {
  /** By node id of the generated tree, 1 = error. */
  readonly labels: Uint8Array;
  /** By node id: stood opposite a node of its type. */
  readonly isPaired: Uint8Array;
  /** By node id: stood opposite a node of its type that says the same beside its children. */
  readonly isMatched: Uint8Array;
}

interface AlignmentTests {
  readonly equal: (generated: SqlNode, gold: SqlNode) => boolean;
  /** Of two nodes of one type: whether they say the same beside their children. Absent where nobody asks. */
  readonly isSameBesideChildren?: ((generated: SqlNode, gold: SqlNode) => boolean) | undefined;
}

/**
 * Every child is laid over every child of the node opposite, whatever their slots. A node that equals the one opposite
 * is right with all below it, any other is an error, and **a later pair overwrites an earlier one**: what stands at the
 * end is the word of the last pair. Each pair is met once, since it has one pair of parents; so the work is the product
 * of the sizes of the two trees on each level.
 */
function alignNodes(generated: SqlTree, gold: SqlTree, tests: AlignmentTests): Alignment {
  const alignment = emptyAlignment(generated);
  const align = (a: SqlNode, b: SqlNode): void => {
    if (isRightOpposite(alignment, tests, [a, b])) return;
    for (const left of a.children) for (const right of b.children) align(left, right);
  };
  align(generated.root, gold.root);
  return alignment;
}

function emptyAlignment({ nodes: { length } }: SqlTree): Alignment {
  return {
    labels: new Uint8Array(length).fill(1),
    isPaired: new Uint8Array(length),
    isMatched: new Uint8Array(length),
  };
}

/** Judges one pair, and says whether that settles all below it. */
function isRightOpposite(
  { labels, isPaired, isMatched }: Alignment,
  { equal, isSameBesideChildren }: AlignmentTests,
  [a, b]: readonly [SqlNode, SqlNode],
): boolean {
  if (a.type === b.type) {
    isPaired[a.id] = 1;
    if (isSameBesideChildren?.(a, b) === true) isMatched[a.id] = 1;
  }
  const isEqual = equal(a, b);
  if (isEqual) labels.fill(0, a.id, endOf(a));
  else labels[a.id] = 1;
  return isEqual;
}

/** One past the last id below a node: ids are given in preorder. */
function endOf(node: SqlNode): number {
  let last = node;
  for (let next = last.children.at(-1); next !== undefined; next = next.children.at(-1)) last = next;
  return last.id + 1;
}

// The first step of tolerant labels: what is equal goes first, the rest is laid over the rest.

/**
 * As `alignNodes`, but brackets and chains of AND and OR are flat, and a part whose equal stands opposite is no
 * counterpart of another: of `b = 1 AND c = 2` beside `b = 1` the second condition stands opposite nothing. So the order
 * of parts says nothing, and no pair overwrites another.
 */
function alignRemaining(generated: SqlTree, gold: SqlTree, tests: AlignmentTests): Alignment {
  const alignment = emptyAlignment(generated);
  // The operands of a chain are parts of it and of what stands around it: without the set they would meet again.
  const met = new Set<number>();
  const align = (a: SqlNode, b: SqlNode): void => {
    const pair = a.id * gold.nodes.length + b.id;
    if (met.has(pair)) return;
    met.add(pair);
    if (isRightOpposite(alignment, tests, [a, b])) return;
    const [own, opposite] = [flatParts(a), flatParts(b)];
    const isSettled = (part: SqlNode) =>
      opposite.some((other) => tests.equal(part, other) && isRightOpposite(alignment, tests, [part, other]));
    const left = own.filter((part) => !isSettled(part));
    const right = opposite.filter((other) => !own.some((part) => tests.equal(part, other)));
    for (const part of left) for (const other of right) align(part, other);
  };
  align(generated.root, gold.root);
  return alignment;
}

// Children as tolerant labels see them.

/**
 * Brackets and the names of items are stepped over; a chain has its operands as parts, not its links, and they stand
 * beside it in what holds it too.
 */
function flatParts(node: SqlNode): readonly SqlNode[] {
  const parts = isChain(node) ? operandsOf(node) : node.children.map(innerOf);
  return parts.flatMap((part) => (isChain(part) ? [part, ...operandsOf(part)] : [part]));
}

/** AND and OR, of any number of operands. */
function isChain({ type, flags }: SqlNode): boolean {
  return (type === 'And' || type === 'Or') && flags.call === undefined;
}

function innerOf(node: SqlNode): SqlNode {
  let at = node;
  while (at.type === 'Paren' || at.type === 'Alias') {
    const inner = child(at, 'this');
    if (inner === undefined) break;
    at = inner;
  }
  return at;
}

// The third step of Algorithm 1: what is right somewhere in the gold query is right.

/** Only the node itself is relabelled, as published. */
function rescueNodes(
  [generated, gold]: readonly [SqlTree, SqlTree],
  labels: Uint8Array,
  equal: (generated: SqlNode, gold: SqlNode) => boolean,
): void {
  for (const node of generated.nodes) {
    if (labels[node.id] === 1 && gold.nodes.some((other) => equal(node, other))) labels[node.id] = 0;
  }
}

// The second step of Algorithm 1: nodes that are wrong only because of what they contain.

const CONTAINERS: ReadonlySet<string> = new Set(['Select', 'From', 'Where', 'Group', 'Having', 'EQ', 'NEQ']);
const EXTENDED: ReadonlySet<string> = new Set([
  ...['GT', 'GTE', 'LT', 'LTE', 'NullSafeEQ', 'NullSafeNEQ', 'Is', 'Like', 'ILike', 'Glob'],
  ...['And', 'Or', 'In', 'Between', 'Order', 'Ordered', 'Join'],
]);

/** All are judged by the labels as they stood before: to forgive one must not make its own container guilty. */
function forgiveContainers(
  tree: SqlTree,
  { labels, isPaired, isMatched }: Alignment,
  { mode, extendedContainers }: Pick<LabelOptions, 'mode' | 'extendedContainers'>,
): void {
  const errorsBefore = runningCount(labels);
  for (const node of tree.nodes) {
    if (labels[node.id] === 0) continue;
    const below = (errorsBefore[endOf(node)] ?? 0) - (errorsBefore[node.id + 1] ?? 0);
    const isForgiven = mode === 'literal' ? below > 0 : isPaired[node.id] === 1;
    if (CONTAINERS.has(node.type) && isForgiven) labels[node.id] = 0;
    if (extendedContainers && isExtended(node) && isMatched[node.id] === 1) labels[node.id] = 0;
  }
}

/** At `n`: the errors among the first `n` nodes. */
function runningCount(labels: Uint8Array): Uint16Array {
  const counts = new Uint16Array(labels.length + 1);
  labels.forEach((label, id) => {
    counts[id + 1] = (counts[id] ?? 0) + label;
  });
  return counts;
}

function isExtended({ type, flags }: SqlNode): boolean {
  return EXTENDED.has(type) || flags.call !== undefined;
}

// The last step of tolerant labels: what differs from the gold and changes no result.

type EqualNodes = (generated: SqlNode, gold: SqlNode) => boolean;

/**
 * Below what equals something in the gold nothing is wrong. Inner joins and conditions are judged as sets, whatever the
 * rest of their SELECT does; chains of AND and OR as one, by their outermost link; names given to tables and items, and
 * brackets, by what they are given to.
 */
function forgiveHarmless(
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

/** What the SELECTs of a gold query join and demand, as sets: where inner joins are, the order says nothing. */
interface GoldSelect {
  /** Tables and the like that inner joins bring in, the first one among them. */
  readonly relations: readonly SqlNode[];
  /** What ON, USING and WHERE demand, one by one. */
  readonly conditions: readonly SqlNode[];
  /** Columns that these conditions make equal, by their text, as sets of the same number. */
  readonly equalColumns: ReadonlyMap<string, number>;
}

/** SELECTs with another than inner joins are left out: there conditions may not be moved. */
function goldSelects({ nodes }: SqlTree): readonly GoldSelect[] {
  return nodes.flatMap((select) => {
    if (select.type !== 'Select') return [];
    const all = relations(select);
    if (all.length === 0 || all.some(({ join }) => join !== 'inner')) return [];
    const where = childrenIn(select, 'where').flatMap((clause) => child(clause, 'this') ?? []);
    const demanded = [...all.flatMap(({ on }) => on), ...where].flatMap((node) => operandsOf(node, 'And'));
    return [
      {
        relations: all.map(({ node }) => node),
        conditions: [...demanded, ...all.flatMap(({ using }) => using)],
        equalColumns: equalColumns(demanded),
      },
    ];
  });
}

/** `a = b AND b = c` makes one set of three. */
function equalColumns(conditions: readonly SqlNode[]): ReadonlyMap<string, number> {
  const sets = new Map<string, number>();
  for (const condition of conditions) {
    const sides = columnPair(condition);
    if (sides === undefined) continue;
    const [one, other] = sides.map(columnText);
    if (one === undefined || other === undefined) continue;
    const number = sets.get(one) ?? sets.size;
    const merged = sets.get(other);
    sets.set(one, number).set(other, number);
    for (const [column, own] of sets) if (own === merged) sets.set(column, number);
  }
  return sets;
}

/** The two sides of `a.x = b.x`. */
function columnPair({ type, children }: SqlNode): readonly SqlNode[] | undefined {
  const isPair = type === 'EQ' && children.length === 2 && children.every((side) => side.type === 'Column');
  return isPair ? children : undefined;
}

/** Within one SELECT the same text is the same column. */
function columnText({ children }: SqlNode): string {
  return children.map(({ value }) => value?.toLowerCase()).join('.');
}

/** How the nodes of a generated query are judged by a gold one. */

export interface LabelOptions {
  /**
   * Which containers (SELECT, FROM, WHERE, GROUP BY, HAVING, =, <>) are forgiven: `literal`, the published wording: those
   * with an error below; `counterpart`: those opposite one of their kind.
   */
  readonly mode: 'literal' | 'counterpart';
  /** The pass over all nodes of the gold that rescues nodes with an equal anywhere; off for the ablation. */
  readonly globalPass: boolean;
  /**
   * `published`: equality as the paper words it. `tolerant`: INNER JOIN is JOIN, chains of AND and OR and inner joins
   * are sets, names resolve by scope, and COUNT(*) is COUNT(key) where the key is never null.
   */
  readonly equality: 'published' | 'tolerant';
  /** Also forgives functions, comparisons, AND, OR, IN, BETWEEN, ORDER BY and joins that stand opposite one of their kind. */
  readonly extendedContainers: boolean;
}
