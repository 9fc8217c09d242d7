import type { Metric } from '../../../knowledge/semantic-model.ts';
import type { Expression, OrderItem, Predicate, SelectItem, SelectQuery } from '../../../sql/query.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import { addDays, addMonths, isoDate } from '../read/calendar-days.ts';
import type { TimeWindow } from '../read/find-times.ts';
import type { BoundDimension, BoundMetric, BoundMetricFilter } from './bind-metric.ts';
import { groupAlias, metricBlock } from './metric-block.ts';
import type { MetricFrame } from './metric-frame.ts';

/** A block of its own name in WITH. */
interface NamedBlock {
  readonly name: string;
  readonly query: SelectQuery;
}

const BARE = {
  kind: 'select' as const,
  distinct: false,
  joins: [],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
};

/** Turns bound metrics into a query: one block, or several joined by their groups. Null when something cannot be reached. */
export function buildMetricQuery(
  bounds: readonly BoundMetric[],
  frame: MetricFrame,
  windows: readonly TimeWindow[],
  knowledge: GroundedKnowledge,
): SelectQuery | null {
  const builder = new MetricQueryBuilder(bounds, frame, windows, knowledge);
  return builder.build();
}

class MetricQueryBuilder {
  private readonly bounds: readonly BoundMetric[];
  private readonly frame: MetricFrame;
  private readonly windows: readonly TimeWindow[];
  private readonly knowledge: GroundedKnowledge;
  private readonly groups: readonly BoundDimension[];

  constructor(
    bounds: readonly BoundMetric[],
    frame: MetricFrame,
    windows: readonly TimeWindow[],
    knowledge: GroundedKnowledge,
  ) {
    this.bounds = bounds;
    this.frame = frame;
    this.windows = windows;
    this.knowledge = knowledge;
    this.groups = bounds[0]?.groups ?? [];
  }

  build(): SelectQuery | null {
    const [first] = this.bounds;
    if (first === undefined) return null;
    const { frame } = this;
    const value = this.shape(first);
    if (value === null) return null;
    if (frame.isPerGroup) return this.topPerGroup(value);
    if (frame.countsGroups && frame.having !== undefined) return this.countGroups(this.withHaving(value));
    const ordered = this.ordered(this.withHaving(value));
    return frame.hidesValue && ordered.select.length > this.groups.length
      ? { ...ordered, select: ordered.select.slice(0, -1) }
      : ordered;
  }

  /** The table of groups and value(s), before having, order and limit. */
  private shape(first: BoundMetric): SelectQuery | null {
    const { frame } = this;
    if (frame.growth === 'previous' && this.groups.length > 0) return this.againstPrevious(first);
    if (frame.growth !== undefined && this.periods().length === 2) return this.growth(first);
    if (frame.isShare && frame.order?.limit !== undefined && this.groups.length > 0)
      return this.shareOfBest(first, frame.order.limit);
    if (frame.isShare) return this.share(first, this.windows[0], `share_of_${aliasOf(first.metric.name)}`);
    if (this.bounds.length > 1) return this.sideBySide();
    return this.single(first, first.filters, this.windows[0], first.metric.name);
  }

  private block(
    metric: Metric,
    filters: readonly BoundMetricFilter[],
    window: TimeWindow | undefined,
    groups: readonly BoundDimension[],
    alias: string,
  ): SelectQuery | null {
    return metricBlock({
      metric,
      groups,
      filters,
      window,
      roles: this.frame.roles,
      valueAlias: alias,
      knowledge: this.knowledge,
    });
  }

  /** One metric: a block, or for a ratio two blocks divided. */
  private single(
    bound: BoundMetric,
    filters: readonly BoundMetricFilter[],
    window: TimeWindow | undefined,
    name: string,
    groups = this.groups,
  ): SelectQuery | null {
    const [part, whole] = bound.parts;
    const alias = aliasOf(name);
    if (part === undefined) return null;
    if (whole === undefined) return this.block(part, filters, window, groups, alias);
    const top = this.block(part, filters, window, groups, 'value');
    const bottom = this.block(whole, filters, window, groups, 'value');
    if (top === null || bottom === null) return null;
    return this.combine(
      { name: 'numerator', query: top },
      { name: 'denominator', query: bottom },
      (left, right) => ({ kind: 'arithmetic', operator: '/', left, right }),
      alias,
      groups,
    );
  }

