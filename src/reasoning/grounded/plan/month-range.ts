import type { Column } from '../../../catalog/index.ts';
import type { Expression, Predicate } from '../../../sql/index.ts';
import { splitName } from '../read/split-name.ts';
import { columnExpression } from './column-expression.ts';
import type { SchemaGraph } from './schema-graph.ts';

export const MONTHS: readonly string[] = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** A period of whole months where a table keeps year and month in two columns; undefined where it does not. */
export function monthRange(
  year: Column,
  { from, until }: { readonly from?: string; readonly until?: string },
  graph: SchemaGraph,
): Predicate | undefined {
  const month = graph.table(year.tableId).columns.find((column) => monthWriting(column) !== undefined);
  const days = [from, until].flatMap((day) => day ?? []);
  // Whole years need no months, days would need more than months.
  if (month === undefined || days.every((day) => day.endsWith('-01-01'))) return undefined;
  if (days.some((day) => !day.endsWith('-01'))) return undefined;
  const yearOf = columnExpression(year, graph);
  const word = monthWriting(month) ?? String;
  const literal = (value: string | number): Expression => ({ kind: 'literal', value });
  const inYear = (of: number, operator: '=' | '<' | '>'): Predicate => ({
    kind: 'compare',
    operator,
    left: yearOf,
    right: literal(year.family === 'text' ? String(of) : of),
  });
  const value = columnExpression(month, graph);
  // Engines pad names to one width, and such a name equals the bare one no more.
  const isPadded = month.profile?.examples.some((text) => text !== text.trim()) === true;
  const among = (first: number, last: number): Predicate => {
    const words = MONTHS.slice(first - 1, last).map((_, index) => word(first + index));
    if (!isPadded) return { kind: 'in', value, values: words.map(literal), negated: false };
    return {
      kind: 'or',
      parts: words.map((text) => ({ kind: 'like', value, pattern: `${text}%`, negated: false })),
    };
  };
  const [low, high] = [from === undefined ? undefined : partsOf(from), until && lastMonthBefore(until)];
  if (low && high && low.year === high.year)
    return { kind: 'and', parts: [inYear(low.year, '='), among(low.month, high.month)] };
  const parts = [
    low && either(inYear(low.year, '>'), inYear(low.year, '='), among(low.month, 12)),
    high && either(inYear(high.year, '<'), inYear(high.year, '='), among(1, high.month)),
  ].filter((part) => part !== undefined && part !== '');
  return { kind: 'and', parts };
}

function either(beyond: Predicate, same: Predicate, months: Predicate): Predicate {
  return { kind: 'or', parts: [beyond, { kind: 'and', parts: [same, months] }] };
}

function partsOf(day: string): { readonly year: number; readonly month: number } {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) };
}

function lastMonthBefore(day: string): { readonly year: number; readonly month: number } {
  const { year, month } = partsOf(day);
  return month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 };
}

/** How a column writes a month: by its English name or its number; undefined for a column that holds none. */
export function monthWriting({
  name,
  family,
  profile,
}: Column): ((month: number) => string | number) | undefined {
  const examples = profile?.examples ?? [];
  if (!splitName(name).includes('month') || examples.length === 0) return undefined;
  if (family === 'number')
    return examples.every((text) => Number(text) >= 1 && Number(text) <= 12) ? (month) => month : undefined;
  const fits = (short: boolean): boolean =>
    examples.every((text) => MONTHS.some((word) => (short ? word.slice(0, 3) : word) === text.trim()));
  if (fits(false)) return (month) => MONTHS[month - 1] ?? '';
  return fits(true) ? (month) => (MONTHS[month - 1] ?? '').slice(0, 3) : undefined;
}
