/** FROM and the joins of two SELECTs side by side. */
import type { SqlNode } from '../tree/node.ts';
import { pairClause, recordRest } from './compare-parts.ts';
import { pairChains } from './compare-predicates.ts';
import type { Comparing } from './comparing.ts';
import { matchParts, withExchange } from './match-parts.ts';
import type { NormalSelect, SourcePart } from './normal-form.ts';
import { pairNodes } from './pair-nodes.ts';
import { recordEdit } from './record-edit.ts';

/** Gives the joins that are missing or new, whose conditions need not be told one by one. */
export function compareSources(
  comparing: Comparing,
  before: NormalSelect,
  after: NormalSelect,
): ReadonlySet<SqlNode> {
  const match = withExchange(matchParts(before.sources, after.sources, likeness));
  for (const [one, other] of match.equal) {
    const isSameJoin = one.join === other.join;
    pairSources(comparing, [one, other], isSameJoin);
    if (isSameJoin) continue;
    recordEdit(comparing, { kind: 'changed', clause: 'from', before: one.node, after: other.node });
  }
  for (const [one, other] of match.changed) {
    // Of two derived tables the queries are compared; between other relations there is nothing inside to tell.
    const isInside = one.query !== undefined && other.query !== undefined && one.join === other.join;
    if (!isInside)
      recordEdit(comparing, { kind: 'changed', clause: 'from', before: one.node, after: other.node });
    pairSources(comparing, [one, other], false);
  }
  recordRest(comparing, 'from', match);
  const isEqual = before.sources[0]?.key === after.sources[0]?.key;
  pairClause(comparing, [before.node, after.node], { role: 'from', isEqual });
  return new Set([...match.removed, ...match.added].map(({ node }) => node));
}

/** Tables are the same or not; two derived tables are likely meant to be the same. */
function likeness(before: SourcePart, after: SourcePart): number {
  return before.query !== undefined && after.query !== undefined ? 1 : 0;
}

function pairSources(
  comparing: Comparing,
  [before, after]: readonly [before: SourcePart, after: SourcePart],
  isEqual: boolean,
): void {
  comparing.sources.set(before.relation, after.relation);
  if (before.node.type === 'Join' && after.node.type === 'Join') {
    comparing.pairs.push({ before: before.node, after: after.node, isEqual });
    pairChains(comparing, [before.node, after.node], isEqual);
  }
  pairNodes(comparing, [before.relation, after.relation], before.key === after.key);
}
