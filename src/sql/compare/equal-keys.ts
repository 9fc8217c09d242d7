import type { SqlTree } from '../tree/node.ts';
import type { Equivalence } from './equivalence-types.ts';
import { internedKeys } from './interned-keys.ts';
import { normaliseWith } from './normalise.ts';

/**
 * Whether two expressions, or two whole statements, have one canonical form: `IIF(a, 1, 0)` and a CASE, a name given to
 * a select item and the item, `NOT a = b` and `a <> b`. Parts that have no form of their own are never equal here.
 */
export function equalKeys(generated: SqlTree, gold: SqlTree): Equivalence {
  const fold = internedKeys();
  const one = keysOf(generated, fold);
  const other = keysOf(gold, fold);
  return (a, b) => {
    const key = one[a.id];
    return key !== undefined && key === other[b.id];
  };
}

function keysOf(tree: SqlTree, fold: (key: string) => string): readonly (string | undefined)[] {
  const { form, keys } = normaliseWith(tree, {}, fold);
  // The brackets keep the query from being equal to an expression with its text.
  return keys.with(tree.root.id, `[${form.key}]`);
}
