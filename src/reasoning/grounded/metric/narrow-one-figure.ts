import type { SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { FilterTerm, MetricFrame } from './metric-frame.ts';

/**
 * "shipments, late rate (of those delivered) and average price in USD": of several figures a value narrows only the one before it where it
 * stands in brackets behind it, or where that figure alone must be told for one such value.
 */
export function narrowOneFigure(
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
