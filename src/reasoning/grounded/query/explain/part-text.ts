import type { DatePart } from '../../../../sql/dialects/index.ts';
import type {
  AggregateFunction,
  Expression,
  Predicate,
  Query,
  SelectQuery,
} from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { addDays, addMonths, isoDate } from '../../question/read/calendar.ts';

const FIGURES: Readonly<Record<AggregateFunction, string>> = {
  count: 'count',
  sum: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
};

const DATE_PARTS: Readonly<Partial<Record<DatePart, string>>> = {
  weekday: 'day of the week (0 is Sunday)',
  'quarter-of-year': 'quarter of the year',
  'month-of-year': 'month of the year',
};

const OPERATORS = { '+': '+', '-': '−', '*': '×', '/': '/' } as const;

/** What an expression of a query stands for. */
export function expressionText(expression: Expression, query: SelectQuery, telling: Telling): string {
  const of = (inner: Expression): string => expressionText(inner, query, telling);
  switch (expression.kind) {
    case 'column':
      return columnText(expression, telling);
    case 'star':
      return 'every row';
    case 'literal':
      return typeof expression.value === 'string' ? `‘${expression.value}’` : String(expression.value);
    case 'date':
      return expression.value;
    case 'raw':
      return `${METRIC.exec(expression.cause?.why ?? '')?.[1] ?? expression.sql}${own(query, telling)}`;
    case 'aggregate':
      return `${aggregateText(expression, query, telling)}${own(query, telling)}`;
    case 'date-part':
      return DATE_PARTS[expression.part] ?? expression.part;
    case 'days-between':
      return `days from ${of(expression.from)} to ${of(expression.until)}`;
    case 'from-epoch':
      return of(expression.argument);
    case 'arithmetic':
      return arithmeticText(expression, of);
    case 'case':
      return `${of(expression.value)} where ${conditionTexts([expression.when], query, telling).join(' and ')}`;
    case 'subquery':
      return `the ${telling.explain(expression.query, telling)}`;
    case 'window':
      return windowText(expression, of);
  }
}

/** A metric's figure is text of the semantic model; its cause says whose. */
const METRIC = /^metric “(.+?)”/;

/** Conditions that this part has and others lack: "orders (2023)". */
function own(query: SelectQuery, telling: Telling): string {
  const isAlone = telling.named.size === 0 || telling.named.has(query.from.table);
  const own = isAlone
    ? []
    : conditionTexts(query.where, query, telling).filter((text) => !telling.common.has(text));
  return own.length === 0 ? '' : ` (${own.join(', ')})`;
}

function columnText({ table, column }: Extract<Expression, { kind: 'column' }>, telling: Telling): string {
  const source = telling.named.get(table);
  const [inner] = source === undefined ? [] : allOf(source);
  const item = inner?.select.find(({ alias }) => alias === column);
  return inner === undefined || item === undefined
    ? telling.names.column(table, column)
    : expressionText(item.expression, inner, telling);
}

function aggregateText(
  { function: name, argument, distinct, cause }: Extract<Expression, { kind: 'aggregate' }>,
  query: SelectQuery,
  telling: Telling,
): string {
  const source = telling.named.get(query.from.table);
  const [counted] = source === undefined ? [] : allOf(source);
  const first = counted?.limit === undefined ? '' : ` of the first ${counted.limit}${rankText(counted)}`;
  const figure = QUANTILE.test(cause?.why ?? '') ? cause?.why : FIGURES[name];
  if (argument.kind !== 'star')
    return `${figure} of ${distinct ? 'different ' : ''}${expressionText(argument, query, telling)}${first}`;
  if (counted === undefined) return `count of ${query.from.table}`;
  const [group = { expression: argument }] = counted.select;
  return `count of ${expressionText(group.expression, counted, telling)}${first}`;
}

/** What the figure of the rows in the middle is called. */
const QUANTILE = /^(?:median|percentile \d+)/;

function rankText({ orderBy: [first] }: SelectQuery): string {
  return first === undefined ? '' : first.direction === 'desc' ? ' from the highest' : ' from the lowest';
}

function arithmeticText(
  { operator, left, right }: Extract<Expression, { kind: 'arithmetic' }>,
  of: (inner: Expression) => string,
): string {
  if (operator === '*' && left.kind === 'literal' && left.value === 100) return `${of(right)} in percent`;
  const [one, other] = [left, right].map((side) => (side.kind === 'arithmetic' ? `(${of(side)})` : of(side)));
  const isPart = operator === '/' && one?.startsWith(other ?? '\n') === true && left.kind === 'column';
  return isPart ? `share of ${one}` : `${one} ${OPERATORS[operator]} ${other}`;
}