  /** Two blocks side by side: scalar subqueries without groups, a join on the groups with them. */
  private combine(
    left: NamedBlock,
    right: NamedBlock,
    value: (left: Expression, right: Expression) => Expression,
    alias: string,
    groups: readonly BoundDimension[],
  ): SelectQuery {
    const ctes = [left, right].map(({ name, query }) => ({ name, query }));
    const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
    const keys = groups.map(groupAlias);
    const base = {
      kind: 'select' as const,
      ctes,
      distinct: false,
      where: [],
      groupBy: [],
      having: [],
      orderBy: [],
    };
    const result: SelectItem = {
      expression: value(column(left.name, 'value'), column(right.name, 'value')),
      alias,
    };
    if (keys.length === 0)
      return {
        ...base,
        select: [result],
        from: { table: right.name },
        joins: [
          {
            kind: 'left',
            table: { table: left.name },
            on: [{ left: { kind: 'literal', value: 1 }, right: { kind: 'literal', value: 1 } }],
          },
        ],
      };
    const on = keys.map((key) => ({ left: column(right.name, key), right: column(left.name, key) }));
    return {
      ...base,
      select: [...keys.map((key) => ({ expression: column(right.name, key), alias: key })), result],
      from: { table: right.name },
      joins: [{ kind: 'left', table: { table: left.name }, on }],
    };
  }

  /** Several metrics in one table: each its own block, since their rows and filters differ. */
  private sideBySide(): SelectQuery | null {
    const blocks: NamedBlock[] = [];
    for (const bound of this.bounds) {
      const query = this.single(bound, bound.filters, this.windows[0], 'value');
      if (query === null) return null;
      blocks.push({ name: aliasOf(bound.metric.name), query });
    }
    const [first, ...others] = blocks;
    if (first === undefined) return null;
    const keys = this.groups.map(groupAlias);
    const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
    return {
      kind: 'select',
      ctes: blocks,
      distinct: false,
      select: [
        ...keys.map((key) => ({ expression: column(first.name, key), alias: key })),
        ...blocks.map((block) => ({ expression: column(block.name, 'value'), alias: block.name })),
      ],
      from: { table: first.name },
      joins: others.map((block) => ({
        kind: 'left' as const,
        table: { table: block.name },
        on:
          keys.length === 0
            ? [
                {
                  left: { kind: 'literal' as const, value: 1 },
                  right: { kind: 'literal' as const, value: 1 },
                },
              ]
            : keys.map((key) => ({ left: column(first.name, key), right: column(block.name, key) })),
      })),
      where: [],
      groupBy: [],
      having: [],
      orderBy: [],
    };
  }

  /** "share of orders by brand" or "what share of orders were electric". */
  private share(bound: BoundMetric, window: TimeWindow | undefined, alias: string): SelectQuery | null {
    const percent = (left: Expression, right: Expression): Expression =>
      this.scaled({ kind: 'arithmetic', operator: '/', left, right });
    const kept = bound.filters.filter((filter) => !this.isPart(filter, bound.filters));
    const part = this.single(bound, bound.filters, window, 'value');
    const whole = this.single(
      bound,
      this.groups.length > 0 && kept.length === bound.filters.length ? bound.filters : kept,
      window,
      'value',
      kept.length < bound.filters.length ? this.groups : [],
    );
    if (part === null || whole === null) return null;
    if (this.groups.length === 0 || kept.length < bound.filters.length)
      return this.combine(
        { name: 'part', query: part },
        { name: 'whole', query: whole },
        percent,
        alias,
        this.groups,
      );
    return this.overWhole(part, whole, percent, alias);
  }

