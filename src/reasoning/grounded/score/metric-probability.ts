import type { Mention } from '../mention/mention.ts';
import type { BoundMetric } from '../metric/bind-metric.ts';
import type { MetricFrame } from '../metric/metric-frame.ts';

/**
 * Probability in [0, 1] that a reading in the words of the semantic model is right: full names of metrics,
 * dimensions and values weigh for it; words left over, inexact names and shapes of several steps against it.
 */
export function metricProbability(
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  mentions: readonly Mention[],
): number {
  const leftOver = mentions.filter((mention) => mention.isUnknown).length;
  const [first] = bounds;
  const nameScores = frame.metrics.map(
    ({ mention }) => mention.nouns.find((noun) => noun.kind === 'metric')?.score ?? 0.8,
  );
  const valueScores = (first?.filters ?? []).map((filter) =>
    Math.min(1, filter.term.mention.values.find((value) => value.columnId === filter.columnId)?.score ?? 0.8),
  );
  const inexact = [...nameScores, ...valueScores].reduce((sum, score) => sum + (1 - score), 0);
  const steps = [
    frame.isShare,
    frame.showsRanks,
    frame.growth !== undefined,
    frame.isPerGroup,
    frame.having?.isAverage === true,
    bounds.length > 1,
  ].filter(Boolean).length;
  const logit = 3 - 0.6 * leftOver - 2.5 * inexact - 0.5 * steps - 0.15 * (first?.filters.length ?? 0);
  return 1 / (1 + Math.exp(-logit));
}
