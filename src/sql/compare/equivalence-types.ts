/** What equivalence has to know about types of nodes. */
import type { SqlNode } from '../tree/node.ts';
import { NODE_SHAPES } from '../tree/node-types.ts';

/** Whether a node of the first tree says the same as one of the second. Asked for many pairs, it answers each once. */
export type Equivalence = (generated: SqlNode, gold: SqlNode) => boolean;

const PAIR = 'this expression';
const NO_OPERATORS: ReadonlySet<string> = new Set([
  'Dot',
  'Extract',
  'Kwarg',
  'JSONKeyValue',
  'Filter',
  'WithinGroup',
]);

/** Operators between two operands, by their shapes. */
const BINARY: ReadonlySet<string> = new Set(
  Object.entries(NODE_SHAPES).flatMap(([type, shape]) =>
    shape === PAIR && !NO_OPERATORS.has(type) ? [type] : [],
  ),
);

export function isBinary({ type, flags, children }: SqlNode): boolean {
  return BINARY.has(type) && flags.call === undefined && children.length === 2;
}

const SYMMETRIC: ReadonlySet<string> = new Set([
  'EQ',
  'NEQ',
  'NullSafeEQ',
  'NullSafeNEQ',
  'And',
  'Or',
  'Xor',
  'Add',
  'Mul',
]);

export function isSymmetric(type: string): boolean {
  return SYMMETRIC.has(type);
}

const FLIPS: Readonly<Record<string, string>> = { GT: 'LT', GTE: 'LTE', LT: 'GT', LTE: 'GTE' };

/** `a > b` and `b < a`. */
export function isFlipped(type: string, other: string): boolean {
  return FLIPS[type] === other;
}

const ORDERED: ReadonlySet<string> = new Set([
  'Between',
  'Case',
  'If',
  'Limit',
  'Offset',
  'Fetch',
  'Order',
  'Tuple',
  'Cast',
  'TryCast',
  'Extract',
  'Slice',
  'Bracket',
  'Array',
  'AtTimeZone',
  'Interval',
  'Except',
]);

/** Whether the children mean something else in another order. */
export function hasOrderedChildren({ type, flags }: SqlNode): boolean {
  return flags.call !== undefined || ORDERED.has(type);
}