  /** Percent when percent is asked for, else a fraction. */
  private scaled(value: Expression): Expression {
    return this.frame.isPercent
      ? { kind: 'arithmetic', operator: '*', left: { kind: 'literal', value: 100 }, right: value }
      : value;
  }

  /** "what percentage came from the three best dealers": the sum of the best against the sum of all. */
  private shareOfBest(bound: BoundMetric, limit: number): SelectQuery | null {
    const block = this.single(bound, bound.filters, this.windows[0], 'value');
    if (block === null) return null;
    const value = (table: string): Expression => ({ kind: 'column', table, column: 'value' });
    const sum = (table: string): SelectQuery => ({
      ...BARE,
      select: [
        {
          expression: { kind: 'aggregate', function: 'sum', distinct: false, argument: value(table) },
          alias: 'value',
        },
      ],
      from: { table },
    });
    const best: SelectQuery = {
      ...BARE,
      select: [{ expression: value('grouped'), alias: 'value' }],
      from: { table: 'grouped' },
      orderBy: [{ expression: value('grouped'), direction: this.frame.order?.direction ?? 'desc' }],
      limit,
    };
    const ratio: Expression = {
      kind: 'arithmetic',
      operator: '/',
      left: value('part'),
      right: value('whole'),
    };
    return {
      ...BARE,
      ctes: [
        { name: 'grouped', query: block },
        { name: 'best', query: best },
        { name: 'part', query: sum('best') },
        { name: 'whole', query: sum('grouped') },
      ],
      select: [{ expression: this.scaled(ratio), alias: `share_of_${aliasOf(bound.metric.name)}` }],
      from: { table: 'part' },
      joins: [
        {
          kind: 'inner',
          table: { table: 'whole' },
          on: [{ left: { kind: 'literal', value: 1 }, right: { kind: 'literal', value: 1 } }],
        },
      ],
    };
  }

  /** Which filter makes the part: the one beside the share word or behind the verb, else the last. */
  private isPart(filter: BoundMetricFilter, all: readonly BoundMetricFilter[]): boolean {
    if (this.groups.length > 0 && all.every((item) => !item.term.isPredicate)) return false;
    const shareAt = this.frame.shareAt ?? -1;
    const before = all.filter((item) => item.term.mention.index < shareAt);
    const predicates = all.filter((item) => item.term.isPredicate);
    const parts = before.length > 0 ? before : predicates.length > 0 ? predicates : all.slice(-1);
    return parts.includes(filter);
  }

  private overWhole(
    part: SelectQuery,
    whole: SelectQuery,
    percent: (left: Expression, right: Expression) => Expression,
    alias: string,
  ): SelectQuery {
    const keys = this.groups.map(groupAlias);
    const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
    return {
      kind: 'select',
      ctes: [
        { name: 'part', query: part },
        { name: 'whole', query: whole },
      ],
      distinct: false,
      select: [
        ...keys.map((key) => ({ expression: column('part', key), alias: key })),
        { expression: percent(column('part', 'value'), column('whole', 'value')), alias },
      ],
      from: { table: 'part' },
      joins: [
        {
          kind: 'inner',
          table: { table: 'whole' },
          on: [{ left: { kind: 'literal', value: 1 }, right: { kind: 'literal', value: 1 } }],
        },
      ],
      where: [],
      groupBy: [],
      having: [],
      orderBy: [],
    };
  }

  /** Two periods to compare: both named, or one and the same a year before. */
  private periods(): readonly TimeWindow[] {
    const closed = this.windows.filter((window) => window.from !== undefined && window.until !== undefined);
    const [only] = closed;
    if (only?.ends !== undefined) return only.ends;
    if (closed.length !== 1 || only === undefined)
      return [...closed].sort((a, b) => (a.from ?? '').localeCompare(b.from ?? '')).slice(0, 2);
    const back = (day: string | undefined): string =>
      isoDate(new Date(`${Number((day ?? '').slice(0, 4)) - 1}${(day ?? '').slice(4)}T00:00:00Z`));
    return [
      { ...only, from: back(only.from), until: back(only.until), label: `the year before ${only.label}` },
      only,
    ];
  }

