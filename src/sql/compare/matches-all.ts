/** One-to-one matching of two lists of nodes in any order. */
import { child, type SqlNode } from '../tree/node.ts';
import type { Equivalence } from './equivalence-types.ts';
import { literalKey } from './literal-key.ts';

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
