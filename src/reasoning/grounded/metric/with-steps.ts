import type { SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import { timeGrain } from '../read/time-grains.ts';
import type { GroupTerm, MetricFrame } from './metric-frame.ts';

const STEPS =
  /\b(week|month|quarter)[ -](?:over|on|to|by)[ -]\1\b|\b(?:previous|prior) (week|month|quarter)\b|\b(week|month|quarter) before\b/i;

/** "month over month" names the steps that are compared: they are the groups, where none is named. */
export function withSteps(
  frame: MetricFrame,
  read: readonly Mention[],
  semantics: SemanticModel,
): MetricFrame {
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
