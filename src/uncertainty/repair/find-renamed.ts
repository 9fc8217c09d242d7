import type { ReadQuery } from '../../faults/index.ts';
import { child, type NodePair, type SqlNode } from '../../sql/index.ts';

/**
 * A name of a select list that a repair gave to something else, which `diff` does not tell: a part has another name than
 * before, or a name that ORDER BY and the like go by was taken away or is new. Undefined where names are as they were.
 */
export function findRenamed(
  before: ReadQuery,
  after: ReadQuery,
  pairs: readonly NodePair[],
): string | undefined {
  const paired = new Set<SqlNode>();
  for (const pair of pairs) {
    if (pair.before.type !== 'Alias' || pair.after.type !== 'Alias') continue;
    paired.add(pair.before).add(pair.after);
    if (nameOf(pair.before) !== nameOf(pair.after)) return nameOf(pair.before);
  }
  return findUsed(before, paired) ?? findUsed(after, paired);
}

/** A name that is used and stands with nothing opposite. */
function findUsed({ tree, scopes }: ReadQuery, paired: ReadonlySet<SqlNode>): string | undefined {
  const used = new Set<string | undefined>();
  for (const node of tree.nodes)
    if (scopes.references[node.id]?.kind === 'alias') used.add(node.children.at(-1)?.value?.toLowerCase());
  const lone = tree.nodes.find(
    (node) => node.type === 'Alias' && !paired.has(node) && used.has(nameOf(node)),
  );
  return lone && nameOf(lone);
}

function nameOf(alias: SqlNode): string | undefined {
  return child(alias, 'alias')?.value?.toLowerCase();
}
