import type { Column } from '../../../catalog/index.ts';
import type { FilterSlot } from '../compose/frame.ts';
import type { BoundFilter, BoundOperand, Choice } from './bound.ts';

/** A way to bind a condition to a column. */
export function filterChoice(
  slot: FilterSlot,
  column: Column,
  operands: readonly BoundOperand[],
  score: number,
  operator = slot.operator,
): Choice<BoundFilter> {
  const { isNegated, isDenied, isAll, connective, mention } = slot;
  const isNamed = slot.noun !== undefined;
  return {
    value: { column, operator, operands, isNegated, isDenied, isAll, connective, isNamed, mention, score },
    tables: [column.tableId],
    score,
  };
}
