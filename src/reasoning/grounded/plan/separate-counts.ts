import type { Bound, BoundAbsence } from '../resolve/bound.ts';
import { neededTables } from './needed-tables.ts';

/**
 * "at least 3 albums or more than 20 tracks": joined, each row would be counted for the other too, and a condition on a group cannot
 * stand beside one on a row with "or". Each count becomes a condition of its own. Null when one join can tell; 'unreadable' when no
 * query of ours can.
 */
export function separateCounts(bound: Bound): Bound | 'unreadable' | null {
  const { havings, filters } = bound;
  const isAlternative =
    havings.some(({ connective }) => connective === 'or') ||
    filters.some(({ connective }, at) => connective === 'or' && isFirstBehind(bound, at));
  const counted = new Set(havings.flatMap(({ countOf }) => countOf ?? []));
  if (havings.length === 0 || (!isAlternative && counted.size < 2)) return null;
  const isPlain =
    bound.groups.length === 0 &&
    bound.orders.every((order) => !order.isCount) &&
    bound.projections.every(
      ({ aggregate, countOf }) => aggregate === undefined || countOf === bound.subject,
    ) &&
    havings.every(
      ({ aggregate, countOf }) => aggregate === 'count' && countOf !== undefined && countOf !== bound.subject,
    );
  if (!isPlain) return isAlternative ? 'unreadable' : null;
  const counts = havings.flatMap(({ countOf, operator, number, connective, mention }): BoundAbsence[] =>
    countOf === undefined
      ? []
      : [
          {
            tableId: countOf,
            filters: [],
            isPresence: true,
            having: { operator, number },
            connective,
            mention,
          },
        ],
  );
  const rest: Bound = { ...bound, havings: [] };
  return {
    ...rest,
    absences: [...bound.absences, ...counts],
    tables: new Set([bound.subject, ...neededTables(rest)]),
  };
}

/** Between the filter and what it is an alternative to stands a count, and no other filter. */
function isFirstBehind({ filters, havings }: Bound, at: number): boolean {
  const index = filters[at]?.mention.index ?? 0;
  const before = filters[at - 1]?.mention.index ?? -1;
  return havings.some(({ mention }) => mention.index > before && mention.index < index);
}
