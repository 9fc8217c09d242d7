import { type Comparison, INVERSE_COMPARISON } from '../../../../../sql/print/index.ts';
import type { Bound, BoundFilter } from '../../../resolve/bound.ts';
import { joinTree } from '../../graph/join-tree.ts';
import type { SchemaGraph } from '../../graph/schema-graph.ts';
import { neededTables } from '../parts/plan-view.ts';

/**
 * "students who do not own cats": a student may own a cat and a dog, so no joined row tells. A negated value on
 * the many side becomes an absence. Null when there is none.
 */
export function excludeManySide(bound: Bound, graph: SchemaGraph): Bound | null {
  const isMany = (filter: BoundFilter): boolean => {
    const isTurned = filter.isDenied === true && !filter.isNegated && /^[<>]=?$/.test(filter.operator);
    const isNot = filter.isNegated && /^(?:=|like)/.test(filter.operator);
    if ((!isTurned && !isNot) || filter.column.tableId === bound.subject) return false;
    // "whose investor is not X" speaks of the row that has the column.
    if (filter.isNamed && filter.isDenied !== true) return false;
    const path = joinTree(bound.subject, [filter.column.tableId], graph);
    return path?.edges.some((edge) => edge.multiplies) ?? false;
  };
  const many = bound.filters.filter(isMany);
  if (many.length === 0) return null;
  const filters = bound.filters.filter((filter) => !many.includes(filter));
  const absences = many.map((filter) => ({
    tableId: filter.column.tableId,
    filters: [affirmed(filter)],
    mention: filter.mention,
  }));
  const tables = new Set([bound.subject, ...neededTables({ ...bound, filters })]);
  return { ...bound, filters, absences: [...bound.absences, ...absences], tables };
}

/** The condition as it was before it was denied. */
function affirmed(filter: BoundFilter): BoundFilter {
  const { operator, isNegated } = filter;
  const asSaid = !isNegated && isComparison(operator) ? INVERSE_COMPARISON[operator] : operator;
  return { ...filter, operator: asSaid, isNegated: false, isDenied: false };
}

function isComparison(operator: BoundFilter['operator']): operator is Comparison {
  return Object.hasOwn(INVERSE_COMPARISON, operator);
}

/**
 * "total capacity of stadiums that had concerts": joined, a stadium would count once for each concert. A table on
 * the many side that is not shown, grouped or ranked by becomes "is among the keys of": no row repeats. Null when
 * there is none.
 */
export function semiJoinManySide(bound: Bound, graph: SchemaGraph): Bound | null {
  if (bound.havings.length > 0 || bound.groups.length > 0 || bound.orders.some((order) => order.isCount))
    return null;
  const tree = joinTree(bound.subject, bound.tables, graph);
  const isMany = (tableId: string): boolean =>
    joinTree(bound.subject, [tableId], graph)?.edges.some((edge) => edge.multiplies) ?? false;
  if (tree === null || !tree.edges.some((edge) => edge.multiplies)) return null;
  const shown = new Set([
    bound.subject,
    ...bound.projections.flatMap((item) => item.figure?.tables ?? item.column?.tableId ?? item.countOf ?? []),
    ...bound.stated.filter(isOfHint).flatMap((condition) => condition.tables),
    ...bound.orders.flatMap((order) => order.figure?.tables ?? order.column?.tableId ?? order.countOf ?? []),
  ]);
  if ([...shown].some(isMany)) return null;
  // A table on the way to what must be absent is named by the absence alone.
  const excluded = new Set(
    bound.absences
      .filter((absence) => absence.isPresence !== true)
      .flatMap(
        (absence) => joinTree(bound.subject, [absence.tableId], graph)?.edges.map((edge) => edge.to) ?? [],
      ),
  );
  const missing = new Set(
    bound.absences.filter((absence) => absence.isPresence !== true).map((absence) => absence.tableId),
  );
  // "professionals who did no treatment on dogs": what lies behind the absent rows is absent with them.
  for (const table of bound.tables)
    if (
      !shown.has(table) &&
      joinTree(bound.subject, [table], graph)?.edges.some((edge) => missing.has(edge.to))
    )
      excluded.add(table);
  const many = [...bound.tables]
    .filter(isMany)
    .filter(
      (table) => !excluded.has(table) || bound.filters.some((filter) => filter.column.tableId === table),
    );
  if (many.length === 0 && excluded.size > 0) return withoutTables(bound, excluded);
  const isJoined = bound.filters.some((filter) => filter.connective !== 'and');
  const [only, second] = many;
  // Several such tables may belong to one another; one alone is plain.
  if (only === undefined || isJoined) return null;
  const filters = bound.filters.filter((filter) => !many.includes(filter.column.tableId));
  const moved = bound.filters.filter((filter) => many.includes(filter.column.tableId));
  const stated = bound.stated.filter(({ tables }) => tables.some((table) => many.includes(table)));
  const farthest = second === undefined ? only : farthestFrom(bound.subject, many, graph);
  if (farthest === null) return null;
  const mention = moved[0]?.mention ?? stated[0]?.mention;
  const presence = { tableId: farthest, filters: moved, stated, mention, isPresence: true };
  return {
    ...bound,
    filters,
    stated: bound.stated.filter((condition) => !stated.includes(condition)),
    absences: [...bound.absences, presence],
    tables: new Set([...bound.tables].filter((table) => !many.includes(table))),
  };
}

/** A hint says how its tables are read; a phrase is a condition like any other. */
function isOfHint({ mention }: Bound['stated'][number]): boolean {
  return mention.nouns.length === 0;
}

/** The reading without tables that only an absence speaks of; null when none of them was joined. */
function withoutTables(bound: Bound, excluded: ReadonlySet<string>): Bound | null {
  const needed = new Set(neededTables(bound));
  const tables = new Set([...bound.tables].filter((table) => !excluded.has(table) || needed.has(table)));
  return tables.size === bound.tables.size ? null : { ...bound, tables };
}

/** The table whose path from the subject holds all others; null when they branch. */
function farthestFrom(subject: string, tables: readonly string[], graph: SchemaGraph): string | null {
  const paths = tables.map((tableId) => ({
    tableId,
    edges: joinTree(subject, [tableId], graph)?.edges ?? [],
  }));
  const longest = paths.sort((a, b) => b.edges.length - a.edges.length)[0];
  const onPath = new Set(longest?.edges.map((edge) => edge.to));
  return longest !== undefined && tables.every((table) => onPath.has(table)) ? longest.tableId : null;
}
