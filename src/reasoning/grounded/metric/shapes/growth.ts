import type { Expression, Predicate, SelectQuery } from '../../../../sql/print/index.ts';
import { BARE } from '../../query/plan/parts/plan-view.ts';
import { addDays, addMonths, isoDate } from '../../question/read/calendar.ts';
import type { TimeWindow } from '../../question/read/find-times.ts';
import type { BoundMetric } from '../bind/bind-metric.ts';
import { groupAlias } from './metric-block.ts';
import {
  aliasOf,
  columnOf,
  combine,
  figure,
  type MetricPlan,
  type NamedQuery,
  scaled,
} from './metric-plan.ts';
import { share } from './share.ts';

/** Two periods to compare: both named, or one and the same a year before; fewer when there is nothing to compare. */
export function comparedPeriods(plan: MetricPlan): readonly TimeWindow[] {
  const closed = plan.windows.filter((window) => window.from !== undefined && window.until !== undefined);
  const [only, second] = closed;
  if (only?.ends !== undefined) return only.ends;
  if (only === undefined || second !== undefined)
    return [...closed].sort((a, b) => (a.from ?? '').localeCompare(b.from ?? '')).slice(0, 2);
  const back = (day: string | undefined): string => isoDate(addMonths(new Date(`${day}T00:00:00Z`), -12));
  return [
    { ...only, from: back(only.from), until: back(only.until), label: `the year before ${only.label}` },
    only,
  ];
}

/** "by how many percent did deliveries grow from 2022 to 2023". */
export function growth(bound: BoundMetric, plan: MetricPlan): SelectQuery | null {
  const [before, after] = comparedPeriods(plan);
  const { groups, frame } = plan;
  const measure = (window: TimeWindow | undefined): SelectQuery | null =>
    frame.isShare
      ? share(bound, window, 'value', plan)
      : figure(bound, { filters: bound.filters, window, alias: 'value', groups }, plan);
  const old = measure(before);
  const recent = measure(after);
  if (old === null || recent === null) return null;
  const change = (left: Expression, right: Expression): Expression => {
    const difference: Expression = { kind: 'arithmetic', operator: '-', left, right };
    // A share is scaled already; its change is in points.
    if (frame.growth === 'difference' || frame.isShare) return difference;
    return scaled({ kind: 'arithmetic', operator: '/', left: difference, right }, plan);
  };
  const alias = `${aliasOf(bound.metric.name)}_${frame.growth === 'difference' ? 'change' : 'growth'}`;
  return combine({ name: 'after', query: recent }, { name: 'before', query: old }, change, { alias, groups });
}

/** "which series got fewer orders in 2024 than in 2023": the groups whose figure changed that way. */
export function changedGroups(bound: BoundMetric, plan: MetricPlan): SelectQuery | null {
  const [first, second] = plan.windows;
  const { groups, frame } = plan;
  const left = figure(bound, { filters: bound.filters, window: first, alias: 'value', groups }, plan);
  const right = figure(bound, { filters: bound.filters, window: second, alias: 'value', groups }, plan);
  if (left === null || right === null) return null;
  const difference = (a: Expression, b: Expression): Expression => ({
    kind: 'arithmetic',
    operator: '-',
    left: a,
    right: b,
  });
  const query = combine({ name: 'one', query: left }, { name: 'other', query: right }, difference, {
    alias: 'change',
    groups,
  });
  const change = query.select.at(-1)?.expression;
  if (groups.length === 0 || change === undefined || frame.comparesPeriods === undefined) return query;
  const changed: Predicate = {
    kind: 'compare',
    operator: frame.comparesPeriods,
    left: change,
    right: { kind: 'literal', value: 0 },
  };
  return { ...query, where: [changed], select: query.select.slice(0, -1) };
}

/** Month over month: the step from each group to the one before it; the first has nothing before it and is left out. */
export function stepsFromPrevious(bound: BoundMetric, plan: MetricPlan): SelectQuery | null {
  const { groups } = plan;
  const values = figure(
    bound,
    { filters: bound.filters, window: withPeriodBefore(plan.windows[0]), alias: 'value', groups },
    plan,
  );
  if (values === null) return null;
  const keys = groups.map(groupAlias);
  const inValues = (key: string): Expression => columnOf('series_of_values', key);
  const previous: Expression = {
    kind: 'window',
    function: 'lag',
    argument: inValues('value'),
    partitionBy: keys.slice(0, -1).map(inValues),
    orderBy: [{ expression: inValues(keys.at(-1) ?? ''), direction: 'asc' }],
  };
  const change: Expression = { kind: 'arithmetic', operator: '-', left: inValues('value'), right: previous };
  const steps: SelectQuery = {
    ...BARE,
    select: [
      ...keys.map((key) => ({ expression: inValues(key), alias: key })),
      { expression: change, alias: 'change' },
    ],
    from: { table: 'series_of_values' },
  };
  return {
    ...BARE,
    ctes: [
      { name: 'series_of_values', query: values },
      { name: 'steps', query: steps },
    ],
    select: [...keys, 'change'].map((key) => ({ expression: columnOf('steps', key), alias: key })),
    from: { table: 'steps' },
    where: [{ kind: 'null', value: columnOf('steps', 'change'), negated: true }],
    orderBy: keys.map((key) => ({ expression: columnOf('steps', key), direction: 'asc' })),
  };
}

/** The window with one more step in front, so that its first step has something to be compared with. */
function withPeriodBefore(window: TimeWindow | undefined): TimeWindow | undefined {
  if (window?.from === undefined) return window;
  const from = new Date(`${window.from}T00:00:00Z`);
  const earlier =
    window.grain === 'day'
      ? addDays(from, -1)
      : window.grain === 'week'
        ? addDays(from, -7)
        : addMonths(from, -1);
  return { ...window, from: isoDate(earlier) };
}

/** "how did the ranking of cities by orders change": each group with its rank before and after, 1 for the largest figure. */
export function rankChange(bound: BoundMetric, plan: MetricPlan): SelectQuery | null {
  const { groups } = plan;
  const [before, after] = comparedPeriods(plan);
  const keys = groups.map(groupAlias);
  const ctes: NamedQuery[] = [];
  for (const [name, window] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const query = figure(bound, { filters: bound.filters, window, alias: 'value', groups }, plan);
    if (query === null) return null;
    ctes.push({ name, query }, { name: `ranks_${name}`, query: ranksIn(name, keys) });
  }
  return {
    ...BARE,
    ctes,
    select: [
      ...keys.map((key) => ({ expression: columnOf('ranks_after', key), alias: key })),
      { expression: columnOf('ranks_before', 'place'), alias: 'rank_before' },
      { expression: columnOf('ranks_after', 'place'), alias: 'rank_after' },
    ],
    from: { table: 'ranks_after' },
    // A group without figures in the first period had no rank.
    joins: [
      {
        kind: 'left',
        table: { table: 'ranks_before' },
        on: keys.map((key) => ({
          left: columnOf('ranks_before', key),
          right: columnOf('ranks_after', key),
        })),
      },
    ],
    orderBy: [{ expression: columnOf('ranks_after', 'place'), direction: 'asc' }],
  };
}

function ranksIn(table: string, keys: readonly string[]): SelectQuery {
  const place: Expression = {
    kind: 'window',
    function: 'rank',
    partitionBy: [],
    orderBy: [{ expression: columnOf(table, 'value'), direction: 'desc' }],
  };
  return {
    ...BARE,
    select: [
      ...keys.map((key) => ({ expression: columnOf(table, key), alias: key })),
      { expression: place, alias: 'place' },
    ],
    from: { table },
  };
}
