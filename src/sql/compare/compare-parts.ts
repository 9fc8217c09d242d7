/** Lists of parts side by side: what was changed, what is missing, what is new. */

import type { NormalSelect, Part } from '../normal/normal-form.ts';
import { withoutBrackets } from '../normal/query-nodes.ts';
import { child, type SqlNode } from '../tree/node.ts';
import type { Role } from '../tree/node-types.ts';
import type { Clause, Comparing } from './difference.ts';
import { isSameAround } from './is-same-around.ts';
import { isComplete, matchParts, type PartMatch, partLikeness, withExchange } from './match-parts.ts';
import { pairLinks, pairNodes } from './pair-nodes.ts';
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

// The conditions of two SELECTs: those of ON, WHERE, HAVING and QUALIFY at once, since one may have moved.

const CLAUSES = ['on', 'where', 'having', 'qualify'] as const;
type PredicateClause = (typeof CLAUSES)[number];

/** Conditions of `joins`, which are missing or new as a whole, are not told. */
export function comparePredicates(
  comparing: Comparing,
  [before, after]: readonly [before: NormalSelect, after: NormalSelect],
  joins: ReadonlySet<SqlNode>,
): void {
  const matches = CLAUSES.map((clause) => {
    const lists = [predicatesOf(before, clause), predicatesOf(after, clause)] as const;
    const match = matchParts(...lists, partLikeness(comparing));
    return { clause, match: clause === 'on' ? withExchange(match) : match };
  });
  const moves = findMoves(matches);
  const gone = new Set<Part>(moves.flatMap(({ one, other }) => [one, other]));
  for (const { clause, match } of matches) {
    const { removed, added } = match;
    pairMatched(comparing, clause, match);
    const isLeft = (part: Part) => !gone.has(part) && !standsIn(part.node, joins);
    recordRest(comparing, clause, { removed: removed.filter(isLeft), added: added.filter(isLeft) });
    pairConditions(comparing, [before.node, after.node], { clause, isEqual: isComplete(match) });
  }
  for (const { clause, one, other } of moves) {
    recordEdit(comparing, { kind: 'moved', clause, before: one.node, after: other.node });
    pairNodes(comparing, [one.node, other.node], true);
  }
}

function standsIn({ parent }: SqlNode, joins: ReadonlySet<SqlNode>): boolean {
  let at = parent;
  while (at?.type === 'And' || at?.type === 'Paren') at = at.parent;
  return at !== undefined && joins.has(at);
}

function predicatesOf(select: NormalSelect, clause: PredicateClause): readonly Part[] {
  return clause === 'on' ? [...select.on, ...select.sources.flatMap(({ on }) => on)] : select[clause];
}

interface Matched {
  readonly clause: PredicateClause;
  readonly match: PartMatch<Part>;
}

interface Move {
  readonly clause: PredicateClause;
  readonly one: Part;
  readonly other: Part;
}

/** What one clause lost and another got. */
function findMoves(matches: readonly Matched[]): readonly Move[] {
  const arrived = new Map<string, Part[]>();
  for (const part of matches.flatMap(({ match }) => match.added)) {
    arrived.set(part.key, [...(arrived.get(part.key) ?? []), part]);
  }
  return matches.flatMap(({ clause, match }) =>
    match.removed.flatMap((one) => {
      const other = arrived.get(one.key)?.shift();
      return other === undefined ? [] : [{ clause, one, other }];
    }),
  );
}

interface ConditionPlace {
  readonly clause: PredicateClause;
  readonly isEqual: boolean;
}

/** Pairs Where with Where and the ANDs in them; those of ON stand with their joins. */
function pairConditions(
  comparing: Comparing,
  [before, after]: readonly [before: SqlNode, after: SqlNode],
  { clause, isEqual }: ConditionPlace,
): void {
  if (clause === 'on') return;
  pairClause(comparing, [before, after], { role: clause, isEqual });
  const [one, other] = [child(before, clause), child(after, clause)];
  if (one !== undefined && other !== undefined) pairChains(comparing, [one, other], isEqual);
}

/** Pairs the ANDs of two conditions, each the `this` or `on` of a node. */
export function pairChains(
  comparing: Comparing,
  [before, after]: readonly [before: SqlNode, after: SqlNode],
  isEqual: boolean,
): void {
  const [one, other] = [conditionOf(before), conditionOf(after)];
  if (one?.type !== 'And' || other?.type !== 'And') return;
  comparing.pairs.push({ before: one, after: other, isEqual });
  pairLinks(comparing, [one, other], isEqual);
}

function conditionOf(node: SqlNode): SqlNode | undefined {
  const condition = child(node, node.type === 'Join' ? 'on' : 'this');
  return condition && withoutBrackets(condition);
}
