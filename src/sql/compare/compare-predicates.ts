/** The conditions of two SELECTs: those of ON, WHERE, HAVING and QUALIFY at once, since one may have moved. */
import { child, type SqlNode } from '../tree/node.ts';
import { pairClause, pairMatched, recordRest } from './compare-parts.ts';
import type { Comparing } from './comparing.ts';
import { isComplete, matchParts, type PartMatch, withExchange } from './match-parts.ts';
import type { NormalSelect, Part } from './normal-form.ts';
import { withoutBrackets } from './operands.ts';
import { pairLinks, pairNodes } from './pair-nodes.ts';
import { partLikeness } from './part-likeness.ts';
import { recordEdit } from './record-edit.ts';

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