function windowText(
  { function: name, argument, partitionBy, orderBy }: Extract<Expression, { kind: 'window' }>,
  of: (inner: Expression) => string,
): string {
  const within = partitionBy.length === 0 ? '' : ` within ${partitionBy.map(of).join(' and ')}`;
  const what = argument === undefined ? '' : of(argument);
  const order = orderBy
    .map(({ expression, direction }) => `${of(expression)}${direction === 'desc' ? ' from the highest' : ''}`)
    .join(' and ');
  if (name === 'lag') return `${what} one ${order} before${within}`;
  if (name === 'sum')
    return orderBy.length === 0 ? `all of ${what}${within}` : `running total of ${what}${within}`;
  return `rank by ${order}${within}`;
}

/** Conditions in words, each once; those that belong to a metric or a table by definition go without saying. */
export function conditionTexts(
  predicates: readonly Predicate[],
  query: SelectQuery,
  telling: Telling,
): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < predicates.length; at++) {
    const predicate = predicates[at];
    if (predicate === undefined || isDefinition(predicate)) continue;
    const range = rangeText(predicate, predicates[at + 1], query, telling);
    if (range !== undefined) {
      texts.push(range.text);
      at += range.length - 1;
    } else texts.push(conditionText(predicate, query, telling));
  }
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** "revenue" says that the cars were handed over, and the assumptions which rows are left out. */
function isDefinition(predicate: Predicate): boolean {
  if (predicate.kind === 'null') return predicate.cause === undefined;
  if (predicate.kind === 'between' || predicate.kind === 'compare')
    return predicate.cause?.why.startsWith('definition of the ') === true;
  if (predicate.kind !== 'raw') return false;
  const { why = '', certainty } = predicate.cause ?? {};
  return certainty === 'assumed' || why.startsWith('definition of');
}

type Compare = Extract<Predicate, { kind: 'compare' }>;

/** Two days around a column are a period; the period of a metric needs no name. */
function rangeText(
  predicate: Predicate,
  next: Predicate | undefined,
  query: SelectQuery,
  telling: Telling,
): { readonly text: string; readonly length: number } | undefined {
  if (!isDay(predicate)) return undefined;
  const column = expressionText(predicate.left, query, telling);
  const isPair =
    predicate.operator === '>=' &&
    isDay(next) &&
    next.operator === '<' &&
    expressionText(next.left, query, telling) === column;
  const low = predicate.operator === '>=' ? predicate.right.value : undefined;
  const high = isPair ? next.right.value : predicate.operator === '<' ? predicate.right.value : undefined;
  if (low === undefined && high === undefined) return undefined;
  const period = periodText(low, high);
  const isOwn = predicate.cause?.why.startsWith('period') === true;
  return { text: isOwn ? period : `${column} ${period}`, length: isPair ? 2 : 1 };
}

function isDay(
  predicate: Predicate | undefined,
): predicate is Compare & { right: Extract<Expression, { kind: 'date' }> } {
  return predicate?.kind === 'compare' && predicate.right.kind === 'date';
}

function conditionText(predicate: Predicate, query: SelectQuery, telling: Telling): string {
  const of = (inner: Expression): string => expressionText(inner, query, telling);
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return jointText(predicate, query, telling);
    case 'compare':
      return `${of(predicate.left)} ${predicate.operator} ${of(predicate.right)}`;
    case 'between':
      return `${of(predicate.value)} is between ${of(predicate.low)} and ${of(predicate.high)}`;
    case 'like':
      return `${of(predicate.value)} ${likeText(predicate)}`;
    case 'null':
      return `${of(predicate.value)} is ${predicate.negated ? 'not ' : ''}empty`;
    case 'in':
      return `${of(predicate.value)} ${predicate.negated ? 'is none of' : 'is'} ${predicate.values.map(of).join(predicate.negated ? ', ' : ' or ')}`;
    case 'in-query':
      return amongText(predicate, query, telling);
    case 'raw':
      return predicate.cause?.why ?? predicate.sql;
  }
}

function jointText(
  { kind, parts }: Extract<Predicate, { kind: 'and' | 'or' }>,
  query: SelectQuery,
  telling: Telling,
): string {
  const texts =
    kind === 'and'
      ? conditionTexts(parts, query, telling)
      : parts.map((part) => conditionTexts([part], query, telling).join(' and '));
  return kind === 'or' && texts.length > 1 ? `(${texts.join(' or ')})` : texts.join(' and ');
}

