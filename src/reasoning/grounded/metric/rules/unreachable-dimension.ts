import type { Metric } from '../../../../knowledge/index.ts';
import type { Boundary } from '../../../reading.ts';
import type { GroundedKnowledge } from '../../knowledge.ts';
import type { MetricFrame } from '../metric-frame.ts';
import { routeTo } from '../metric-route.ts';

/** A dimension that is known, and that no key of the metric's rows leads to. */
export function unreachableDimension(
  metric: Metric,
  phrase: string,
  dimension: string,
  parts: readonly Metric[],
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
): Boundary {
  const possible = knowledge.semantics.dimensions.filter((item) =>
    parts.every((part) => routeTo(part, item.table, item, frame.roles, knowledge) !== null),
  );
  return {
    kind: 'reject',
    reason: 'dimension',
    cause: 'not-linked',
    missing: dimension,
    message: `I cannot tell “${metric.name}” by ${dimension}: I know no key that leads from its rows to “${phrase}”.`,
    nearest: possible.slice(0, 6).map((item) => item.name),
  };
}
