import { type Expression, INVERSE_COMPARISON, type Predicate } from '../../../sql/index.ts';
import { type Binding, columnOf } from './binding.ts';
import type { Condition } from './definition.ts';

/** A condition as part of an expression: of several columns of one name the likeliest is taken. */
export function toPredicate(condition: Condition, binding: Pick<Binding, 'names' | 'tables'>): Predicate {
  if (condition.kind === 'predicate') {
    for (const table of condition.tables) binding.tables.add(table);
    return condition.predicate;
  }
  const { operator, isNegated } = condition;
  const [column] = condition.columns;
  const value: Expression =
    column === undefined ? { kind: 'literal', value: null } : columnOf(column, binding);
  const literals = condition.values.map((literal) => ({ kind: 'literal' as const, value: literal }));
  const first = literals[0] ?? { kind: 'literal' as const, value: null };
  switch (operator) {
    case 'null':
      return { kind: 'null', value, negated: isNegated };
    case 'in':
      return { kind: 'in', value, values: literals, negated: isNegated };
    case 'between':
      return { kind: 'between', value, low: first, high: literals[1] ?? first };
    case 'like-start':
    case 'like-end':
    case 'like-anywhere': {
      const text = String(first.value).replace(/[\\%_]/g, '\\$&');
      const pattern = `${operator === 'like-start' ? '' : '%'}${text}${operator === 'like-end' ? '' : '%'}`;
      return { kind: 'like', value, pattern, negated: isNegated };
    }
    default:
      return {
        kind: 'compare',
        operator: isNegated ? INVERSE_COMPARISON[operator] : operator,
        left: value,
        right: first,
      };
  }
}
