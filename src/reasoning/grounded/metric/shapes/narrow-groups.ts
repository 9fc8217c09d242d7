import type { Metric } from '../../../../knowledge/semantic/index.ts';
import type {
  AggregateFunction,
  Cause,
  Expression,
  OrderItem,
  Predicate,
  SelectItem,
  SelectQuery,
} from '../../../../sql/print/index.ts';
import { BARE } from '../../query/plan/parts/plan-view.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';
import { groupAlias } from './metric-block.ts';
import { aliasOf, columnOf, type MetricPlan, wrap } from './metric-plan.ts';

/** The figure of a metric among what is shown. */
export function figureOf(metric: Metric | undefined, query: SelectQuery): SelectItem | undefined {
  return metric === undefined ? undefined : query.select.find(({ alias }) => alias === aliasOf(metric.name));
}

/** "the second best dealer": the groups at one place of the ranking, all of those that share it. */
export function inPlace(
  query: SelectQuery,
  place: number,
  direction: 'asc' | 'desc',
  plan: MetricPlan,
): SelectQuery | null {
  if (plan.groups.length === 0) return null;
  const { ctes = [], ...grouped } = query;
  const figure = (figureOf(plan.frame.order?.metric, query) ?? query.select.at(-1))?.alias ?? 'value';
  const names = query.select.map((item) => item.alias ?? '');
  const rank: Expression = {
    kind: 'window',
    function: 'dense_rank',
    partitionBy: [],
    orderBy: [{ expression: columnOf('grouped', figure), direction }],
    cause: { why: 'place in the ranking', certainty: 'stated' },
  };
  const ranked: SelectQuery = {
    ...BARE,
    select: [
      ...names.map((name) => ({ expression: columnOf('grouped', name), alias: name })),
      { expression: rank, alias: 'place' },
    ],
    from: { table: 'grouped' },
  };
  const shown = plan.frame.hidesValue && names.length === plan.groups.length + 1 ? names.slice(0, -1) : names;
  return {
    ...BARE,
    ctes: [...ctes, { name: 'grouped', query: grouped }, { name: 'ranked', query: ranked }],
    select: shown.map((name) => ({ expression: columnOf('ranked', name), alias: name })),
    from: { table: 'ranked' },
    where: [
      {
        kind: 'compare',
        operator: '=',
        left: columnOf('ranked', 'place'),
        right: { kind: 'literal', value: place },
      },
    ],
  };
}

/** "more than 100 orders", "above the average": keeps the groups whose figure passes. */
export function keepPassing(query: SelectQuery, plan: MetricPlan): SelectQuery {
  const { having } = plan.frame;
  const value = figureOf(having?.metric, query) ?? query.select.at(-1);
  if (having === undefined || value === undefined || plan.groups.length === 0) return query;
  const because: Cause = {
    mention: having.mention.index,
    why: `“${having.mention.text}”`,
    certainty: 'stated',
  };
  if (having.number === undefined) return aboveAverage(query, having.operator, because);
  const predicate: Predicate = {
    kind: 'compare',
    operator: having.operator,
    left: value.expression,
    right: { kind: 'literal', value: isFraction(plan) ? having.number / 100 : having.number },
    cause: because,
  };
  const passing =
    query.groupBy.length > 0
      ? { ...query, having: [predicate] }
      : { ...query, where: [...query.where, predicate] };
  return plan.hidden === undefined ? passing : { ...passing, select: passing.select.slice(0, -1) };
}

/** "late rate above 15 %" of a rate that is 0.15: a part divided by its whole. */
function isFraction({ frame: { having }, bounds, hidden }: MetricPlan): boolean {
  const measured = having?.metric ?? hidden?.metric ?? bounds.at(-1)?.metric;
  return having?.isPercent === true && measured?.ratio !== undefined;
}

function aboveAverage(
  query: SelectQuery,
  operator: NonNullable<MetricFrame['having']>['operator'],
  because: Cause,
): SelectQuery {
  const value = columnOf('grouped', query.select.at(-1)?.alias ?? 'value');
  const average: Expression = { kind: 'aggregate', function: 'avg', distinct: false, argument: value };
  const over: Expression = {
    kind: 'subquery',
    query: { ...BARE, select: [{ expression: average }], from: { table: 'grouped' } },
  };
  return {
    ...wrap(query, 'grouped'),
    where: [{ kind: 'compare', operator, left: value, right: over, cause: because }],
  };
}

/** "how many dealers had …", "the average monthly revenue": the groups that are left, counted or made into one figure. */
export function summarise(query: SelectQuery, name: AggregateFunction): SelectQuery {
  const figure = query.select.at(-1)?.alias ?? 'value';
  const argument: Expression = name === 'count' ? { kind: 'star' } : columnOf('grouped', figure);
  const alias = name === 'count' ? 'count' : `${name}_${figure}`;
  const value: Expression = { kind: 'aggregate', function: name, distinct: false, argument };
  return { ...wrap(query, 'grouped'), select: [{ expression: value, alias }] };
}

/** "top 2 series per brand": the best rows inside each group that "per" or "each" names. */
export function topPerGroup(query: SelectQuery, plan: MetricPlan): SelectQuery {
  const { order } = plan.frame;
  const each = plan.groups.filter((group) => group.term.isEach).map(groupAlias);
  if (order?.limit === undefined || each.length === 0) return query;
  const value = columnOf('grouped', query.select.at(-1)?.alias ?? 'value');
  const place: Expression = {
    kind: 'window',
    function: 'rank',
    partitionBy: each.map((key) => columnOf('grouped', key)),
    orderBy: [{ expression: value, direction: order.direction }],
  };
  const names = query.select.map((item) => item.alias ?? '');
  const ranked: SelectQuery = {
    ...BARE,
    select: [
      ...names.map((name) => ({ expression: columnOf('grouped', name), alias: name })),
      { expression: place, alias: 'place' },
    ],
    from: { table: 'grouped' },
  };
  const byPlace: OrderItem[] = [...each, 'place'].map((key) => ({
    expression: columnOf('ranked', key),
    direction: 'asc',
  }));
  const { ctes = [], ...grouped } = query;
  return {
    ...BARE,
    ctes: [...ctes, { name: 'grouped', query: grouped }, { name: 'ranked', query: ranked }],
    select: names.map((name) => ({ expression: columnOf('ranked', name), alias: name })),
    from: { table: 'ranked' },
    where: [
      {
        kind: 'compare',
        operator: '<=',
        left: columnOf('ranked', 'place'),
        right: { kind: 'literal', value: order.limit },
      },
    ],
    orderBy: byPlace,
  };
}
