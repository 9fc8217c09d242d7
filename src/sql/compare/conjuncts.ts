/** A condition as the list of those that must all hold. */
import type { SqlNode } from '../tree/node.ts';
import type { Keying } from './keying.ts';
import type { Part } from './normal-form.ts';
import { operandsOf } from './operands.ts';

export function conjuncts(keying: Keying, condition: SqlNode): readonly Part[] {
  return operandsOf(condition, 'And').map((node) => ({ key: keying.keyOf(keying, node), node }));
}
