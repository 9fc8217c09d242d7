import type { SemanticModel } from '../../../../knowledge/semantic/index.ts';
import type { AggregateFunction } from '../../../../sql/print/index.ts';
import type { Dialogue, Turn } from '../../question/dialogue/turn.ts';
import type { TimeWindow } from '../../question/read/find-times.ts';
import type { Token } from '../../question/read/tokenise.ts';
import type { FilterTerm, GroupTerm, MetricFrame, MetricOrder } from '../frame/metric-frame.ts';
import { findHints } from '../frame/metric-hints.ts';
import { siblingMetric } from '../frame/metric-words.ts';
import { parseMetricFrame } from './parse-metric-frame.ts';

/** The frame of a metric question after every turn that goes on from it. */
export function parseMetricDialogue(
  { base, turns }: Dialogue,
  tokens: readonly Token[],
  mentions: Parameters<typeof parseMetricFrame>[0],
  semantics: SemanticModel,
): MetricFrame {
  const first = findHints(tokens.slice(0, base.at(-1)?.to), semantics);
  const { roles } = findHints(tokens, semantics);
  const start = parseMetricFrame(base, semantics, { ...first, roles });
  if (start.metrics.length === 0) return start;
  return turns.reduce((frame, turn) => {
    const from = { from: turn.lead, metrics: frame.metrics, groups: frame.groups };
    const own = parseMetricFrame(mentions.slice(0, turn.until), semantics, { roles }, from);
    return editMetricFrame(frame, own, turn, (metric, figure) => siblingMetric(metric, figure, semantics));
  }, start);
}

/** A metric of the same rows that makes another figure of the same column, where the semantic model has one. */
type SiblingMetric = (
  metric: MetricFrame['metrics'][number]['metric'],
  figure: AggregateFunction,
) => MetricFrame['metrics'][number]['metric'] | undefined;

/** The frame of a metric question as a turn changes it; `own` is what the words of the turn say alone. */
function editMetricFrame(
  base: MetricFrame,
  own: MetricFrame,
  turn: Turn,
  sibling: SiblingMetric,
): MetricFrame {
  const groups = editGroups(base, own, turn);
  const order = editOrder(base, own, groups);
  const edited: MetricFrame = {
    ...base,
    metrics: editMetrics(base, own, turn),
    groups,
    filters: editFilters(base.filters, own.filters, turn),
    windows: editWindows(base, own, turn),
    unknown: [...base.unknown, ...own.unknown],
    order,
    // What is done to the groups shows them again.
    summary: own.groups.length > 0 || own.order !== undefined ? undefined : base.summary,
    having: own.having ?? base.having,
    growth: own.growth ?? base.growth,
    isShare: base.isShare || own.isShare,
    isPercent: base.isPercent || own.isPercent,
    isContrast: base.isContrast || own.isContrast,
    comparesPeriods: own.comparesPeriods ?? base.comparesPeriods,
    isPerGroup:
      order?.limit !== undefined &&
      groups.some((group) => group.isEach) &&
      groups.some((group) => !group.isEach),
  };
  const isBeside = own.isBeside === true && edited.windows.length === 2;
  return answering(isBeside ? { ...edited, growth: undefined } : edited, turn, sibling);
}

function editMetrics(base: MetricFrame, own: MetricFrame, turn: Turn): MetricFrame['metrics'] {
  if (own.metrics.length === 0) return base.metrics;
  // "sort by revenue" needs the figure beside the one that is there.
  const isSorting = own.order !== undefined && turn.manner === 'change' && !turn.isProjecting;
  return turn.manner === 'add' || isSorting ? [...base.metrics, ...own.metrics] : own.metrics;
}

/** A grain takes the place of the grain before it; a dimension is a further split, unless it is to replace. */
function editGroups(base: MetricFrame, own: MetricFrame, turn: Turn): MetricFrame['groups'] {
  if (own.groups.length === 0) return base.groups;
  if (turn.manner === 'replace') return own.groups;
  const isGrained = own.groups.some(isTime);
  const kept = base.groups.filter(
    (group) => !(isGrained && isTime(group)) && !own.groups.some((other) => isSameGroup(other, group)),
  );
  return [...kept, ...own.groups];
}

function isTime(group: GroupTerm): boolean {
  return group.kind === 'time' || group.candidates[0]?.isTime === true;
}

function isSameGroup(a: GroupTerm, b: GroupTerm): boolean {
  if (a.kind === 'time' || b.kind === 'time') return a.kind === b.kind;
  return a.candidates[0]?.name === b.candidates[0]?.name;
}

