import type { Column } from '../../../catalog/index.ts';
import { splitName } from '../../../language/index.ts';
import type { Frame, OrderSlot } from '../compose/frame/frame.ts';
import { isTableLike } from '../compose/frame/nouns.ts';
import { displayColumns } from '../question/mention/display-columns.ts';
import type { Mention } from '../question/mention/mention.ts';
import { isKey, nearness, rowsPointedTo } from './bind-projection.ts';
import type { BoundOrder, Choice, State } from './bound.ts';
import { isOfLife } from './date-columns.ts';
import {
  attributeChoices,
  columnChoices,
  isMeasure,
  isNumeric,
  isTimeLike,
  isYear,
  onlyMeasures,
  type ResolveContext,
  tableChoices,
} from './noun-candidates.ts';

/** The ways to bind a ranking: by a count, by a named column, or by what the adjective tells (oldest → age). */
export function bindOrder(
  item: OrderSlot,
  frame: Frame,
  context: ResolveContext,
  state: State,
): Choice<BoundOrder>[] {
  const { direction, isSuperlative, mention, aggregate } = item;
  const base = { direction, isSuperlative, mention, aggregate };
  if (item.figure !== undefined)
    return [
      { value: { ...base, isCount: false, figure: item.figure }, tables: item.figure.tables, score: 1 },
    ];
  if (item.isCount) {
    return item.noun === undefined
      ? [{ value: { ...base, isCount: true }, tables: [], score: 0.5 }]
      : byCount(item.noun, base, context);
  }
  const came = byOwnDate(item, context, state);
  if (came.length > 0) return came;
  const told = isSuperlative ? [] : byAttributes(item, context, state);
  if (told.length > 0) return told;
  if (item.noun !== undefined) {
    const fits = isSuperlative ? isMeasure : () => true;
    const { noun } = item;
    const named = columnChoices(noun, context, fits).map(({ column: key, score }): Choice<BoundOrder> => {
      const [name] = (isSuperlative ? undefined : rowsPointedTo(noun, key, context)) ?? [];
      const column = name ?? key;
      const isShown = state.projections.some((shown) => shown.column?.id === column.id);
      return {
        value: {
          ...base,
          isCount: false,
          isTotal: item.isAmount === true && addsUp(column, state, context),
          column,
        },
        tables: name === undefined ? [key.tableId] : [key.tableId, name.tableId],
        score:
          score + nearness(noun, key, frame) + (isShown ? 0.1 : isRowsKey(item, column, context) ? -0.3 : 0),
      };
    });
    const isOfRows = !isSuperlative && isTableLike(item.noun);
    if (named.length > 0 && !isOfRows) return named;
    if (aggregate !== undefined && aggregate !== 'count') return byOnlyMeasure(item.noun, base, context);
    const rows = tableChoices(item.noun).map(({ tableId, score }) => ({
      value: {
        ...base,
        isCount: false,
        column: displayColumns(context.graph.table(tableId), context.displayColumn(tableId))[0],
      },
      tables: [tableId],
      score: score - 0.1,
    }));
    return [...named, ...rows];
  }
  const choices = byAttributes(item, context, state);
  if (choices.length > 0 || !isSuperlative || item.attributes.length > SIZE_ADJECTIVE) return choices;
  // "the largest payment": the one figure that the table holds.
  return onlyMeasures(context).map(({ column, score }) => ({
    value: { ...base, isCount: false, column },
    tables: [column.tableId],
    score,
  }));
}

/** "all artists alphabetically": the rows are sorted by their name, not by a key that is called like them. */
function isRowsKey({ noun, isSuperlative }: OrderSlot, column: Column, context: ResolveContext): boolean {
  return noun !== undefined && !isSuperlative && isTableLike(noun) && isKey(column, context);
}

/** "the most orders": by their number, or by a column that holds one. */
function byCount(
  noun: Mention,
  base: Pick<BoundOrder, 'direction' | 'isSuperlative' | 'mention' | 'aggregate'>,
  context: ResolveContext,
): Choice<BoundOrder>[] {
  const counted: Choice<BoundOrder>[] = tableChoices(noun).map(({ tableId, score }) => ({
    value: { ...base, isCount: true, countOf: tableId },
    tables: [tableId],
    score,
  }));
  const summed: Choice<BoundOrder>[] = columnChoices(
    noun,
    context,
    (column) => isNumeric(column) && !isKey(column, context),
  ).map(({ column, score }) => ({
    value: { ...base, isCount: false, isTotal: true, column },
    tables: [column.tableId],
    score: Math.max(score, isTallied(column, context) ? TALLIED : 0) - (isTableLike(noun) ? 0.15 : 0),
  }));
  const anyColumn: Choice<BoundOrder>[] = columnChoices(noun, context, (column) => !isNumeric(column)).map(
    ({ column, score }) => ({
      value: { ...base, isCount: true, countOf: column.tableId },
      tables: [column.tableId],
      score: score - 0.2,
    }),
  );
  return [...counted, ...summed, ...anyColumn];
}

