import type { SemanticModel } from '../../../../knowledge/semantic/index.ts';
import type { AggregateFunction } from '../../../../sql/print/index.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { timeGrain } from '../../question/read/calendar.ts';
import type { FilterTerm, GroupTerm, MetricFrame, UnknownTerm } from '../frame/metric-frame.ts';
import { siblingMetric } from '../frame/metric-words.ts';
import {
  comparesOnly,
  countsGroups,
  hidesValue,
  isOwnColumn,
  namesGroupsOnly,
  ranksPerGroup,
  sharesInPercent,
} from './finish-metric-frame.ts';

/** What single words of structure told, before the whole question is looked at. */
export type FoundWords = Partial<MetricFrame> & {
  /** "average", "maximum": a figure asked for of another. */
  readonly figure?: { readonly function: AggregateFunction; readonly mention: Mention };
};

/** The words of a metric question, read one by one. */
export interface MetricWords {
  readonly metrics: MetricFrame['metrics'];
  readonly groups: readonly GroupTerm[];
  readonly filters: readonly FilterTerm[];
  readonly unknown: readonly UnknownTerm[];
  readonly roles: readonly string[];
  readonly found: FoundWords;
  /** "the three dealers with …" */
  readonly countBefore: number | undefined;
}

/** Words that set two values against each other. */
const CONTRAST =
  /^(?:above|below|than|more than|less than|higher than|lower than|versus|vs|compared (?:to|with)|difference between|against|exceed(?:s|ed)?|surpass(?:ed)?|ahead of|behind)$/i;

const VERSUS = /^(?:versus|vs|compared (?:to|with))$/i;
const DIFFERENCE = /^(?:differences?|difference between|by how much|how much (?:more|less|higher|lower))$/i;

/** Settles what only the whole question tells; `read` are the mentions that were read. */
export function completeMetricFrame(
  words: MetricWords,
  read: readonly Mention[],
  semantics: SemanticModel,
): MetricFrame {
  const { metrics, groups, roles, countBefore } = words;
  const filters = narrowOneFigure(words.filters, metrics, read, semantics);
  const { figure, ...said } = words.found;
  const found =
    said.order?.limit === 1 && countBefore !== undefined
      ? { ...said, order: { ...said.order, limit: countBefore } }
      : said;
  const windows = read.flatMap((mention) => mention.time ?? []);
  const isBeside = comparesOnly(read);
  const frame: MetricFrame = {
    metrics,
    groups,
    filters,
    windows,
    unknown: words.unknown.filter((term) => !isOwnColumn(term, metrics)),
    roles,
    isContrast: read.some((mention) => CONTRAST.test(mention.text)),
    isVersus: read.some(({ text }) => VERSUS.test(text)) && !read.some(({ text }) => DIFFERENCE.test(text)),
    isShare: false,
    isPercent: read.some((mention) => /percent|%|^points?$/i.test(mention.text)),
    showsRanks: read.some(({ text }) => /^(?:ranks?|rankings?)$/i.test(text)),
    countsGroups: false,
    isPerGroup: ranksPerGroup(found.order?.limit, groups),
    hidesValue:
      namesGroupsOnly(read, { groups, having: found.having, growth: found.growth, order: found.order }) ||
      hidesValue(read, found.order !== undefined || found.having !== undefined, groups),
    isBeside,
    ...found,
    ...(isBeside && windows.length === 2 && { growth: undefined }),
  };
  const stepped = withSteps(frame, read, semantics);
  const shared = sharesInPercent(stepped, read) ? { ...stepped, isShare: true } : stepped;
  const counted = countsGroups(shared, read) ? { ...shared, summary: 'count' as const } : shared;
  return figure === undefined ? counted : applyFigure(counted, figure, read, semantics);
}

const STEPS =
  /\b(week|month|quarter)[ -](?:over|on|to|by)[ -]\1\b|\b(?:previous|prior) (week|month|quarter)\b|\b(week|month|quarter) before\b/i;

