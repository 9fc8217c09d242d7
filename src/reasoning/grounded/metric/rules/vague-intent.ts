import type { Metric } from '../../../../knowledge/semantic/index.ts';
import type { Boundary } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';

/** "which dealer was the best": a ranking, and the only figure named is the thing that is ranked. */
export function vagueIntent(
  question: string,
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
): Boundary | null {
  const [only, second] = frame.metrics;
  const { order } = frame;
  if (only === undefined || second !== undefined || order === undefined || frame.groups.length > 0)
    return null;
  const isThing =
    only.mention.nouns.some((noun) => noun.kind === 'dimension' && noun.score >= 0.85) ||
    countsThings(only.metric, order.mention);
  if (!isThing) return null;
  const base = question.replace(/[?.!\s]+$/, '');
  const names = knowledge.semantics.metrics
    .filter((metric) => metric.name !== only.metric.name && metric.ratio === undefined)
    .slice(0, 5);
  return {
    kind: 'clarify',
    gap: 'intent',
    phrase: order.mention.text,
    ask: `“${order.mention.text}” by which figure?`,
    options: names.map((metric) => ({ label: metric.name, question: `${base} by ${metric.name}` })),
  };
}

/** "the top customer": things that are counted and have no date; "the oldest customer" says by what. */
function countsThings({ expression, timeColumn }: Metric, { cue, text }: Mention): boolean {
  const isCount = /^\s*count\s*\(/i.test(expression ?? '');
  const isOpen = /^(?:top|best|biggest|largest|greatest|worst|leading|strongest)/i.test(text);
  return isCount && timeColumn === undefined && cue?.kind === 'superlative' && isOpen;
}
