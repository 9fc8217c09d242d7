import type { SqlTree } from '../tree/node.ts';
import type { NormalOptions } from './normal-options.ts';
import { normalise } from './normalise.ts';

/** A text that is the same for queries that say the same: `normalKey(tree) === normalKey(other)`. */
export function normalKey(tree: SqlTree, options: NormalOptions = {}): string {
  return normalise(tree, options).key;
}