/** "month over month" names the steps that are compared: they are the groups, where none is named. */
function withSteps(frame: MetricFrame, read: readonly Mention[], semantics: SemanticModel): MetricFrame {
  if (frame.growth !== 'previous' || frame.groups.length > 0) return frame;
  const mention = read.find(({ text, cue }) => cue?.kind === 'growth' && STEPS.test(text));
  const [, repeated, previous, before] = STEPS.exec(mention?.text ?? '') ?? [];
  const part = timeGrain(repeated ?? previous ?? before ?? '');
  if (mention === undefined || part === undefined) return frame;
  const candidates = semantics.dimensions.filter(({ name, isTime }) => isTime && name === part);
  const group: GroupTerm =
    candidates.length > 0
      ? { kind: 'dimension', candidates, mention, isEach: true }
      : { kind: 'time', part, mention, isEach: true };
  return { ...frame, groups: [group] };
}

/**
 * "shipments, late rate (of those delivered) and average price in USD": of several figures a value narrows only the one before it where it
 * stands in brackets behind it, or where that figure alone must be told for one such value.
 */
function narrowOneFigure(
  filters: readonly FilterTerm[],
  metrics: MetricFrame['metrics'],
  mentions: readonly Mention[],
  semantics: SemanticModel,
): readonly FilterTerm[] {
  if (metrics.length < 2) return filters;
  return filters.map((filter) => {
    const before = metrics.filter(({ mention }) => mention.index < filter.mention.index);
    const last = before.sort((a, b) => b.mention.index - a.mention.index)[0];
    if (last === undefined) return filter;
    const between = mentions.filter(
      ({ index }) => index > last.mention.index && index < filter.mention.index,
    );
    const isBracketed = between.some(({ text }) => text === '(') && !between.some(({ text }) => text === ')');
    const columns = new Set((filter.values[0] ?? []).map(({ columnId }) => columnId));
    const names = semantics.dimensions.filter(({ column }) => columns.has(column)).map(({ name }) => name);
    const demands = ({ metric }: MetricFrame['metrics'][number]): boolean =>
      metric.mandatoryDimensions.some((name) => names.includes(name));
    const isItsOwn =
      before.length === metrics.length && demands(last) && metrics.filter(demands).length === 1;
    return isBracketed || isItsOwn ? { ...filter, onlyOf: last.metric.name } : filter;
  });
}

/** Words that may stand between "average" and the figure it is of. */
const BETWEEN: ReadonlySet<string> = new Set(['stop', 'count', 'of']);

/**
 * "the average number of orders per month" makes one figure of the groups; "the average order value" is another metric
 * of the same column; where the model has none, the figure is missing.
 */
function applyFigure(
  frame: MetricFrame,
  figure: { readonly function: AggregateFunction; readonly mention: Mention },
  read: readonly Mention[],
  semantics: SemanticModel,
): MetricFrame {
  const [only, second] = frame.metrics;
  if (only === undefined || second !== undefined || frame.having?.isAverage === true) return frame;
  const { metric, mention } = only;
  if (metric.ratio !== undefined || /^\s*avg\s*\(/i.test(metric.expression ?? '')) return frame;
  const steps = frame.groups.filter(isStep).map((group) => group.mention);
  if (!isOf(figure.mention, mention, read, steps)) return frame;
  const sibling = siblingMetric(metric, figure.function, semantics);
  if (frame.groups.length > 0 && frame.groups.every(isStep))
    return { ...frame, summary: figure.function, hidesValue: false };
  if (sibling !== undefined) return { ...frame, metrics: [{ metric: sibling, mention }] };
  const text = `${figure.mention.text} ${metric.name}`;
  return { ...frame, unknown: [...frame.unknown, { text, place: 'metric', mention: figure.mention }] };
}

/** "per dealer", "monthly": steps that figures are taken of. */
function isStep(group: GroupTerm): boolean {
  return group.isEach || group.kind === 'time' || group.candidates[0]?.isTime === true;
}

/** Only filler and grains of time stand between; "on average" may stand anywhere. */
function isOf(
  figure: Mention,
  metric: Mention,
  read: readonly Mention[],
  steps: readonly Mention[],
): boolean {
  if (/^on /i.test(figure.text)) return true;
  const between = read.filter(({ index }) => index > figure.index && index < metric.index);
  return (
    figure.index < metric.index &&
    between.every(
      (mention) =>
        BETWEEN.has(mention.cue?.kind ?? '') ||
        timeGrain(mention.text) !== undefined ||
        steps.includes(mention),
    )
  );
}
