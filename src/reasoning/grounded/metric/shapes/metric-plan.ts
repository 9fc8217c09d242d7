import type { Metric } from '../../../../knowledge/semantic/index.ts';
import type { Expression, SelectItem, SelectQuery } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { ALWAYS, BARE } from '../../query/plan/parts/plan-view.ts';
import type { TimeWindow } from '../../question/read/find-times.ts';
import type { BoundDimension, BoundMetric, BoundMetricFilter } from '../bind/bind-metric.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';
import { groupAlias, metricBlock } from './metric-block.ts';

/** What every shape of a metric query is built from. */
export interface MetricPlan {
  readonly bounds: readonly BoundMetric[];
  readonly frame: MetricFrame;
  readonly windows: readonly TimeWindow[];
  readonly knowledge: GroundedKnowledge;
  readonly groups: readonly BoundDimension[];
  /** A figure that is not shown: groups must pass by it. */
  readonly hidden?: BoundMetric;
}

/** A query of its own name in WITH. */
export interface NamedQuery {
  readonly name: string;
  readonly query: SelectQuery;
}

export function columnOf(table: string, column: string): Expression {
  return { kind: 'column', table, column };
}

/** A metric's name as a column name. */
export function aliasOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** Percent when percent is asked for, else a fraction. */
export function scaled(value: Expression, plan: MetricPlan): Expression {
  if (!plan.frame.isPercent) return value;
  return { kind: 'arithmetic', operator: '*', left: { kind: 'literal', value: 100 }, right: value };
}

export interface FigureRequest {
  readonly filters: readonly BoundMetricFilter[];
  readonly window?: TimeWindow;
  /** Periods that are taken together, in place of one. */
  readonly windows?: readonly TimeWindow[];
  /** Nothing is joined to the groups by their names. */
  readonly isAlone?: boolean;
  /** Column name of the figure. */
  readonly alias: string;
  readonly groups: readonly BoundDimension[];
}

/** One metric by groups: a block, or for a ratio two blocks divided. Null when something cannot be reached. */
export function figure(bound: BoundMetric, request: FigureRequest, plan: MetricPlan): SelectQuery | null {
  const [part, whole] = bound.parts;
  if (part === undefined) return null;
  if (whole === undefined) return block(part, request, plan);
  const half = { ...request, alias: 'value', isAlone: false };
  const top = block(part, half, plan);
  const bottom = block(whole, half, plan);
  if (top === null || bottom === null) return null;
  const ratio = (left: Expression, right: Expression): Expression => ({
    kind: 'arithmetic',
    operator: '/',
    left,
    right,
  });
  return combine({ name: 'numerator', query: top }, { name: 'denominator', query: bottom }, ratio, request);
}

function block(metric: Metric, request: FigureRequest, plan: MetricPlan): SelectQuery | null {
  const { alias, ...asked } = request;
  return metricBlock({
    ...asked,
    metric,
    roles: plan.frame.roles,
    valueAlias: alias,
    knowledge: plan.knowledge,
  });
}

/** Two figures made into one: joined on their groups, or one row beside the other without groups. */
export function combine(
  left: NamedQuery,
  right: NamedQuery,
  value: (left: Expression, right: Expression) => Expression,
  { alias, groups }: Pick<FigureRequest, 'alias' | 'groups'>,
): SelectQuery {
  const keys = groups.map(groupAlias);
  const on = keys.map((key) => ({ left: columnOf(right.name, key), right: columnOf(left.name, key) }));
  const shown: SelectItem[] = keys.map((key) => ({ expression: columnOf(right.name, key), alias: key }));
  return {
    ...BARE,
    ctes: [left, right],
    select: [
      ...shown,
      { expression: value(columnOf(left.name, 'value'), columnOf(right.name, 'value')), alias },
    ],
    from: { table: right.name },
    joins: [{ kind: 'left', table: { table: left.name }, on: keys.length === 0 ? ALWAYS : on }],
  };
}

/** The query as a CTE, with everything it shows selected from it. */
export function wrap(query: SelectQuery, name: string): SelectQuery {
  const { ctes = [], ...inner } = query;
  const select = query.select.map((item) => ({
    expression: columnOf(name, item.alias ?? ''),
    alias: item.alias,
  }));
  return { ...BARE, ctes: [...ctes, { name, query: inner }], select, from: { table: name } };
}
