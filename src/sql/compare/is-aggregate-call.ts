import { AGGREGATES } from '../scope/aggregates.ts';
import type { SqlNode } from '../tree/node.ts';

/** Whether a node calls an aggregate. MAX and MIN of several values are none: SQLite's MAX(a, b) is the greater. */
export function isAggregateCall({ type, value, flags, children }: SqlNode): boolean {
  if (flags.call === undefined || !AGGREGATES.has((value ?? '').toUpperCase())) return false;
  return (type !== 'Max' && type !== 'Min') || children.length < 2;
}