/** The freight of a shipper's own orders adds up; the horsepower of the cars of a model, two keys away, need not. */
function addsUp(column: Column, { projections: [shown] }: State, { graph }: ResolveContext): boolean {
  const owner = shown?.column?.tableId;
  const isNear =
    owner === column.tableId ||
    graph.edges(column.tableId).some(({ to, multiplies }) => to === owner && !multiplies);
  return isNear && !isTimeLike(column) && !isYear(column);
}

/** "the lowest average rating": the one figure that the table holds, never its key. */
function byOnlyMeasure(
  noun: Mention,
  base: Omit<BoundOrder, 'isCount'>,
  context: ResolveContext,
): Choice<BoundOrder>[] {
  const tables = new Set(tableChoices(noun).map(({ tableId }) => tableId));
  return onlyMeasures(context)
    .filter(({ column }) => tables.has(column.tableId))
    .map(({ column, score }) => ({
      value: { ...base, isCount: false, column },
      tables: [column.tableId],
      score,
    }));
}

/** A row that tells itself how many there are is believed before its neighbours are counted. */
const TALLIED = 1.3;

/** "the party with the most hosts" where a party has a `number_of_hosts`. */
function isTallied({ name, tableId }: Column, { named }: ResolveContext): boolean {
  const isTally = splitName(name).some((word) => /^(?:number|count|total|amount)$/.test(word));
  return isTally && (named.get(tableId) ?? 0) >= 0.85;
}

/** By what the words tell: the oldest has the highest age, or the earliest birth. */
function byAttributes(
  item: OrderSlot,
  context: ResolveContext,
  { projections }: State,
): Choice<BoundOrder>[] {
  const { direction, isSuperlative, mention, aggregate } = item;
  // What adds up is no key: "paid the most" of `payment` is not its number.
  const isSum = aggregate === 'sum';
  const fits = (column: Column): boolean =>
    isSum ? isNumeric(column) && !isKey(column, context) : isMeasure(column);
  // "the name and the daily cost, cheapest first": what is shown is what the rows are sorted by.
  const isShown = (column: Column): boolean => projections.some((shown) => shown.column?.id === column.id);
  const own = isSuperlative
    ? []
    : attributeChoices(item.attributes, context, (column) => fits(column) && isShown(column));
  const told = own.length > 0 ? own : attributeChoices(item.attributes, context, fits);
  return told.map(({ column, score, isReversed }) => ({
    value: {
      isSuperlative,
      mention,
      aggregate,
      isCount: false,
      column,
      direction: isReversed ? opposite(direction) : direction,
    },
    tables: [column.tableId],
    score,
  }));
}

/** "the newest lead", "the oldest order": rows that have no age are as old as their own date says. */
function byOwnDate(
  { attributes, direction, isSuperlative, mention, aggregate, noun }: OrderSlot,
  context: ResolveContext,
  { projections: [shown] }: State,
): Choice<BoundOrder>[] {
  const tableId = shown?.column?.tableId;
  const isOfTime = attributes.includes('date') || attributes.includes('-born');
  if (noun !== undefined || tableId === undefined || !isOfTime) return [];
  const isAged = attributes.includes('-born');
  const own = attributeChoices(isAged ? attributes : ['date', 'time'], context, isMeasure);
  const column = context.ownDate?.(tableId);
  const isTold = own.some(
    (choice) =>
      choice.column.tableId === tableId &&
      choice.column.id !== column?.id &&
      (isAged || !isOfLife(choice.column.name)),
  );
  if (column === undefined || isTold) return [];
  // The oldest is the one that came first.
  const turned = isAged ? opposite(direction) : direction;
  const value = { isSuperlative, mention, aggregate, isCount: false, column, direction: turned };
  return [{ value, tables: [tableId], score: 0.9 }];
}

/** Adjectives of size know few attributes; those of age, length or price know what they speak of. */
const SIZE_ADJECTIVE = 4;

function opposite(direction: 'asc' | 'desc'): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc';
}
