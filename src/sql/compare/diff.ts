import type {
  ItemPart,
  NormalCte,
  NormalOptions,
  NormalOther,
  NormalQuery,
  NormalSelect,
  NormalSet,
  Part,
  SourcePart,
} from '../normal/normal-form.ts';
import { type Keyed, normaliseWith } from '../normal/normalise.ts';
import { queryPlace } from '../normal/query-nodes.ts';
import { internedKeys } from '../normal/scalar-keys.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import {
  compareClause,
  compareOne,
  comparePredicates,
  pairChains,
  pairClause,
  pairMatched,
  recordRest,
} from './compare-parts.ts';
import type { Compared, Comparing, Difference, Side } from './difference.ts';
import { isComplete, matchParts, partLikeness, withExchange } from './match-parts.ts';
import { pairNodes } from './pair-nodes.ts';
import { recordEdit } from './record-edit.ts';

/** Nodes of one tree; a comparison takes time in proportion to them. */
export const MAX_DIFF_NODES = 50_000;

/**
 * What was done to the first statement to make the second. The clauses are compared as lists of parts: equal parts are
 * matched first, the rest by what they have in common, and only what is left over is missing or new. Of
 * `… WHERE year = 2020` and `… WHERE year = 2021` the one edit is `condition year = 2020 became year = 2021`.
 */
export function diff(before: SqlTree, after: SqlTree, options: NormalOptions = {}): Difference {
  const nodes = Math.max(before.nodes.length, after.nodes.length);
  if (nodes > MAX_DIFF_NODES) return { kind: 'too-large', nodes, limit: MAX_DIFF_NODES };
  const fold = internedKeys();
  const one = normaliseWith(before, options, fold);
  const other = normaliseWith(after, options, fold);
  const comparing: Comparing = {
    before: sideOf(one, fold),
    after: sideOf(other, fold),
    sources: new Map(),
    pairs: [],
    edits: [],
    compareQueries,
  };
  compareQueries(comparing, one.form.query, other.form.query);
  const isSame = one.form.key === other.form.key;
  return { kind: 'compared', isSame, pairs: comparing.pairs, edits: editsOf(comparing, isSame) };
}

function sideOf({ form, keys, owners }: Keyed, fold: Side['fold']): Side {
  const queries = new Map<SqlNode, NormalQuery>();
  const open = [form.query];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    queries.set(at.node, at);
    open.push(...at.subqueries, ...at.ctes.map((cte) => cte.query));
    if (at.kind === 'set') open.push(...at.branches);
    if (at.kind === 'select') open.push(...at.sources.flatMap((source) => source.query ?? []));
  }
  return { tree: form.tree, keys, owners, queries, frames: new Map(), fold };
}

/** What no clause shows: names that only one side qualifies, the order of outer joins. */
function editsOf({ edits, before, after }: Comparing, isSame: boolean): Compared['edits'] {
  if (isSame) return [];
  if (edits.length > 0) return edits;
  const [one, other] = [before.tree.root, after.tree.root];
  return [
    {
      kind: 'changed',
      clause: 'other',
      before: one,
      beforeSpan: { start: one.start, end: one.end },
      after: other,
      afterSpan: { start: other.start, end: other.end },
      message: 'the parts are the same; names are qualified or joins are ordered in another way',
    },
  ];
}

/** Two queries side by side: WITH, the bodies, and what ends them. */
function compareQueries(comparing: Comparing, before: NormalQuery, after: NormalQuery): void {
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

/** Two SELECTs side by side, clause by clause, in the order in which SQL works. */
function compareSelects(comparing: Comparing, before: NormalSelect, after: NormalSelect): void {
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

// FROM and the joins of two SELECTs side by side.

/** Gives the joins that are missing or new, whose conditions need not be told one by one. */
function compareSources(
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

/** Two ORDER BY side by side: terms, directions and ranks. */
function compareOrder(comparing: Comparing, before: NormalQuery, after: NormalQuery): void {
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
function recordMoves<P extends Part>(
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

/** The longest run of numbers that only grow, as places: what need not be moved to put a list in order. */
function increasingRun(numbers: readonly number[]): ReadonlySet<number> {
  // For each length, the place where the run of that length with the smallest end stands.
  const ends: number[] = [];
  const previous: number[] = [];
  numbers.forEach((value, place) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[place] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = place;
  });
  const run = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) run.add(at);
  return run;
}