/** A value takes the place of another value of its column; "also Carrow" is set beside it. */
function editFilters(
  base: readonly FilterTerm[],
  own: readonly FilterTerm[],
  turn: Turn,
): readonly FilterTerm[] {
  const filters = [...base];
  for (const filter of own) {
    const place = filters.findIndex(
      (other) =>
        other.isNegated === filter.isNegated && columnsOf(other).some((id) => columnsOf(filter).includes(id)),
    );
    const rival = filters[place];
    if (rival === undefined) filters.push(filter);
    else if (turn.manner === 'add' || filter.isNegated)
      filters[place] = { ...filter, values: [...rival.values, ...filter.values] };
    else filters[place] = { ...filter, named: filter.named.length > 0 ? filter.named : rival.named };
  }
  return filters;
}

/** Columns a filter may speak of, as likely as its best one. */
function columnsOf({ values }: FilterTerm): string[] {
  const [first = []] = values;
  const best = Math.max(0, ...first.map((value) => value.score));
  return first.filter((value) => value.score >= best - 0.05).map((value) => value.columnId);
}

/** "compared to 2023" sets a period beside the one before it; any other takes its place. */
function editWindows(base: MetricFrame, own: MetricFrame, turn: Turn): readonly TimeWindow[] {
  if (own.windows.length === 0) return base.windows;
  const isBeside = turn.manner === 'add' || own.growth !== undefined || own.isBeside === true;
  return isBeside ? [...base.windows, ...own.windows] : own.windows.map((window) => inYearOf(base, window));
}

/** "only March" is of the year before it. */
function inYearOf({ windows: [before, second] }: MetricFrame, window: TimeWindow): TimeWindow {
  const { from, until, isYearTaken } = window;
  if (isYearTaken !== true || before?.from === undefined || second !== undefined || from === undefined)
    return window;
  const years = Number(before.from.slice(0, 4)) - Number(from.slice(0, 4));
  const moved = (day: string): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
  return {
    ...window,
    from: moved(from),
    ...(until !== undefined && { until: moved(until) }),
    label: `${window.label} ${before.from.slice(0, 4)}`,
    isYearTaken: false,
  };
}

/** "first 3", "top 5 only": how many of the order that stands; "sort by name" leaves how many as it is. */
function editOrder(
  base: MetricFrame,
  own: MetricFrame,
  groups: MetricFrame['groups'],
): MetricOrder | undefined {
  if (own.order === undefined) return base.order;
  if (own.order.mention.cue?.kind === 'direction' && own.order.by === undefined && base.order !== undefined)
    return { ...base.order, direction: own.order.direction };
  if (!/^first$/i.test(own.order.mention.text))
    return { ...own.order, limit: own.order.limit ?? base.order?.limit };
  if (base.order !== undefined) return { ...base.order, limit: own.order.limit ?? 1 };
  return { ...own.order, direction: 'asc', by: groups[0], limit: own.order.limit ?? 1 };
}

/** "and the average?", "how many are there?": a figure of what was found instead of its rows. */
function answering(frame: MetricFrame, turn: Turn, sibling: SiblingMetric): MetricFrame {
  const { asks } = turn;
  const { order: _order, ...unordered } = frame;
  const isSplit = frame.groups.length > 0;
  if (asks === undefined) return frame;
  if (asks === 'count') return isSplit ? { ...unordered, summary: asks } : frame;
  if (asks === 'rows')
    return isSplit
      ? { ...frame, countsGroups: false, summary: undefined, hidesValue: true }
      : lacking(frame, (name) => `list of ${name}`);
  if (isSplit) return { ...unordered, summary: asks };
  const siblings = frame.metrics.flatMap(({ metric, mention }) => {
    const other = sibling(metric, asks);
    return other === undefined ? [] : [{ metric: other, mention }];
  });
  return siblings.length === frame.metrics.length
    ? { ...frame, metrics: siblings }
    : lacking(frame, (name) => `${FIGURES[asks]} of ${name}`);
}

const FIGURES: Readonly<Record<AggregateFunction, string>> = {
  count: 'number',
  sum: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
};

/** The semantic model has no such figure; the frame says what is missing, and the boundary refuses it. */
function lacking(frame: MetricFrame, naming: (metric: string) => string): MetricFrame {
  const missing = frame.metrics.map(({ metric, mention }) => ({
    text: naming(metric.name),
    place: 'metric' as const,
    mention,
  }));
  return { ...frame, unknown: [...frame.unknown, ...missing] };
}
