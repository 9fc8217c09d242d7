import type { UnreadWords } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';
import { nearestTo } from './undefined-metric.ts';

/** Words to split or narrow by that nothing explains; a grouping goes first. */
export function missingDimension(frame: MetricFrame, { semantics }: GroundedKnowledge): UnreadWords | null {
  const unknown = ['group', 'filter'].flatMap((place) =>
    frame.unknown.filter((term) => term.place === place),
  )[0];
  if (unknown === undefined) return null;
  const names = semantics.dimensions.map((dimension) => dimension.name);
  return {
    kind: 'unread',
    reason: 'dimension',
    use: unknown.place === 'group' ? 'split' : 'narrow',
    phrases: [unknown.text],
    suggested: nearestTo(unknown.text, names),
  };
}
