import type { Expression, SelectQuery } from '../../../sql/index.ts';
import type { Bound } from '../resolve/bound.ts';
import { ALWAYS, BARE } from './bare-query.ts';
import { neededTables } from './needed-tables.ts';

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
