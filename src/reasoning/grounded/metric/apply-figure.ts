import type { SemanticModel } from '../../../knowledge/index.ts';
import type { AggregateFunction } from '../../../sql/index.ts';
import type { Mention } from '../mention/mention.ts';
import { timeGrain } from '../read/time-grains.ts';
import type { GroupTerm, MetricFrame } from './metric-frame.ts';
import { siblingMetric } from './sibling-metric.ts';

/** Words that may stand between "average" and the figure it is of. */
const BETWEEN: ReadonlySet<string> = new Set(['stop', 'count', 'of']);

/**
 * "the average number of orders per month" makes one figure of the groups; "the average order value" is another metric
 * of the same column; where the model has none, the figure is missing.
 */
export function applyFigure(
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
