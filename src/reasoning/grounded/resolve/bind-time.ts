import type { Column } from '../../../catalog/index.ts';
import type { FilterSlot } from '../compose/frame/frame.ts';
import type { BoundFilter, BoundOperand, Choice } from './bound.ts';
import {
  columnChoices,
  countsYears,
  isTimeLike,
  isYear,
  type ResolveContext,
  tableChoices,
} from './noun-candidates.ts';

/** "rentals in August by store": the period is that of the rentals, whatever dates a store has. */
const SUBJECT_TIME = 0.15;

/** Of several dates, the one on which the row came to be. */
const OWN_TIME = 0.1;

/** The ways to bind a period: a date or year that is named, one of a named table, or any. */
export function bindTime(slot: FilterSlot, context: ResolveContext): Choice<BoundFilter>[] {
  const windows = slot.operands.flatMap((operand) => operand.mention.time ?? []);
  const bindTo = (column: Column, score: number): Choice<BoundFilter>[] => {
    const operands = windows.map((window): BoundOperand => {
      if (!countsYears(column)) return { kind: 'range', from: window.from, until: window.until };
      return window.year !== undefined && window.from !== undefined && window.until !== undefined
        ? { kind: 'literal', value: column.family === 'text' ? String(window.year) : window.year }
        : { kind: 'range', from: window.from, until: window.until };
    });
    return [filterChoice(slot, column, operands, score)];
  };
  const isWhen = (column: Column): boolean => isTimeLike(column) || countsYears(column);
  const named = slot.noun === undefined ? [] : columnChoices(slot.noun, context, isWhen);
  if (named.length > 0) return named.flatMap(({ column, score }) => bindTo(column, score));
  const done = slot.owner === undefined ? [] : tableChoices(slot.owner);
  const happened = done.flatMap(({ tableId }) => context.ownDate?.(tableId) ?? []);
  if (slot.noun === undefined && happened.length > 0)
    return happened.flatMap((column) => bindTo(column, 0.9 + coversWindow(column, windows[0]?.year)));
  const byTable = [...context.named].flatMap(([tableId, score]) =>
    timeColumns(tableId, context).map((column) => ({
      column,
      score:
        0.5 +
        score * 0.3 +
        (context.subjects?.has(tableId) ? SUBJECT_TIME : 0) +
        (context.ownDate?.(tableId)?.id === column.id ? OWN_TIME : 0),
    })),
  );
  const anywhere =
    byTable.length > 0
      ? byTable
      : context.graph.catalog.tables.flatMap((table) =>
          timeColumns(table.id, context).map((column) => ({ column, score: 0.35 })),
        );
  return anywhere
    .flatMap(({ column, score }) =>
      bindTo(
        column,
        score +
          (isYear(column) && windows[0]?.year !== undefined ? 0.1 : 0) +
          coversWindow(column, windows[0]?.year),
      ),
    )
    .slice(0, 8);
}

function timeColumns(tableId: string, context: ResolveContext): Column[] {
  return context.graph.table(tableId).columns.filter(isTimeLike);
}

function coversWindow(column: Column, year: number | undefined): number {
  const { min, max } = column.profile ?? {};
  if (year === undefined || min === undefined || max === undefined) return 0;
  return String(min).slice(0, 4) <= String(year) && String(max).slice(0, 4) >= String(year) ? 0.1 : -0.15;
}

/** A way to bind a condition to a column. */
export function filterChoice(
  slot: FilterSlot,
  column: Column,
  operands: readonly BoundOperand[],
  score: number,
  operator = slot.operator,
): Choice<BoundFilter> {
  const { isNegated, isDenied, isAll, connective, mention } = slot;
  const isNamed = slot.noun !== undefined;
  return {
    value: { column, operator, operands, isNegated, isDenied, isAll, connective, isNamed, mention, score },
    tables: [column.tableId],
    score,
  };
}
