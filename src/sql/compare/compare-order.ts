/** Two ORDER BY side by side: terms, directions and ranks. */

import { compareClause, pairClause } from './compare-parts.ts';
import type { Comparing } from './comparing.ts';
import { increasingRun } from './increasing-run.ts';
import { isComplete } from './match-parts.ts';
import type { NormalQuery, Part } from './normal-form.ts';
import { recordEdit } from './record-edit.ts';

export function compareOrder(comparing: Comparing, before: NormalQuery, after: NormalQuery): void {
  const match = compareClause(comparing, 'order', [before.order, after.order]);
  const turned = match.equal.filter(([one, other]) => one.direction !== other.direction);
  for (const [one, other] of turned) {
    recordEdit(comparing, { kind: 'changed', clause: 'order', before: one.node, after: other.node });
  }
  recordMoves(comparing, 'order', [match.equal, after.order]);
  const isEqual = turned.length === 0 && isComplete(match);
  // A query whose end belongs to the set operation around it has a clause, but no terms here.
  if (before.order.length === 0 || after.order.length === 0) return;
  pairClause(comparing, [before.node, after.node], { role: 'order', isEqual });
}

type Matched<P extends Part> = readonly [
  pairs: readonly (readonly [before: P, after: P])[],
  after: readonly P[],
];

/** Tells which matched parts stand further up or down than before; the fewest that explain the new order. */
export function recordMoves<P extends Part>(
  comparing: Comparing,
  clause: 'order' | 'select',
  [pairs, after]: Matched<P>,
): void {
  const places = new Map(after.map((part, index) => [part, index]));
  const staying = increasingRun(pairs.map(([, other]) => places.get(other) ?? 0));
  for (const [index, [one, other]] of pairs.entries()) {
    if (staying.has(index)) continue;
    recordEdit(comparing, { kind: 'moved', clause, before: one.node, after: other.node });
  }
}