  private growth(bound: BoundMetric): SelectQuery | null {
    const [before, after] = this.periods();
    const measure = (window: TimeWindow | undefined): SelectQuery | null =>
      this.frame.isShare
        ? this.share(bound, window, 'value')
        : this.single(bound, bound.filters, window, 'value');
    const old = measure(before);
    const recent = measure(after);
    if (old === null || recent === null) return null;
    const { growth, isShare } = this.frame;
    const change = (left: Expression, right: Expression): Expression => {
      const difference: Expression = { kind: 'arithmetic', operator: '-', left, right };
      // A share is scaled already; its change is in points.
      if (growth === 'difference' || isShare) return difference;
      return this.scaled({ kind: 'arithmetic', operator: '/', left: difference, right });
    };
    return this.combine(
      { name: 'after', query: recent },
      { name: 'before', query: old },
      change,
      `${aliasOf(bound.metric.name)}_${growth === 'difference' ? 'change' : 'growth'}`,
      this.groups,
    );
  }

  /** Month over month: each group beside the one before it. */
  private againstPrevious(bound: BoundMetric): SelectQuery | null {
    const block = this.single(bound, bound.filters, withPeriodBefore(this.windows[0]), 'value');
    const keys = this.groups.map(groupAlias);
    if (block === null) return null;
    const column = (name: string, table = 'series_of_values'): Expression => ({
      kind: 'column',
      table,
      column: name,
    });
    const timeKey = keys.at(-1) ?? '';
    const previous: Expression = {
      kind: 'window',
      function: 'lag',
      argument: column('value'),
      partitionBy: keys.slice(0, -1).map((key) => column(key)),
      orderBy: [{ expression: column(timeKey), direction: 'asc' }],
    };
    const steps: SelectQuery = {
      ...BARE,
      select: [
        ...keys.map((key) => ({ expression: column(key), alias: key })),
        {
          expression: { kind: 'arithmetic', operator: '-', left: column('value'), right: previous },
          alias: 'change',
        },
      ],
      from: { table: 'series_of_values' },
    };
    return {
      ...BARE,
      ctes: [
        { name: 'series_of_values', query: block },
        { name: 'steps', query: steps },
      ],
      select: [...keys, 'change'].map((key) => ({ expression: column(key, 'steps'), alias: key })),
      from: { table: 'steps' },
      where: [{ kind: 'null', value: column('change', 'steps'), negated: true }],
      orderBy: keys.map((key) => ({ expression: column(key, 'steps'), direction: 'asc' })),
    };
  }

  private withHaving(query: SelectQuery): SelectQuery {
    const { having } = this.frame;
    const value = query.select.at(-1)?.expression;
    if (having === undefined || value === undefined || this.groups.length === 0) return query;
    const because = {
      mention: having.mention.index,
      why: `“${having.mention.text}”`,
      certainty: 'stated' as const,
    };
    if (having.number !== undefined) {
      const predicate: Predicate = {
        kind: 'compare',
        operator: having.operator,
        left: value,
        right: { kind: 'literal', value: having.number },
        cause: because,
      };
      return query.groupBy.length > 0
        ? { ...query, having: [predicate] }
        : { ...query, where: [...query.where, predicate] };
    }
    return this.aboveAverage(query, having.operator, because);
  }

  private aboveAverage(
    query: SelectQuery,
    operator: NonNullable<MetricFrame['having']>['operator'],
    because: { mention: number; why: string; certainty: 'stated' },
  ): SelectQuery {
    const outer = wrap(query, 'grouped');
    const valueAlias = query.select.at(-1)?.alias ?? 'value';
    const value: Expression = { kind: 'column', table: 'grouped', column: valueAlias };
    const average: Expression = {
      kind: 'subquery',
      query: {
        kind: 'select',
        distinct: false,
        select: [{ expression: { kind: 'aggregate', function: 'avg', distinct: false, argument: value } }],
        from: { table: 'grouped' },
        joins: [],
        where: [],
        groupBy: [],
        having: [],
        orderBy: [],
      },
    };
    return { ...outer, where: [{ kind: 'compare', operator, left: value, right: average, cause: because }] };
  }

