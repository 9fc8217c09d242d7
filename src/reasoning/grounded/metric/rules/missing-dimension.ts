import type { Boundary } from '../../../reading.ts';
import type { GroundedKnowledge } from '../../knowledge.ts';
import type { MetricFrame } from '../metric-frame.ts';
import { nearestTo } from './nearest-to.ts';

/** Words to split or narrow by that nothing explains; a grouping goes first. */
export function missingDimension(frame: MetricFrame, { semantics }: GroundedKnowledge): Boundary | null {
  const unknown = ['group', 'filter'].flatMap((place) =>
    frame.unknown.filter((term) => term.place === place),
  )[0];
  if (unknown === undefined) return null;
  const names = semantics.dimensions.map((dimension) => dimension.name);
  const message =
    unknown.place === 'group'
      ? `There is no dimension “${unknown.text}” to split by.`
      : `Nothing here is called “${unknown.text}”, so it cannot narrow the question.`;
  return {
    kind: 'reject',
    reason: 'dimension',
    missing: unknown.text,
    message,
    nearest: nearestTo(unknown.text, names),
  };
}
