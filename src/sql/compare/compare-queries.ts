/** Two queries side by side: WITH, the bodies, and what ends them. */

import { child } from '../tree/node.ts';
import { compareOrder } from './compare-order.ts';
import { compareClause, compareOne, pairClause, recordRest } from './compare-parts.ts';
import { compareSelects } from './compare-selects.ts';
import type { Comparing } from './comparing.ts';
import { isComplete, matchParts } from './match-parts.ts';
import type { NormalCte, NormalOther, NormalQuery, NormalSet } from './normal-form.ts';
import { pairNodes } from './pair-nodes.ts';
import { partLikeness } from './part-likeness.ts';
import { queryPlace } from './query-place.ts';
import { recordEdit } from './record-edit.ts';

export function compareQueries(comparing: Comparing, before: NormalQuery, after: NormalQuery): void {
  if (before.node.type === after.node.type) {
    comparing.pairs.push({ before: before.node, after: after.node, isEqual: before.key === after.key });
  }
  compareCtes(comparing, before, after);
  compareBodies(comparing, before, after);
  compareOrder(comparing, before, after);
  compareOne(comparing, 'limit', [before.limit, after.limit]);
  compareOne(comparing, 'offset', [before.offset, after.offset]);
}

/** A CTE is known by its query; its name may be any. */
function compareCtes(comparing: Comparing, before: NormalQuery, after: NormalQuery): void {
  const [one, other] = [before.ctes.map(asPart), after.ctes.map(asPart)];
  const match = matchParts(one, other, partLikeness(comparing));
  if (one.length > 0 && other.length > 0) {
    pairClause(comparing, [before.node, after.node], { role: 'with', isEqual: isComplete(match) });
  }
  for (const [cte, opposite] of [...match.equal, ...match.changed]) {
    comparing.pairs.push({ before: cte.node, after: opposite.node, isEqual: cte.key === opposite.key });
    const [alias, other] = [child(cte.node, 'alias'), child(opposite.node, 'alias')];
    if (alias !== undefined && other !== undefined) pairNodes(comparing, [alias, other], true);
    compareQueries(comparing, cte.query, opposite.query);
  }
  recordRest(comparing, 'with', match);
}

function asPart({ node, query }: NormalCte) {
  return { key: query.key, node, query };
}

function compareBodies(comparing: Comparing, before: NormalQuery, after: NormalQuery): void {
  if (before.kind === 'select' && after.kind === 'select') compareSelects(comparing, before, after);
  else if (before.kind === 'other' && after.kind === 'other' && before.node.type === after.node.type) {
    compareOthers(comparing, before, after);
  } else if (before.kind === 'set' || after.kind === 'set') {
    compareSets(comparing, asSet(before), asSet(after));
  } else {
    recordEdit(comparing, { kind: 'changed', clause: 'other', before: before.node, after: after.node });
  }
}

/** Of a statement that is not read, all that can be told is whether it is the same. */
function compareOthers(comparing: Comparing, before: NormalOther, after: NormalOther): void {
  const clause = before.node.type === 'Values' ? 'values' : 'other';
  compareClause(comparing, clause, [before.rows, after.rows]);
  if (before.rows.length > 0 || before.key === after.key) return;
  recordEdit(comparing, { kind: 'changed', clause, before: before.node, after: after.node });
}

type Branches = Pick<NormalSet, 'operator' | 'branches' | 'node'>;

/** A query that is no set operation is one with a single branch; what ends it has been compared. */
function asSet(query: NormalQuery): Branches {
  if (query.kind === 'set') return query;
  const body = { ...query, ctes: [], order: [], limit: undefined, offset: undefined };
  return { operator: '', branches: [body], node: query.node };
}

function compareSets(comparing: Comparing, before: Branches, after: Branches): void {
  if (before.operator !== '' && after.operator !== '' && before.operator !== after.operator) {
    recordEdit(comparing, { kind: 'changed', clause: 'set', before: before.node, after: after.node });
  }
  const { equal, changed, removed, added } = matchParts(
    before.branches,
    after.branches,
    partLikeness(comparing),
  );
  const rest = Math.min(removed.length, added.length);
  const paired = removed.slice(0, rest).flatMap((query, index) => {
    const other = added[index];
    return other === undefined ? [] : [[query, other] as const];
  });
  for (const [one, other] of [...equal, ...changed, ...paired]) {
    pairBrackets(comparing, one, other);
    compareQueries(comparing, one, other);
  }
  recordRest(comparing, 'set', { removed: removed.slice(rest), added: added.slice(rest) });
}

/** Pairs the brackets around two branches. */
function pairBrackets({ pairs }: Comparing, one: NormalQuery, other: NormalQuery): void {
  if (queryPlace(one.node) !== 'branch' || queryPlace(other.node) !== 'branch') return;
  let [before, after] = [one.node.parent, other.node.parent];
  while (before?.type === 'Subquery' && after?.type === 'Subquery') {
    pairs.push({ before, after, isEqual: one.key === other.key });
    [before, after] = [before.parent, after.parent];
  }
}
