import type { SqlNode, SqlTree } from '../tree/node.ts';
import { compareQueries } from './compare-queries.ts';
import type { Comparing, Side } from './comparing.ts';
import type { Compared, Difference } from './difference.ts';
import { internedKeys } from './interned-keys.ts';
import type { NormalQuery } from './normal-form.ts';
import type { NormalOptions } from './normal-options.ts';
import { type Keyed, normaliseWith } from './normalise.ts';

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
