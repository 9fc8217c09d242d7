import type { Expression, Predicate, SelectItem, SelectQuery } from '../../../../../sql/print/index.ts';
import type { PlanView } from '../parts/plan-view.ts';
import { BARE, columnExpression } from '../parts/plan-view.ts';

/**
 * A median or percentile as every engine can tell it: rows are numbered within their group in the order of the figure, and those in
 * the middle, or the first that so many of a hundred are not above, are taken. Null beside another figure or a ranking by it.
 */
export function quantileQuery(query: SelectQuery, view: PlanView): SelectQuery | null {
  const [asked, second] = view.bound.projections.filter(({ aggregate }) => aggregate !== undefined);
  const { column, percent } = asked ?? {};
  const isRanked = query.having.length > 0 || query.orderBy.length > 0 || query.distinct;
  if (column === undefined || percent === undefined || second !== undefined || isRanked) return null;
  const measure = columnExpression(column, view.context.graph);
  return rowsInTheMiddle(query, { measure, percent, isFigure: ({ kind }) => kind === 'aggregate' });
}

/** What is taken the median or percentile of, and which of the expressions shown stands for it. */
export interface Quantile {
  readonly measure: Expression;
  readonly percent: number;
  readonly isFigure: (expression: Expression) => boolean;
}

/** A grouped query with one figure, whose figure becomes the median or percentile of what is measured. */
export function rowsInTheMiddle(query: SelectQuery, { measure, percent, isFigure }: Quantile): SelectQuery {
  const keys = query.groupBy.map((expression, index) => ({ expression, alias: `key_${index + 1}` }));
  const shown = query.select.map((item, index) => ({ ...item, alias: `shown_${index + 1}` }));
  const plain = shown.filter(({ expression }) => !isFigure(expression));
  const within = { kind: 'window' as const, partitionBy: keys.map(({ expression }) => expression) };
  const place: Expression = {
    ...within,
    function: 'row_number',
    orderBy: [{ expression: measure, direction: 'asc' }],
  };
  const size: Expression = { ...within, function: 'count', argument: { kind: 'star' }, orderBy: [] };
  const rows: SelectQuery = {
    ...query,
    select: [
      ...keys,
      ...plain,
      { expression: measure, alias: 'value' },
      { expression: place, alias: 'place' },
      { expression: size, alias: 'size' },
    ],
    where: [...query.where, { kind: 'null', value: measure, negated: true }],
    groupBy: [],
    orderBy: [],
    limit: undefined,
  };
  const figure: Expression = {
    kind: 'aggregate',
    function: percent === MEDIAN ? 'avg' : 'min',
    distinct: false,
    argument: of('value'),
    cause: { certainty: 'stated', why: nameOf(percent) },
  };
  return {
    ...BARE,
    ctes: [{ name: 'in_order', query: rows }],
    select: shown.map(({ expression, alias }, index): SelectItem => {
      const name = query.select[index]?.alias;
      const shownAs = isFigure(expression) ? figure : of(alias);
      return name === undefined ? { expression: shownAs } : { expression: shownAs, alias: name };
    }),
    from: { table: 'in_order' },
    where: [taken(percent)],
    groupBy: [...keys, ...plain].map(({ alias }) => of(alias)),
  };
}

export const MEDIAN = 50;

function nameOf(percent: number): string {
  return percent === MEDIAN ? 'median' : `percentile ${percent}`;
}

function of(name: string): Expression {
  return { kind: 'column', table: 'in_order', column: name };
}

/** The one in the middle, or both; else the first with enough rows up to it. */
function taken(percent: number): Predicate {
  const times = (name: string, by: number): Expression => ({
    kind: 'arithmetic',
    operator: '*',
    left: of(name),
    right: { kind: 'literal', value: by },
  });
  const cause = { why: `definition of the ${nameOf(percent)}`, certainty: 'stated' as const };
  if (percent !== MEDIAN)
    return {
      kind: 'compare',
      operator: '>=',
      left: times('place', 100),
      right: times('size', percent),
      cause,
    };
  const high: Expression = {
    kind: 'arithmetic',
    operator: '+',
    left: of('size'),
    right: { kind: 'literal', value: 2 },
  };
  return { kind: 'between', value: times('place', 2), low: of('size'), high, cause };
}
