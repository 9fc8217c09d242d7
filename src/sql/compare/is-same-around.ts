import { child, type SqlNode } from '../tree/node.ts';
import type { Comparing } from './comparing.ts';
import { frameOf } from './frame.ts';
import type { Source } from './names.ts';

/**
 * Whether two expressions with different keys differ only in what is told elsewhere: in a query they hold, in the
 * table a name belongs to when that table was exchanged, or in whether a name is qualified at all.
 */
export function isSameAround(comparing: Comparing, one: SqlNode, other: SqlNode): boolean {
  const before = frameOf(comparing.before, one);
  const after = frameOf(comparing.after, other);
  if (before.text !== after.text || before.columns.length !== after.columns.length) return false;
  return before.columns.every((column, index) => {
    const opposite = after.columns[index];
    return opposite !== undefined && mayBeOne(comparing, column, opposite);
  });
}

function mayBeOne({ before, after, sources }: Comparing, one: SqlNode, other: SqlNode): boolean {
  const [owner, opposite] = [before.owners[one.id], after.owners[other.id]];
  if (owner !== undefined && opposite !== undefined) return sources.get(owner.node) === opposite.node;
  // A qualifier that names no table is a fault of its own.
  const [left, right] = [qualifierOf(one, owner), qualifierOf(other, opposite)];
  return left === right;
}

/** The qualifier of a column whose owner is not known. */
function qualifierOf(column: SqlNode, owner: Source | undefined): string | undefined {
  return owner === undefined ? child(column, 'table')?.value?.toLowerCase() : undefined;
}
