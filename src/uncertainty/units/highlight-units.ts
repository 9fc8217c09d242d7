/** The parts of a query that a person can point at and change: columns, tables, literals, conditions, joins, … */

import type { ReadQuery } from '../../faults/index.ts';
import { child, type SqlNode, type SqlTree } from '../../sql/index.ts';
import type { Span } from '../../sql/span.ts';
import type { UnitKind } from '../node-risk.ts';
import { anchorKind, isMarkedByName, isMarkedByWords, isQuery, isWrapper } from './unit-anchors.ts';

export interface Unit {
  readonly kind: UnitKind;
  /** Id of the node it begins with; that node and all below it change when the unit is replaced. */
  readonly anchor: number;
  /** What is marked. Of clauses and queries only their words, of a CTE or derived table its name. */
  readonly span: Span;
  readonly text: string;
  /** Ids of the nodes it stands for, ascending. Those of units inside it are theirs. */
  readonly nodes: readonly number[];
  /** The smallest unit around it, by its place in the list. */
  readonly parent: number | undefined;
  /** No unit stands inside it. */
  readonly isLeaf: boolean;
  /** It is a SELECT, a set operation or a whole statement: too much to be replaced as one part. */
  readonly isQuery: boolean;
}

/**
 * The units of a query, those around before those inside; every node belongs to exactly one. A unit may stand inside another,
 * as the column `a` in the condition `a = 1`; two that do not nest have disjoint spans. Time in proportion to the nodes.
 */
export function unitsOf(query: ReadQuery): readonly Unit[] {
  const { tree } = query;
  const kinds = tree.nodes.map((node) => anchorKind(node, query));
  const owners = ownersOf(tree, kinds);
  const places = new Map<number, number>();
  for (const [id, kind] of kinds.entries()) if (kind !== undefined) places.set(id, places.size);
  const nodes = Array.from(places, (): number[] => []);
  for (const [id, owner] of owners.entries()) nodes[places.get(owner)!]!.push(id);
  const parents = [...places.keys()].map((anchor) => parentOf(tree.nodes[anchor]!, places));
  const inner = new Set(parents);
  return [...places].map(([anchor, place]) => {
    const node = tree.nodes[anchor]!;
    const span = markedSpan(tree, node);
    return {
      kind: kinds[anchor] ?? 'clause',
      anchor,
      span,
      text: tree.text.slice(span.start, span.end),
      nodes: nodes[place]!,
      parent: parents[place],
      isLeaf: !inner.has(place),
      isQuery: isQuery(node),
    };
  });
}

/** By node id: the anchor of its unit. A wrapper stands with what it holds, all else with what is above. */
function ownersOf({ nodes }: SqlTree, kinds: readonly (UnitKind | undefined)[]): readonly number[] {
  const below = new Int32Array(nodes.length).fill(-1);
  for (let id = nodes.length - 1; id >= 0; id -= 1) {
    const node = nodes[id]!;
    if (kinds[id] !== undefined) below[id] = id;
    else if (isWrapper(node)) below[id] = below[child(node, 'this')?.id ?? -1] ?? -1;
  }
  const owners: number[] = [];
  for (const { id, parent } of nodes) owners.push(below[id]! >= 0 ? below[id]! : owners[parent?.id ?? 0]!);
  return owners;
}

function parentOf({ parent }: SqlNode, places: ReadonlyMap<number, number>): number | undefined {
  for (let above = parent; above !== undefined; above = above.parent) {
    const place = places.get(above.id);
    if (place !== undefined) return place;
  }
  return undefined;
}

function markedSpan(tree: SqlTree, node: SqlNode): Span {
  const alias = isMarkedByName(node) ? child(node, 'alias') : undefined;
  const name = alias && (child(alias, 'this') ?? alias);
  if (name !== undefined) return { start: name.start, end: name.end };
  return (isMarkedByWords(node) && ownWords(tree, node)) || { start: node.start, end: node.end };
}

/** The first words of a node that belong to none of its parts: `SELECT`, `ORDER BY`, `UNION ALL`. */
function ownWords({ tokens }: SqlTree, { children, start, end }: SqlNode): Span | undefined {
  let words: Span | undefined;
  let at = 0;
  for (let index = firstTokenAt(tokens, start); index < tokens.length; index += 1) {
    const token = tokens[index]!;
    if (token.start >= end) break;
    if (token.kind === 'space' || token.kind === 'comment') continue;
    while ((children[at]?.end ?? end) <= token.start) at += 1;
    const isOfPart = token.start >= (children[at]?.start ?? end);
    if (isOfPart && words !== undefined) break;
    if (!isOfPart) words = { start: words?.start ?? token.start, end: token.end };
  }
  return words;
}

/** Tokens stand in order: the first one that begins at or behind an offset, by halving. */
function firstTokenAt(tokens: SqlTree['tokens'], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tokens[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
