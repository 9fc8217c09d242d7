import type { Boundary } from '../../../reading.ts';
import type { BoundMetric } from '../bind-metric.ts';
import type { MetricFrame } from '../metric-frame.ts';

/** A period for a figure that has no date: dropping it would answer another question. */
export function missingDate(bound: BoundMetric, frame: MetricFrame): Boundary | null {
  const [window] = frame.windows;
  // A rate keeps the period on the part that has a date.
  const dateless = bound.parts.every((part) => part.timeColumn === undefined) ? bound.parts[0] : undefined;
  if (window === undefined || dateless === undefined) return null;
  return {
    kind: 'reject',
    reason: 'dimension',
    cause: 'no-date',
    missing: window.label,
    message: `No date is defined for “${dateless.name}”, so it cannot be told for “${window.label}”.`,
    nearest: [`${dateless.name} as of now`],
  };
}
