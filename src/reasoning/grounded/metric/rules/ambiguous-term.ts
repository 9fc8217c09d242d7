import type { Boundary } from '../../../roles/reading.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';

/** Two figures that no "and" joins ("customers signed an order"): which one is meant? */
export function ambiguousTerm(
  question: string,
  frame: MetricFrame,
  mentions: readonly Mention[],
): Boundary | null {
  const [first, second] = frame.metrics;
  if (first === undefined || second === undefined) return null;
  const [from, to] = [first.mention.index, second.mention.index].sort((a, b) => a - b);
  const between = mentions.slice((from ?? 0) + 1, to);
  const isJoined =
    between.length === 0 ||
    between.some(
      (mention) =>
        mention.isComma ||
        /^(?:and|or|growth|both|share)$/.test(mention.cue?.kind ?? '') ||
        /^(?:against|versus|vs|to|with|over)$/i.test(mention.text),
    );
  if (isJoined) return null;
  const phrase = question.slice(first.mention.span.start, second.mention.span.end);
  return {
    kind: 'clarify',
    gap: 'metric',
    phrase,
    ask: `Which figure do you mean by “${phrase}”?`,
    options: [first, second].map(({ metric }) => ({
      label: metric.name,
      question: question.replace(phrase, () => metric.name),
    })),
  };
}
