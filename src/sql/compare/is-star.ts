import type { SqlNode } from '../tree/node.ts';

/** `*` and `t.*` in a select list, which stand for several columns. */
export function isStar({ type, children }: SqlNode): boolean {
  return type === 'Star' || (type === 'Column' && children.at(-1)?.type === 'Star');
}
