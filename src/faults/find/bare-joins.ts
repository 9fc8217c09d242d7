/** A JOIN that does not say by what it joins, in an engine that asks for it. */
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { SqlNode, SqlTree } from '../../sql/index.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import { type CertainFault, faultAt } from './fault.ts';

/** They read a JOIN without a condition as one of every row with every row. */
const WITHOUT_CONDITION: ReadonlySet<string> = new Set(['sqlite', 'mysql']);

/** A translation would make a cross join of it, which is seldom meant. */
export function wouldCross({ nodes }: SqlTree, to: DialectName): boolean {
  return !WITHOUT_CONDITION.has(to) && nodes.some(isBare);
}

export function bareJoins({ tree, scopes }: ReadQuery): readonly CertainFault[] {
  if (WITHOUT_CONDITION.has(tree.dialect)) return [];
  return tree.nodes.flatMap((node) => {
    if (!isBare(node) || scopes.places[node.id] === undefined) return [];
    return faultAt(node, {
      kind: 'missing-on',
      text: 'a JOIN does not say by which columns',
      isRefused: true,
      instead: [],
    });
  });
}

function isBare({ type, flags, children }: SqlNode): boolean {
  const isOther = flags.comma !== undefined || flags.method !== undefined || flags.kind === 'CROSS';
  return type === 'Join' && !isOther && !children.some(({ role }) => role === 'on' || role === 'using');
}
