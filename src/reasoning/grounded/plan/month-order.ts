import type { Column } from '../../../catalog/index.ts';
import type { Expression } from '../../../sql/index.ts';
import { MONTHS, monthWriting } from './month-range.ts';

/** A column of month names is ordered as the year goes, not by the alphabet; any other column stays as it is. */
export function monthOrder(column: Column, value: Expression): Expression {
  const writing = monthWriting(column);
  if (writing === undefined || column.family === 'number') return value;
  return MONTHS.reduceRight<Expression>(
    (otherwise, _name, index) => ({
      kind: 'case',
      when: { kind: 'like', value, pattern: `${writing(index + 1)}%`, negated: false },
      value: { kind: 'literal', value: index + 1 },
      otherwise,
    }),
    { kind: 'literal', value: null },
  );
}
