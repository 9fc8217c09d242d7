import type { Column } from '../../../../../catalog/index.ts';
import { splitName } from '../../../../../language/index.ts';
import {
  type Expression,
  INVERSE_COMPARISON,
  type Predicate,
  type SelectQuery,
} from '../../../../../sql/print/index.ts';
import type { StatedCondition } from '../../../compose/frame/frame.ts';
import { flagValues } from '../../../question/read/flag-values.ts';
import type { BoundFilter, BoundOperand } from '../../../resolve/bound.ts';
import { countsYears } from '../../../resolve/noun-candidates.ts';
import { joinTree } from '../../graph/join-tree.ts';
import type { SchemaGraph } from '../../graph/schema-graph.ts';
import { BARE, cause, columnExpression, fromTable, joinClauses } from './plan-view.ts';

/** The condition a bound filter stands for. */
export function filterPredicate(filter: BoundFilter, graph: SchemaGraph): Predicate {
  const { beside, operator, operands } = filter;
  const isOneByOne = beside !== undefined || (operator.startsWith('like') && operands.length > 1);
  return isOneByOne ? oneByOne(filter, graph) : onePredicate(filter, graph);
}

/** Texts that are looked for in others, and full names: both halves hold, and who is not so called differs in one of them. */
function oneByOne({ beside, ...filter }: BoundFilter, graph: SchemaGraph): Predicate {
  const isNot = filter.isNegated !== (filter.operator === '<>');
  const each = filter.operands.map((operand, at): Predicate => {
    const first = onePredicate({ ...filter, operands: [operand] }, graph);
    if (beside === undefined) return first;
    const other = { ...filter, column: beside.column, operands: beside.operands.slice(at, at + 1) };
    return { kind: isNot ? 'or' : 'and', parts: [first, onePredicate(other, graph)] };
  });
  const [only, second] = each;
  const isEach = isNot || (beside === undefined && filter.isAll === true);
  return only !== undefined && second === undefined ? only : { kind: isEach ? 'and' : 'or', parts: each };
}

function onePredicate(filter: BoundFilter, graph: SchemaGraph): Predicate {
  const { column, operator, operands, isNegated, mention } = filter;
  const because = cause(mention, `“${mention.text}” on ${column.id}`, filter.score);
  const value = columnExpression(column, graph);
  const first = operands[0];
  if (operator === 'null') return { kind: 'null', value, negated: isNegated, cause: because };
  if (operator === 'like-start' || operator === 'like-end' || operator === 'like-anywhere') {
    const text = first?.kind === 'literal' ? String(first.value).replace(/[\\%_]/g, '\\$&') : '';
    const pattern =
      operator === 'like-start' ? `${text}%` : operator === 'like-end' ? `%${text}` : `%${text}%`;
    return { kind: 'like', value, pattern, negated: isNegated, cause: because };
  }
  if (operator === 'between') {
    const [low, high] = operands;
    return {
      kind: 'between',
      value,
      low: operandExpression(low, filter, graph),
      high: operandExpression(high, filter, graph),
      cause: because,
    };
  }
  if (operands.some((operand) => operand.kind === 'range')) return ranges(filter, value, graph);
  if (operands.length > 1)
    return {
      kind: 'in',
      value,
      values: operands.map((operand) => operandExpression(operand, filter, graph)),
      negated: isNegated || operator === '<>',
      cause: because,
    };
  return {
    kind: 'compare',
    operator: isNegated ? INVERSE_COMPARISON[operator] : operator,
    left: value,
    right: operandExpression(first, filter, graph),
    cause: because,
  };
}

function operandExpression(
  operand: BoundOperand | undefined,
  filter: BoundFilter,
  graph: SchemaGraph,
): Expression {
  if (operand === undefined || operand.kind === 'range') return { kind: 'literal', value: null };
  if (operand.kind === 'statistic') return { kind: 'subquery', query: statisticQuery(operand, graph) };
  const flag = flagLiteral(filter, operand.value, graph);
  if (flag !== undefined) return { kind: 'literal', value: flag };
  const isText = filter.column.family === 'text' && filter.column.profile?.pattern !== 'number';
  // A code with zeros before it, compared with numbers, is the number.
  const isCode = !isText && filter.column.family === 'number' && /^0\d+$/.test(String(operand.value));
  return {
    kind: 'literal',
    value: isText ? String(operand.value) : isCode ? Number(operand.value) : operand.value,
  };
}

