import type { Expression, SelectQuery } from '../../../../sql/index.ts';
import { ALWAYS, BARE } from '../../plan/bare-query.ts';
import type { TimeWindow } from '../../read/find-times.ts';
import type { BoundMetric, BoundMetricFilter } from '../bind-metric.ts';
import { groupAlias } from '../metric-block.ts';
import { aliasOf, columnOf, combine, figure, type MetricPlan, scaled } from '../metric-plan.ts';

/** "share of orders by brand", or "what share of orders were electric": a part against the whole. */
export function share(
  bound: BoundMetric,
  window: TimeWindow | undefined,
  alias: string,
  plan: MetricPlan,
): SelectQuery | null {
  const { groups } = plan;
  const kept = bound.filters.filter((filter) => !isPart(filter, bound.filters, plan));
  const narrows = kept.length < bound.filters.length;
  const part = figure(bound, { filters: bound.filters, window, alias: 'value', groups }, plan);
  const whole = figure(
    bound,
    { filters: narrows ? kept : bound.filters, window, alias: 'value', groups: narrows ? groups : [] },
    plan,
  );
  if (part === null || whole === null) return null;
  const ratio = (left: Expression, right: Expression): Expression =>
    scaled({ kind: 'arithmetic', operator: '/', left, right }, plan);
  if (groups.length === 0 || narrows)
    return combine({ name: 'part', query: part }, { name: 'whole', query: whole }, ratio, { alias, groups });
  const keys = groups.map(groupAlias);
  return {
    ...BARE,
    ctes: [
      { name: 'part', query: part },
      { name: 'whole', query: whole },
    ],
    select: [
      ...keys.map((key) => ({ expression: columnOf('part', key), alias: key })),
      { expression: ratio(columnOf('part', 'value'), columnOf('whole', 'value')), alias },
    ],
    from: { table: 'part' },
    joins: [{ kind: 'inner', table: { table: 'whole' }, on: ALWAYS }],
  };
}

/** Which filter makes the part: the one before the share word, or behind the verb, else the last. */
function isPart(filter: BoundMetricFilter, all: readonly BoundMetricFilter[], plan: MetricPlan): boolean {
  if (plan.groups.length > 0 && all.every((item) => !item.term.isPredicate)) return false;
  const shareAt = plan.frame.shareAt ?? -1;
  const before = all.filter((item) => item.term.mention.index < shareAt);
  const predicates = all.filter((item) => item.term.isPredicate);
  const parts = before.length > 0 ? before : predicates.length > 0 ? predicates : all.slice(-1);
  return parts.includes(filter);
}

/** "what percentage came from the three best dealers": the sum of the best against the sum of all. */
export function shareOfBest(bound: BoundMetric, limit: number, plan: MetricPlan): SelectQuery | null {
  const { groups, frame } = plan;
  const grouped = figure(
    bound,
    { filters: bound.filters, window: plan.windows[0], alias: 'value', groups },
    plan,
  );
  if (grouped === null) return null;
  const value = columnOf('grouped', 'value');
  const best: SelectQuery = {
    ...BARE,
    select: [{ expression: value, alias: 'value' }],
    from: { table: 'grouped' },
    orderBy: [{ expression: value, direction: frame.order?.direction ?? 'desc' }],
    limit,
  };
  const ratio: Expression = {
    kind: 'arithmetic',
    operator: '/',
    left: columnOf('part', 'value'),
    right: columnOf('whole', 'value'),
  };
  return {
    ...BARE,
    ctes: [
      { name: 'grouped', query: grouped },
      { name: 'best', query: best },
      { name: 'part', query: sumOf('best') },
      { name: 'whole', query: sumOf('grouped') },
    ],
    select: [{ expression: scaled(ratio, plan), alias: `share_of_${aliasOf(bound.metric.name)}` }],
    from: { table: 'part' },
    joins: [{ kind: 'inner', table: { table: 'whole' }, on: ALWAYS }],
  };
}

function sumOf(table: string): SelectQuery {
  const sum: Expression = {
    kind: 'aggregate',
    function: 'sum',
    distinct: false,
    argument: columnOf(table, 'value'),
  };
  return { ...BARE, select: [{ expression: sum, alias: 'value' }], from: { table } };
}
