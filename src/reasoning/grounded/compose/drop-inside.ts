import type { Condition } from '../hints/definition.ts';
import type { FilterSlot, Frame } from './frame.ts';

/** "the percentage of women": the formula of a hint counts them itself, so that they do not narrow the rows. */
export function dropInside(frame: Frame): void {
  const figures = frame.projections.filter(({ figure }) => figure !== undefined);
  if (figures.length === 0) return;
  const inside = figures.flatMap(({ figure }) => figure?.inside ?? []);
  // Counts and sums that the question speaks of are steps of the formula.
  frame.projections = frame.projections.filter(({ aggregate }) => aggregate === undefined);
  // It says itself of which tables it speaks, and what is done with them.
  frame.contexts = [];
  frame.dangling = [];
  frame.lost = [];
  frame.filters = frame.filters.filter((slot) => !inside.some((condition) => isSame(slot, condition)));
}

function isSame({ noun, operands, operator }: FilterSlot, condition: Condition): boolean {
  if (condition.kind !== 'literal' || (operator !== '=' && operator !== condition.operator)) return false;
  const ids = new Set(condition.columns.map(({ id }) => id));
  const values = new Set(condition.values.map(String));
  return operands.every((operand) => {
    if (operand.kind === 'value')
      return operand.mention.values.some(
        ({ columnId, value }) => ids.has(columnId) && values.has(String(value)),
      );
    const said =
      operand.kind === 'number' ? String(operand.number) : operand.kind === 'text' ? operand.text : '';
    return values.has(said) && noun?.nouns.some(({ id }) => ids.has(id)) === true;
  });
}
