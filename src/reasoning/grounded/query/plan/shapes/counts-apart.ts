import type { Expression, SelectQuery } from '../../../../../sql/print/index.ts';
import type { Bound, BoundAbsence } from '../../../resolve/bound.ts';
import { ALWAYS, BARE, neededTables } from '../parts/plan-view.ts';

/**
 * "how many artists and how many albums": joined, each would be counted for the other. Each count is made for itself. 'unreadable' where
 * no such query can tell; null where not several tables are counted.
 */
export function countsApart(bound: Bound): readonly Bound[] | 'unreadable' | null {
  const { projections, filters, groups, havings, orders, absences, stated } = bound;
  const counted = projections.flatMap(({ countOf }) => countOf ?? []);
  if (new Set(counted).size < 2) return null;
  const isPlain = counted.length === projections.length && new Set(counted).size === counted.length;
  const isMore = groups.length + havings.length + orders.length + absences.length + stated.length > 0;
  // "customers and employees in Canada": what holds of one table says nothing of the other.
  const isOneSided = filters.some(({ column }) => counted.includes(column.tableId));
  if (!isPlain || isMore || isOneSided) return 'unreadable';
  return projections.map((projection, at) => {
    const alone = { ...bound, projections: [projection], subject: counted[at] ?? bound.subject };
    return { ...alone, tables: new Set([alone.subject, ...neededTables(alone)]) };
  });
}

/** Figures of one row each, in one row. */
export function besideEachOther(figures: readonly SelectQuery[]): SelectQuery {
  const parts = figures.map((query, at) => ({
    name: `count_${at + 1}`,
    query: { ...query, select: query.select.map((item) => ({ ...item, alias: 'value' })) },
  }));
  const value = (table: string): Expression => ({ kind: 'column', table, column: 'value' });
  const [first, ...others] = parts.map(({ name }) => name);
  return {
    ...BARE,
    ctes: parts,
    select: parts.map(({ name }) => ({ expression: value(name) })),
    from: { table: first ?? '' },
    joins: others.map((table) => ({ kind: 'inner' as const, table: { table }, on: ALWAYS })),
  };
}

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