  private countGroups(query: SelectQuery): SelectQuery {
    return {
      ...wrap(query, 'grouped'),
      select: [
        {
          expression: { kind: 'aggregate', function: 'count', distinct: false, argument: { kind: 'star' } },
          alias: 'count',
        },
      ],
    };
  }

  /** "top 2 series per brand": rank inside all groups but the first named one. */
  private topPerGroup(query: SelectQuery): SelectQuery | null {
    const { order } = this.frame;
    const each = this.groups.filter((group) => group.term.isEach);
    if (order?.limit === undefined || each.length === 0) return this.ordered(query);
    const valueAlias = query.select.at(-1)?.alias ?? 'value';
    const column = (name: string): Expression => ({ kind: 'column', table: 'grouped', column: name });
    const rank: Expression = {
      kind: 'window',
      function: 'rank',
      partitionBy: each.map((group) => column(groupAlias(group))),
      orderBy: [{ expression: column(valueAlias), direction: order.direction }],
    };
    const ranked: SelectQuery = {
      ...wrap(query, 'grouped'),
      ctes: [],
      select: [
        ...query.select.map((item) => ({ expression: column(item.alias ?? ''), alias: item.alias })),
        { expression: rank, alias: 'place' },
      ],
    };
    const outer = wrap(ranked, 'ranked');
    const shown = query.select.map((item) => ({
      expression: { kind: 'column' as const, table: 'ranked', column: item.alias ?? '' },
      alias: item.alias,
    }));
    return {
      ...outer,
      ctes: [{ name: 'grouped', query }, ...(outer.ctes ?? [])],
      select: shown,
      where: [
        {
          kind: 'compare',
          operator: '<=',
          left: { kind: 'column', table: 'ranked', column: 'place' },
          right: { kind: 'literal', value: order.limit },
        },
      ],
      orderBy: [
        ...each.map(
          (group): OrderItem => ({
            expression: { kind: 'column', table: 'ranked', column: groupAlias(group) },
            direction: 'asc',
          }),
        ),
        { expression: { kind: 'column', table: 'ranked', column: 'place' }, direction: 'asc' },
      ],
    };
  }

  private ordered(query: SelectQuery): SelectQuery {
    const { order } = this.frame;
    if (this.groups.length === 0) return query;
    const value = query.select.at(-1);
    if (order === undefined || value === undefined) {
      const time = this.groups.find(
        (group) => group.term.kind === 'time' || group.dimension?.isTime === true,
      );
      const expression = time === undefined ? undefined : query.select[this.groups.indexOf(time)]?.expression;
      return expression === undefined || query.orderBy.length > 0
        ? query
        : { ...query, orderBy: [{ expression, direction: 'asc' }] };
    }
    const tieBreak = query.select[0];
    const orderBy: OrderItem[] = [
      { expression: value.expression, direction: order.direction },
      ...(tieBreak === undefined ? [] : [{ expression: tieBreak.expression, direction: 'asc' as const }]),
    ];
    return { ...query, orderBy, limit: order.limit };
  }
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

/** The query as a CTE with everything it shows. */
function wrap(query: SelectQuery, name: string): SelectQuery {
  const { ctes = [], ...inner } = query;
  const select = query.select.map((item) => ({
    expression: { kind: 'column' as const, table: name, column: item.alias ?? '' },
    alias: item.alias,
  }));
  return {
    kind: 'select',
    ctes: [...ctes, { name, query: inner }],
    distinct: false,
    select,
    from: { table: name },
    joins: [],
    where: [],
    groupBy: [],
    having: [],
    orderBy: [],
  };
}

/** A metric's name as a column name. */
export function aliasOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}
