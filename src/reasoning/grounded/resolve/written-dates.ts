import type { Column } from '../../../catalog/index.ts';
import type { Bound, BoundOperand } from './bound.ts';

/** "29/08/2015", "November 4, 2001", "5 Jun 2014": kept as a text that neither sorts nor compares as a date does. */
export function writesDates({ family, profile }: Column): boolean {
  const examples = (profile?.examples ?? []).filter((one) => one.trim() !== '');
  if (family === 'number' || examples.length === 0) return false;
  return examples.filter((one) => WRITTEN_DATE.test(one.trim())).length > examples.length / 2;
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const WRITTEN_DATE = new RegExp(
  `^(?:\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4}|(?:\\d{1,2}(?:st|nd|rd|th)?[ -])?${MONTH}[.,]?[ -]\\d{1,4})(?!\\d)`,
  'i',
);

/** A range of days, or a year alone. */
function isPeriod(operand: BoundOperand): boolean {
  return operand.kind === 'range' || (operand.kind === 'literal' && /^\d{4}$/.test(String(operand.value)));
}

/** A period, a step of time or an end of an order is looked for in such a text: the rows would be wrong, or none. */
export function comparesWrittenDates({ filters, groups, orders, absences }: Bound): boolean {
  const conditions = [...filters, ...absences.flatMap((absence) => absence.filters)];
  return (
    conditions.some(({ column, operands }) => operands.some(isPeriod) && writesDates(column)) ||
    groups.some(({ column, part }) => part !== undefined && column !== undefined && writesDates(column)) ||
    orders.some(({ column, isCount }) => !isCount && column !== undefined && writesDates(column))
  );
}
