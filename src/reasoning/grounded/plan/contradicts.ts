import type { BoundFilter } from '../resolve/bound.ts';

/** What a filter leaves of its column; ends that are not among the values are open. */
interface Extent {
  readonly low?: string | number;
  readonly high?: string | number;
  readonly isOpen?: boolean;
}

/** Whether no single row can pass both filters of one column: "above 40 and below 30", "a cat and a dog". */
export function contradicts(a: BoundFilter, b: BoundFilter): boolean {
  if (a.column.id !== b.column.id || a.isNegated || b.isNegated || b.connective === 'or') return false;
  if (isOtherNamesake(a, b)) return true;
  const [first, second] = [extentOf(a), extentOf(b)];
  if (first === undefined || second === undefined) return false;
  return isBefore(first, second) || isBefore(second, first);
}

/** Two people of one first name. */
function isOtherNamesake(a: BoundFilter, b: BoundFilter): boolean {
  const [one, other] = [a, b].map(({ beside }) => JSON.stringify(beside?.operands));
  return (
    a.operator === '=' && b.operator === '=' && one !== undefined && other !== undefined && one !== other
  );
}

function isBefore(a: Extent, b: Extent): boolean {
  const [high, low] = [a.high, b.low];
  if (high === undefined || low === undefined || typeof high !== typeof low) return false;
  return high < low || (high === low && (a.isOpen === true || b.isOpen === true));
}

function extentOf({ operator, operands: [operand, second] }: BoundFilter): Extent | undefined {
  if (operand === undefined || second !== undefined) return undefined;
  if (operand.kind === 'range') return { low: operand.from, high: operand.until, isOpen: true };
  if (operand.kind !== 'literal') return undefined;
  const { value } = operand;
  if (operator === '=') return { low: value, high: value };
  const isOpen = operator === '>' || operator === '<';
  if (operator === '>' || operator === '>=') return { low: value, isOpen };
  return operator === '<' || operator === '<=' ? { high: value, isOpen } : undefined;
}
