/** Lists of parts side by side: what was changed, what is missing, what is new. */
import { child, type SqlNode } from '../tree/node.ts';
import type { Role } from '../tree/node-types.ts';
import type { Comparing } from './comparing.ts';
import type { Clause } from './difference.ts';
import { isSameAround } from './is-same-around.ts';
import { matchParts, type PartMatch, withExchange } from './match-parts.ts';
import type { Part } from './normal-form.ts';
import { pairNodes } from './pair-nodes.ts';
import { partLikeness } from './part-likeness.ts';
import { recordEdit } from './record-edit.ts';

type Lists<P extends Part> = readonly [before: readonly P[], after: readonly P[]];

/** Clauses whose parts are not asked about the rows one by one, so that one in the place of another is a change. */
const EXCHANGING: ReadonlySet<Clause> = new Set(['group', 'order', 'values']);

export function compareClause<P extends Part>(
  comparing: Comparing,
  clause: Clause,
  [before, after]: Lists<P>,
): PartMatch<P> {
  const found = matchParts(before, after, partLikeness(comparing));
  const match = EXCHANGING.has(clause) ? withExchange(found) : found;
  pairMatched(comparing, clause, match);
  recordRest(comparing, clause, match);
  return match;
}

/** Clauses that hold one part at most. */
export function compareOne(
  comparing: Comparing,
  clause: Clause,
  [before, after]: readonly [before: Part | undefined, after: Part | undefined],
): void {
  const lists = [before === undefined ? [] : [before], after === undefined ? [] : [after]] as const;
  if (before === undefined || after === undefined || before.key === after.key) {
    compareClause(comparing, clause, lists);
  } else pairMatched(comparing, clause, { equal: [], changed: [[before, after]], removed: [], added: [] });
}

/** Pairs the nodes of matched parts and tells of those that changed. */
export function pairMatched<P extends Part>(
  comparing: Comparing,
  clause: Clause,
  { equal, changed }: PartMatch<P>,
): void {
  for (const [one, other] of equal) pairNodes(comparing, [one.node, other.node], true);
  for (const [one, other] of changed) {
    // Where only a query inside is another, what changed in there is told, not the whole.
    const isInside = isSameAround(comparing, one.node, other.node);
    if (!isInside) recordEdit(comparing, { kind: 'changed', clause, before: one.node, after: other.node });
    pairNodes(isInside ? comparing : { ...comparing, edits: [] }, [one.node, other.node]);
  }
}

export function recordRest<P extends Part>(
  comparing: Comparing,
  clause: Clause,
  { removed, added }: Pick<PartMatch<P>, 'removed' | 'added'>,
): void {
  for (const { node } of removed) recordEdit(comparing, { kind: 'removed', clause, before: node });
  for (const { node } of added) recordEdit(comparing, { kind: 'added', clause, after: node });
}

interface ClausePlace {
  readonly role: Role;
  readonly isEqual: boolean;
}

/** Pairs the nodes of a clause, Where with Where, if both queries have one. */
export function pairClause(
  { pairs }: Comparing,
  [before, after]: readonly [before: SqlNode, after: SqlNode],
  { role, isEqual }: ClausePlace,
): void {
  const [one, other] = [child(before, role), child(after, role)];
  if (one?.type === other?.type && one !== undefined && other !== undefined) {
    pairs.push({ before: one, after: other, isEqual });
  }
}
