/** Two SELECTs side by side, clause by clause, in the order in which SQL works. */
import { recordMoves } from './compare-order.ts';
import { compareClause, compareOne, pairClause, pairMatched, recordRest } from './compare-parts.ts';
import { comparePredicates } from './compare-predicates.ts';
import { compareSources } from './compare-sources.ts';
import type { Comparing } from './comparing.ts';
import { isComplete, matchParts, withExchange } from './match-parts.ts';
import type { ItemPart, NormalSelect } from './normal-form.ts';
import { partLikeness } from './part-likeness.ts';
import { recordEdit } from './record-edit.ts';

export function compareSelects(comparing: Comparing, before: NormalSelect, after: NormalSelect): void {
  // Sources first: whether two columns are one depends on whether their tables are.
  const joins = compareSources(comparing, before, after);
  comparePredicates(comparing, [before, after], joins);
  compareGroups(comparing, before, after);
  compareItems(comparing, before.items, after.items);
  compareOne(comparing, 'distinct', [before.distinct, after.distinct]);
  compareClause(comparing, 'other', [before.others, after.others]);
  if (before.node.flags.as === after.node.flags.as) return;
  recordEdit(comparing, { kind: 'changed', clause: 'other', before: before.node, after: after.node });
}

function compareGroups(comparing: Comparing, before: NormalSelect, after: NormalSelect): void {
  const match = compareClause(comparing, 'group', [before.group, after.group]);
  // GROUP BY ALL is a part itself.
  const isAll = [before, after].every(({ group }) => group[0]?.node.type === 'Group');
  if (!isAll) pairClause(comparing, [before.node, after.node], { role: 'group', isEqual: isComplete(match) });
}

function compareItems(comparing: Comparing, before: readonly ItemPart[], after: readonly ItemPart[]): void {
  const match = withExchange(matchParts(before, after, partLikeness(comparing)));
  pairMatched(comparing, 'select', match);
  recordRest(comparing, 'select', match);
  const places = new Map(before.map((part, index) => [part, index]));
  const pairs = [...match.equal, ...match.changed];
  const ordered = pairs.sort(([one], [other]) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  recordMoves(comparing, 'select', [ordered, after]);
}