function likeText({ pattern, negated }: Extract<Predicate, { kind: 'like' }>): string {
  const text = `‘${pattern.replace(/^%|(?<!\\)%$/g, '').replace(/\\(.)/g, '$1')}’`;
  const [opens, ends] = [pattern.startsWith('%'), /(?<!\\)%$/.test(pattern)];
  if (opens && ends) return `${negated ? 'does not contain' : 'contains'} ${text}`;
  if (ends) return `${negated ? 'does not start' : 'starts'} with ${text}`;
  if (opens) return `${negated ? 'does not end' : 'ends'} with ${text}`;
  return `${negated ? 'is not like' : 'is like'} ${text}`;
}

/** A key that stands in no row of another table: "without any orders where …". */
function amongText(
  { value, query: inner, negated, cause }: Extract<Predicate, { kind: 'in-query' }>,
  query: SelectQuery,
  telling: Telling,
): string {
  if (
    inner.kind !== 'select' ||
    value.kind !== 'column' ||
    inner.from.table === value.table ||
    inner.groupBy.length > 0
  )
    return `${expressionText(value, query, telling)} is ${negated ? 'not ' : ''}among: ${telling.explain(inner, telling)}`;
  const metric = METRIC.exec(cause?.why ?? '')?.[1];
  const tables = metric ?? [inner.from.table, ...inner.joins.map(({ table }) => table.table)].join(' with ');
  const conditions = conditionTexts(
    inner.where.filter((one) => one.kind !== 'null' || !one.negated),
    inner,
    telling,
  );
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return `${negated ? 'without' : 'with'} any ${tables}${where}`;
}

/** Days from (inclusive) to until (exclusive), as people write them: "2024", "2024-03", "from 2024-01-01 to 2024-06-30". */
function periodText(from: string | undefined, until: string | undefined): string {
  if (from === undefined) return `before ${until}`;
  if (until === undefined) return `from ${from}`;
  const start = new Date(`${from}T00:00:00Z`);
  if (Number.isNaN(start.getTime())) return `from ${from} and before ${until}`;
  if (/-01-01$/.test(from) && until === isoDate(addMonths(start, 12))) return from.slice(0, 4);
  if (/-01$/.test(from) && until === isoDate(addMonths(start, 1))) return from.slice(0, 7);
  if (until === isoDate(addDays(start, 1))) return from;
  const last = new Date(`${until}T00:00:00Z`);
  return Number.isNaN(last.getTime())
    ? `from ${from} and before ${until}`
    : `from ${from} to ${isoDate(addDays(last, -1))}`;
}

/** What people call the things of a database. */
export interface QueryNames {
  /** By the spelling of the table and of the column in the query. */
  readonly column: (table: string, column: string) => string;
  /** What the rows are called whose key a column is; undefined where it is no key of one table. */
  readonly key: (table: string, column: string) => string | undefined;
}

/** What is known of a query while it is told. */
export interface Telling {
  readonly names: QueryNames;
  /** The queries of WITH. */
  readonly named: ReadonlyMap<string, Query>;
  /** Conditions that hold for every part of the query: they are said once. */
  readonly common: ReadonlySet<string>;
  explain(query: Query, telling: Telling): string;
}

/** The plain queries that a query is put together from. */
export function allOf(query: Query): readonly SelectQuery[] {
  return query.kind === 'select' ? [query] : [...allOf(query.left), ...allOf(query.right)];
}

/** What the semantic model calls a column, else its own name. */
export function queryNames({
  catalog,
  semantics,
}: Pick<GroundedKnowledge, 'catalog' | 'semantics'>): QueryNames {
  const tables = new Map(catalog.tables.map((table) => [table.name, table]));
  const called = new Map(semantics.dimensions.map(({ column, name }) => [column, name]));
  return {
    column: (table, column) => {
      const id = tables.get(table)?.columns.find(({ name }) => name === column)?.id;
      return (id === undefined ? undefined : called.get(id)) ?? column;
    },
    key: (table, column) => {
      const [key, second] = tables.get(table)?.primaryKey ?? [];
      const isKey =
        second === undefined &&
        key !== undefined &&
        key === tables.get(table)?.columns.find(({ name }) => name === column)?.id;
      return isKey ? table : undefined;
    },
  };
}
