import type { SemanticModel } from '../../../knowledge/index.ts';
import { findHints } from '../metric/find-hints.ts';
import type { MetricFrame } from '../metric/metric-frame.ts';
import { parseMetricFrame } from '../metric/parse-metric-frame.ts';
import { siblingMetric } from '../metric/sibling-metric.ts';
import type { Token } from '../read/tokenise.ts';
import { editMetricFrame } from './edit-metric-frame.ts';
import type { Dialogue } from './turn.ts';

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