/** Engines that know no truth values but 1 and 0. */
const NUMBERS_FOR_TRUTH: ReadonlySet<string> = new Set(['sqlite', 'mysql']);

/** 1 and 0 of a column that says yes or no, as it holds them. */
function flagLiteral(
  { column, operator }: BoundFilter,
  value: string | number,
  { catalog }: SchemaGraph,
): string | number | boolean | undefined {
  const flag = operator === '=' && (value === 1 || value === 0) ? flagValues(column) : undefined;
  if (flag === undefined) return undefined;
  const stored = value === 1 ? flag.yes : flag.no;
  return typeof stored === 'boolean' && NUMBERS_FOR_TRUTH.has(catalog.dialect) ? value : stored;
}

/** A figure of the rows that pass, or the value of one row. */
function statisticQuery(
  { column, function: name, filters }: Extract<BoundOperand, { kind: 'statistic' }>,
  graph: SchemaGraph,
): SelectQuery {
  const shown = columnExpression(column, graph);
  const expression: Expression =
    name === undefined ? shown : { kind: 'aggregate', function: name, distinct: false, argument: shown };
  const tree = joinTree(
    column.tableId,
    filters.map((filter) => filter.column.tableId),
    graph,
  );
  return {
    ...BARE,
    select: [{ expression }],
    from: fromTable(graph.table(column.tableId)),
    joins: tree === null ? [] : joinClauses(tree, { graph }),
    where: filters.map((filter) => filterPredicate(filter, graph)),
  };
}

function ranges(filter: BoundFilter, value: Expression, graph: SchemaGraph): Predicate {
  const parts = filter.operands.map((operand): Predicate => {
    if (operand.kind !== 'range')
      return {
        kind: 'compare',
        operator: '=',
        left: value,
        right: operandExpression(operand, filter, graph),
      };
    const months =
      countsYears(filter.column) && !filter.isNegated ? monthRange(filter.column, operand, graph) : undefined;
    return months ?? range(operand, filter, value);
  });
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'or', parts };
}

/** Days from (inclusive) to until (exclusive); year columns compare whole years. */
function range(
  operand: Extract<BoundOperand, { kind: 'range' }>,
  filter: BoundFilter,
  value: Expression,
): Predicate {
  const because = cause(filter.mention, `“${filter.mention.text}” on ${filter.column.id}`, filter.score);
  const literal = (day: string, roundUp: boolean): Expression => {
    if (!countsYears(filter.column)) return { kind: 'date', value: day };
    const year = Number(day.slice(0, 4)) + (roundUp && day.slice(5) !== '01-01' ? 1 : 0);
    return { kind: 'literal', value: filter.column.family === 'text' ? String(year) : year };
  };
  const low: Predicate[] =
    operand.from === undefined
      ? []
      : [
          {
            kind: 'compare',
            operator: filter.isNegated ? '<' : '>=',
            left: value,
            right: literal(operand.from, false),
            cause: because,
          },
        ];
  const high: Predicate[] =
    operand.until === undefined
      ? []
      : [
          {
            kind: 'compare',
            operator: filter.isNegated ? '>=' : '<',
            left: value,
            right: literal(operand.until, true),
            cause: because,
          },
        ];
  const parts = [...low, ...high];
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return { kind: filter.isNegated ? 'or' : 'and', parts };
}

/** A condition that is bound already, with the words it is of. */
export function statedPredicate({ predicate, mention }: StatedCondition): Predicate {
  if (predicate.kind === 'and' || predicate.kind === 'or') return predicate;
  const from = mention.nouns.length === 0 ? 'hint: ' : '';
  return { ...predicate, cause: cause(mention, `${from}${mention.text}`) };
}

export const MONTHS: readonly string[] = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** A period of whole months where a table keeps year and month in two columns; undefined where it does not. */
function monthRange(
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
