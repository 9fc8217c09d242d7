/** Queries that leave out a part of what a question asks for: what a ledger of its words has to notice. */

import type { Span } from '../../src/sql/dialects/index.ts';
import { patchText } from '../../src/sql/rewrite/index.ts';
import type { SqlNode, SqlTree } from '../../src/sql/tree/index.ts';

export type DroppedKind = 'condition' | 'order' | 'limit' | 'aggregate';

export interface DroppedQuery {
  readonly kind: DroppedKind;
  readonly sql: string;
}

/** Every query that is the given one without one condition, its order, its limit or a figure. */
export function dropParts(tree: SqlTree): readonly DroppedQuery[] {
  return tree.nodes.flatMap((node): readonly DroppedQuery[] => {
    const edit = editAt(node, tree.text);
    return edit === undefined
      ? []
      : [{ kind: edit.kind, sql: patchText(tree.text, [{ span: edit.span, text: edit.text }]) }];
  });
}

interface DroppedPart {
  readonly kind: DroppedKind;
  readonly span: Span;
  readonly text: string;
}

function editAt(node: SqlNode, sql: string): DroppedPart | undefined {
  const { type, parent } = node;
  // The rows that an inner query gives may be the same without its order.
  const isOuter = parent?.parent === undefined;
  switch (type) {
    case 'Where':
    case 'Having':
      return node.children[0]?.type === 'And' ? undefined : { kind: 'condition', span: node, text: '' };
    case 'Limit':
      return isOuter ? { kind: 'limit', span: node, text: '' } : undefined;
    case 'Order': {
      const hasLimit = parent?.children.some((one) => one.type === 'Limit') === true;
      return isOuter && !hasLimit ? { kind: 'order', span: node, text: '' } : undefined;
    }
    case 'Sum':
    case 'Avg':
    case 'Max':
    case 'Min':
      return isShown(node) ? argumentAlone(node, sql) : undefined;
    case 'Count':
      return isShown(node) ? withoutItem(node) : undefined;
    default:
      return parent?.type === 'And' && type !== 'And' ? withoutConjunct(node, parent) : undefined;
  }
}

function isShown({ role, parent }: SqlNode): boolean {
  return role === 'expressions' && parent?.type === 'Select' && parent.parent === undefined;
}

/** `AVG(age)` → `age` */
function argumentAlone(node: SqlNode, sql: string): DroppedPart | undefined {
  const [argument] = node.children;
  return argument?.type === 'Column'
    ? { kind: 'aggregate', span: node, text: sql.slice(argument.start, argument.end) }
    : undefined;
}

/** `SELECT name, COUNT(*)` → `SELECT name`; a count alone is all that its query shows. */
function withoutItem(node: SqlNode): DroppedPart | undefined {
  const items = node.parent?.children.filter(({ role }) => role === 'expressions') ?? [];
  const span = withNeighbour(node, items);
  return span === undefined ? undefined : { kind: 'aggregate', span, text: '' };
}

/** `a AND b` → `b`: with the word between it and the other one. */
function withoutConjunct(node: SqlNode, parent: SqlNode): DroppedPart | undefined {
  const span = withNeighbour(node, parent.children);
  return span === undefined ? undefined : { kind: 'condition', span, text: '' };
}

/** From where it begins to where the next one does, or from where the one before ends. */
function withNeighbour(node: SqlNode, among: readonly SqlNode[]): Span | undefined {
  const at = among.indexOf(node);
  const [before, behind] = [among[at - 1], among[at + 1]];
  if (behind !== undefined) return { start: node.start, end: behind.start };
  return before === undefined ? undefined : { start: before.end, end: node.end };
}
