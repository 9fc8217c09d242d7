/** Which part of one list belongs to which of another. */
import type { Part } from '../normal/normal-form.ts';
import { type SqlNode, walk } from '../tree/node.ts';
import type { Comparing } from './difference.ts';
import { isSameAround } from './is-same-around.ts';

export interface PartMatch<P extends Part> {
  readonly equal: readonly (readonly [before: P, after: P])[];
  readonly changed: readonly (readonly [before: P, after: P])[];
  readonly removed: readonly P[];
  readonly added: readonly P[];
}

/** How alike two parts are that are not equal; pairs below the threshold are apart. */
export type Likeness<P extends Part> = (before: P, after: P) => number;

const THRESHOLD = 0.4;
/** Beyond so many pairs of leftovers likeness is not asked; they pair in order. */
const MAX_PAIRS = 2_500;

/** Equal parts first, then the most alike of the rest, the earlier before the later. */
export function matchParts<P extends Part>(
  before: readonly P[],
  after: readonly P[],
  likeness: Likeness<P>,
): PartMatch<P> {
  const { equal, leftBefore, leftAfter } = matchEqual(before, after);
  const isSmall = leftBefore.length * leftAfter.length <= MAX_PAIRS;
  const changed = isSmall ? matchAlike(leftBefore, leftAfter, likeness) : matchInOrder(leftBefore, leftAfter);
  const taken = new Set(changed.flat());
  return {
    equal,
    changed,
    removed: leftBefore.filter((part) => !taken.has(part)),
    added: leftAfter.filter((part) => !taken.has(part)),
  };
}

/** Where one part is left over on each side, the one was exchanged for the other. */
export function withExchange<P extends Part>(match: PartMatch<P>): PartMatch<P> {
  const [one, ...moreRemoved] = match.removed;
  const [other, ...moreAdded] = match.added;
  const isExchange = moreRemoved.length + moreAdded.length === 0;
  if (!isExchange || one === undefined || other === undefined) return match;
  return { equal: match.equal, changed: [...match.changed, [one, other]], removed: [], added: [] };
}

/** Whether all parts of both lists are matched as equal. */
export function isComplete<P extends Part>({ changed, removed, added }: PartMatch<P>): boolean {
  return changed.length + removed.length + added.length === 0;
}

function matchEqual<P extends Part>(before: readonly P[], after: readonly P[]) {
  const byKey = new Map<string, P[]>();
  for (const part of after.toReversed()) {
    const same = byKey.get(part.key);
    if (same === undefined) byKey.set(part.key, [part]);
    else same.push(part);
  }
  const equal: (readonly [P, P])[] = [];
  const leftBefore: P[] = [];
  for (const part of before) {
    const other = byKey.get(part.key)?.pop();
    if (other === undefined) leftBefore.push(part);
    else equal.push([part, other]);
  }
  const taken = new Set(equal.map(([, other]) => other));
  return { equal, leftBefore, leftAfter: after.filter((part) => !taken.has(part)) };
}

function matchAlike<P extends Part>(before: readonly P[], after: readonly P[], likeness: Likeness<P>) {
  const candidates = before.flatMap((part) =>
    after.map((other) => ({ part, other, score: likeness(part, other) })),
  );
  const taken = new Set<P>();
  const pairs: (readonly [P, P])[] = [];
  // A stable sort keeps the order of the clause among those that are equally alike.
  for (const { part, other, score } of candidates.sort((one, two) => two.score - one.score)) {
    if (score < THRESHOLD) break;
    if (taken.has(part) || taken.has(other)) continue;
    taken.add(part).add(other);
    pairs.push([part, other]);
  }
  const places = new Map(before.map((part, index) => [part, index]));
  return pairs.sort(([one], [two]) => (places.get(one) ?? 0) - (places.get(two) ?? 0));
}

function matchInOrder<P extends Part>(before: readonly P[], after: readonly P[]) {
  const count = Math.min(before.length, after.length);
  return before.slice(0, count).map((part, index) => [part, after[index] as P] as const);
}

/** How much two parts have in common: names, values, functions and operators. */
interface Features {
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Parts that are as good as equal come before all others. */
const SAME = 2;

/** The F1 of what the parts are made of, from 0 to 1. */
export function partLikeness(comparing: Comparing): (before: Part, after: Part) => number {
  const known = new Map<SqlNode, Features>();
  const featuresOf = ({ node }: Part): Features => {
    const features = known.get(node) ?? readFeatures(node);
    known.set(node, features);
    return features;
  };
  return (one, other) =>
    isSameAround(comparing, one.node, other.node) ? SAME : overlap(featuresOf(one), featuresOf(other));
}

/** A column says more about what a condition is about than its value does. */
const COLUMN_WEIGHT = 2;

function readFeatures(root: SqlNode): Features {
  const weights = new Map<string, number>();
  let total = 0;
  for (const node of walk(root)) {
    const feature = featureOf(node);
    if (feature === undefined) continue;
    const weight = node.type === 'Column' ? COLUMN_WEIGHT : 1;
    weights.set(feature, (weights.get(feature) ?? 0) + weight);
    total += weight;
  }
  return { weights, total };
}

const SILENT: ReadonlySet<string> = new Set(['Identifier', 'Paren', 'Alias', 'Ordered', 'TableAlias']);

function featureOf({ type, value, children }: SqlNode): string | undefined {
  if (SILENT.has(type)) return undefined;
  if (type === 'Column') return `column ${children.at(-1)?.value?.toLowerCase() ?? '*'}`;
  return children.length === 0 ? `${type} ${value ?? ''}` : type;
}

function overlap(one: Features, other: Features): number {
  let shared = 0;
  for (const [feature, weight] of one.weights) shared += Math.min(weight, other.weights.get(feature) ?? 0);
  return one.total + other.total === 0 ? 0 : (2 * shared) / (one.total + other.total);
}
