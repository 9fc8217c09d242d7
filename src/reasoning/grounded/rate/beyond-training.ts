import type { Bound } from '../resolve/bound.ts';
import type { ReadQuestion } from './candidate.ts';

/**
 * Whether a question asks for what the training questions hardly ever do: steps of time, running totals, medians, durations and days of
 * the week, several counts of different rows, what one named row has. What was learned takes such readings for unlikely, whatever they are.
 */
export function isBeyondTraining({ frame, bounds }: Pick<ReadQuestion, 'frame' | 'bounds'>): boolean {
  const [bound] = bounds;
  return (
    frame.running !== undefined || frame.grains.length > 0 || (bound !== undefined && hasRareForm(bound))
  );
}

function hasRareForm({ projections, filters, groups, stated, absences }: Bound): boolean {
  const counted = new Set(projections.flatMap(({ countOf }) => countOf ?? []));
  const isOfRow = filters.some(({ operands }) =>
    operands.some((operand) => operand.kind === 'statistic' && operand.function === undefined),
  );
  return (
    isOfRow ||
    counted.size > 1 ||
    groups.some(({ part }) => part !== undefined) ||
    projections.some(({ percent }) => percent !== undefined) ||
    [...stated, ...absences.flatMap((absence) => absence.stated ?? [])].length > 0
  );
}
