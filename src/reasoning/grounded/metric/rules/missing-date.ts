import type { SeenBoundary } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { dateCalled, datesOf } from '../../resolve/date-columns.ts';
import type { BoundMetric } from '../bind/bind-metric.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';

/**
 * A period for a figure that has no date: dropping it would answer another question. Its table may have dates all the same; where a
 * verb names one of them ("bought in 2020"), names of tables may read what the metric could not.
 */
export function missingDate(
  bound: BoundMetric,
  frame: MetricFrame,
  mentions: readonly Mention[],
  knowledge: GroundedKnowledge,
): SeenBoundary | null {
  const [window] = frame.windows;
  // A rate keeps the period on the part that has a date.
  const dateless = bound.parts.every((part) => part.timeColumn === undefined) ? bound.parts[0] : undefined;
  if (window === undefined || dateless === undefined) return null;
  const { table, name } = dateless;
  const dates = table === undefined ? [] : datesOf(table, knowledge);
  const ids = dates.map(({ id }) => id);
  const isCalled = mentions.some(
    ({ text, cue }) =>
      cue === undefined && table !== undefined && dateCalled(text, table, knowledge) !== undefined,
  );
  if (isCalled)
    return { kind: 'unread', reason: 'dimension', use: 'narrow', phrases: [window.label], suggested: ids };
  const isUnsaid = dates.length > 0;
  return {
    kind: 'reject',
    reason: 'dimension',
    cause: 'no-date',
    missing: window.label,
    message: isUnsaid
      ? `I do not know which date the figure “${name}” goes by, so I cannot tell it for “${window.label}”: its rows have ${ids.join(', ')}.`
      : `I know of no date for “${name}”, so I cannot tell it for “${window.label}”.`,
    nearest: isUnsaid ? ids : [`${name} as of now`],
  };
}
