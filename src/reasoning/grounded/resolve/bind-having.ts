import type { FilterSlot, HavingSlot } from '../compose/frame.ts';
import type { Mention } from '../mention/mention.ts';
import { nearestFilter } from './bind-filter.ts';
import type { BoundFilter, BoundHaving, Choice } from './bound.ts';
import { columnChoices, isNumeric, type ResolveContext, tableChoices } from './noun-candidates.ts';

/** The ways to bind a condition on a group: a count of rows, or a figure of a column. */
export function bindHaving(item: HavingSlot, context: ResolveContext): Choice<BoundHaving>[] {
  const { aggregate, operator, number, mention, noun } = item;
  const base = { aggregate, operator, number, mention };
  if (noun === undefined) return [{ value: base, tables: [], score: 0.3 }];
  if (aggregate === 'count') {
    const tables: Choice<BoundHaving>[] = tableChoices(noun).map(({ tableId, score }) => ({
      value: { ...base, countOf: tableId },
      tables: [tableId],
      score,
    }));
    const columns: Choice<BoundHaving>[] = columnChoices(noun, context, () => true).map(
      ({ column, score }) => ({
        value: { ...base, countOf: column.tableId },
        tables: [column.tableId],
        score: score - 0.15,
      }),
    );
    return [...tables, ...columns];
  }
  return columnChoices(noun, context, isNumeric).map(({ column, score }) => ({
    value: { ...base, column },
    tables: [column.tableId],
    score,
  }));
}

/** The ways to bind "without any X": the table, and the conditions that belong to it. */
export function bindAbsence(
  noun: Mention,
  filters: readonly FilterSlot[],
  context: ResolveContext,
): Choice<{ tableId: string; filters: BoundFilter[] }>[] {
  return tableChoices(noun).map(({ tableId, score }) => {
    const bound = filters.flatMap((filter) => nearestFilter(filter, tableId, context) ?? []);
    return {
      value: { tableId, filters: bound },
      tables: [],
      score: bound.length === filters.length ? score : score - 0.5,
    };
  });
}
