import type { Column } from '../../../catalog/catalog.ts';
import type { FilterSlot, Frame, HavingSlot, OrderSlot, Projection } from '../compose/frame.ts';
import { columnScore, isTableLike, tableScore } from '../compose/nouns.ts';
import type { Mention } from '../mention/mention.ts';
import { bindFilter } from './bind-filter.ts';
import type {
  Bound,
  BoundFilter,
  BoundGroup,
  BoundHaving,
  BoundOrder,
  BoundProjection,
  Choice,
} from './bound.ts';
import { displayColumns } from './display-columns.ts';
import {
  attributeChoices,
  columnChoices,
  isMeasure,
  isNumeric,
  type ResolveContext,
  tableChoices,
} from './noun-candidates.ts';

interface State {
  readonly projections: readonly BoundProjection[];
  readonly filters: readonly BoundFilter[];
  readonly groups: readonly BoundGroup[];
  readonly orders: readonly BoundOrder[];
  readonly havings: readonly BoundHaving[];
  readonly absences: Bound['absences'];
  readonly tables: readonly string[];
  readonly score: number;
}

const BEAM = 16;
/** A table nobody named costs this much for each join it is away. */
const JOIN_COST = 0.22;

/** Binds the slots of a frame to tables and columns, best first; at most `count` readings. */
export function resolveFrame(frame: Frame, context: ResolveContext, count: number): Bound[] {
  const start: State = {
    projections: [],
    filters: [],
    groups: [],
    orders: [],
    havings: [],
    absences: [],
    tables: [],
    score: 0,
  };
  let states: State[] = [start];
  const step = <T>(
    choices: (state: State) => Choice<T>[],
    add: (state: State, value: T) => Partial<State>,
  ): void => {
    const next = states.flatMap((state) =>
      choices(state).map((choice) => ({
        ...state,
        ...add(state, choice.value),
        tables: [...new Set([...state.tables, ...choice.tables])],
        score: state.score + choice.score - newTableCost(state.tables, choice.tables, context),
      })),
    );
    states = next.sort((a, b) => b.score - a.score).slice(0, BEAM);
  };
  for (const filter of frame.filters)
    step(
      () => bindFilter(filter, context),
      (state, value) => ({ filters: [...state.filters, value] }),
    );
  for (const item of frame.projections)
    step(
      (state) => bindProjection(item, frame, context, state),
      (state, value) => ({ projections: [...state.projections, ...value] }),
    );
  for (const item of frame.groups)
    step(
      (state) => bindGroup(item, context, state),
      (state, value) => ({ groups: [...state.groups, value] }),
    );
  for (const item of frame.grains)
    step(
      (state) => bindGrain(item, context, state),
      (state, value) => ({ groups: [...state.groups, value] }),
    );
  for (const item of frame.orders)
    step(
      (state) => bindOrder(item, frame, context, state),
      (state, value) => ({ orders: [...state.orders, value] }),
    );
  for (const item of frame.havings)
    step(
      () => bindHaving(item, context),
      (state, value) => ({ havings: [...state.havings, value] }),
    );
  for (const item of frame.absences)
    step(
      () => bindAbsence(item.noun, item.filters, context),
      (state, value) => ({ absences: [...state.absences, { ...value, mention: item.mention }] }),
    );
  return states
    .slice(0, count * 3)
    .flatMap((state) => finish(state, frame, context))
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
}

function newTableCost(before: readonly string[], added: readonly string[], context: ResolveContext): number {
  let cost = 0;
  for (const table of added) {
    if (before.includes(table)) continue;
    const distances = before.map((other) => context.graph.distance(other, table));
    const nearest =
      distances.length === 0 ? 0 : Math.min(...distances.map((distance) => (distance < 0 ? 6 : distance)));
    const named = context.named.get(table) ?? 0;
    cost +=
      nearest * JOIN_COST * (named > 0.8 ? 0.35 : 1) -
      named * 0.3 +
      (named === 0 && before.length > 0 ? 0.1 : 0);
  }
  return cost;
}

function bindProjection(
  item: Projection,
  frame: Frame,
  context: ResolveContext,
  state: State,
): Choice<BoundProjection[]>[] {
  const { aggregate, isDistinct, noun } = item;
  if (noun === undefined) {
    const table = state.tables[0] ?? [...context.named.keys()][0];
    return table === undefined
      ? []
      : [
          {
            value: [{ aggregate: 'count', isDistinct: false, countOf: table, score: 0.5 }],
            tables: [table],
            score: 0.3,
          },
        ];
  }
  const choices: Choice<BoundProjection[]>[] = [];
  const one = (column: Column, score: number): void => {
    choices.push({
      value: [{ aggregate, isDistinct, column, mention: noun, score }],
      tables: [column.tableId],
      score: score + nearness(noun, column, frame),
    });
  };
  if (aggregate === 'count') {
    for (const { tableId, score } of tableChoices(noun))
      choices.push({
        value: [{ aggregate, isDistinct: false, countOf: tableId, mention: noun, score }],
        tables: [tableId],
        score: score + 0.05,
      });
    for (const { column, score } of columnChoices(noun, context, () => true)) one(column, score - 0.05);
    return choices;
  }
  if (aggregate !== undefined) {
    const fits = aggregate === 'min' || aggregate === 'max' ? isMeasure : isNumeric;
    for (const { column, score } of columnChoices(noun, context, fits))
      one(column, score - (isKey(column, context) ? 0.3 : 0));
    return choices;
  }
  for (const { column, score } of columnChoices(noun, context, () => true)) one(column, score);
  for (const { tableId, score } of tableChoices(noun)) {
    const columns = displayColumns(context.graph.table(tableId), context.displayColumn(tableId));
    const value = columns.map((column) => ({ isDistinct, column, mention: noun, score }));
    choices.push({ value, tables: [tableId], score: score - 0.04 });
  }
  return choices;
}

/** A column whose table stands right beside the noun in the question is the likelier one; "its name" looks back. */
function nearness(noun: Mention, column: Column, frame: Frame): number {
  const names = (context: Mention): boolean =>
    context.nouns.some(
      (match) => match.kind === 'table' && match.tableId === column.tableId && match.score > 0.7,
    );
  const contexts = [...frame.contexts, ...frame.groups].filter(names);
  if (noun.isPossessed && contexts.some((context) => context.index < noun.index)) return 0.25;
  const distance = Math.min(9, ...contexts.map((context) => Math.abs(context.index - noun.index)));
  return distance <= 1 ? 0.2 : distance <= 3 ? 0.15 : distance < 9 ? 0.06 : 0;
}

export function isKey(column: Column, context: ResolveContext): boolean {
  const table = context.graph.table(column.tableId);
  return (
    table.primaryKey.includes(column.id) ||
    context.graph.edges(table.id).some((edge) => !edge.multiplies && edge.fromColumns.includes(column.id))
  );
}

function bindGroup(noun: Mention, context: ResolveContext, state: State): Choice<BoundGroup>[] {
  const choices: Choice<BoundGroup>[] = [];
  for (const { tableId, score } of tableChoices(noun))
    choices.push({ value: { tableId, mention: noun }, tables: [tableId], score });
  for (const { column, score } of columnChoices(noun, context, () => true)) {
    const isShown = state.projections.some(
      (item) => item.column?.id === column.id && item.aggregate === undefined,
    );
    choices.push({
      value: { tableId: column.tableId, column, mention: noun },
      tables: [column.tableId],
      score: score + (isShown ? 0.3 : 0) - (tableScore(noun) >= 0.9 && columnScore(noun) < 0.9 ? 0.2 : 0),
    });
  }
  return choices;
}

/** "for each year": the date of a table in use, or of one the question names. */
function bindGrain(
  item: Frame['grains'][number],
  context: ResolveContext,
  state: State,
): Choice<BoundGroup>[] {
  const near = [...new Set([...state.tables, ...context.named.keys()])];
  const { part, mention } = item;
  return near.flatMap((tableId) =>
    context.graph
      .table(tableId)
      .columns.filter((column) => column.family === 'time')
      .map((column) => ({
        value: { tableId, column, part, mention },
        tables: [tableId],
        score: state.tables.includes(tableId) ? 0.7 : 0.4,
      })),
  );
}

function bindOrder(
  item: OrderSlot,
  frame: Frame,
  context: ResolveContext,
  state: State,
): Choice<BoundOrder>[] {
  const { direction, isSuperlative, mention, aggregate } = item;
  const base = { direction, isSuperlative, mention, aggregate };
  if (item.isCount) {
    if (item.noun === undefined) return [{ value: { ...base, isCount: true }, tables: [], score: 0.5 }];
    const counted: Choice<BoundOrder>[] = tableChoices(item.noun).map(({ tableId, score }) => ({
      value: { ...base, isCount: true, countOf: tableId },
      tables: [tableId],
      score,
    }));
    const summed: Choice<BoundOrder>[] = columnChoices(
      item.noun,
      context,
      (column) => isNumeric(column) && !isKey(column, context),
    ).map(({ column, score }) => ({
      value: { ...base, isCount: false, isTotal: true, column },
      tables: [column.tableId],
      score: score - (isTableLike(item.noun ?? mention) ? 0.15 : 0),
    }));
    const anyColumn: Choice<BoundOrder>[] = columnChoices(
      item.noun,
      context,
      (column) => !isNumeric(column),
    ).map(({ column, score }) => ({
      value: { ...base, isCount: true, countOf: column.tableId },
      tables: [column.tableId],
      score: score - 0.2,
    }));
    return [...counted, ...summed, ...anyColumn];
  }
  if (item.noun !== undefined) {
    const fits = isSuperlative ? isMeasure : () => true;
    const named = columnChoices(item.noun, context, fits).map(({ column, score }): Choice<BoundOrder> => {
      const isShown = state.projections.some((shown) => shown.column?.id === column.id);
      return {
        value: { ...base, isCount: false, column },
        tables: [column.tableId],
        score: score + nearness(item.noun ?? mention, column, frame) + (isShown ? 0.1 : 0),
      };
    });
    if (named.length > 0) return named;
    return tableChoices(item.noun).map(({ tableId, score }) => ({
      value: {
        ...base,
        isCount: false,
        column: displayColumns(context.graph.table(tableId), context.displayColumn(tableId))[0],
      },
      tables: [tableId],
      score: score - 0.1,
    }));
  }
  return attributeChoices(item.attributes, context, isMeasure).map(({ column, score, isReversed }) => ({
    value: { ...base, isCount: false, column, direction: isReversed ? opposite(direction) : direction },
    tables: [column.tableId],
    score,
  }));
}

function opposite(direction: 'asc' | 'desc'): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc';
}

function bindHaving(item: HavingSlot, context: ResolveContext): Choice<BoundHaving>[] {
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

function bindAbsence(
  noun: Mention,
  filters: readonly FilterSlot[],
  context: ResolveContext,
): Choice<{ tableId: string; filters: BoundFilter[] }>[] {
  return tableChoices(noun).map(({ tableId, score }) => {
    const bound = filters.flatMap(
      (filter) =>
        bindFilter(filter, context).sort(
          (a, b) => b.score - distanceTo(b, tableId, context) - (a.score - distanceTo(a, tableId, context)),
        )[0]?.value ?? [],
    );
    return {
      value: { tableId, filters: bound },
      tables: [],
      score: bound.length === filters.length ? score : score - 0.5,
    };
  });
}

function distanceTo(choice: Choice<BoundFilter>, tableId: string, context: ResolveContext): number {
  const distance = context.graph.distance(choice.value.column.tableId, tableId);
  return distance < 0 ? 2 : distance * 0.3;
}

/** Adds the tables the question is about and settles which one is the subject. */
function finish(state: State, frame: Frame, context: ResolveContext): Bound[] {
  const first = state.projections[0];
  const named = frame.contexts
    .flatMap((mention) => tableChoices(mention).filter((choice) => choice.score >= 0.85))
    .map((choice) => choice.tableId);
  const subject = first?.countOf ?? first?.column?.tableId ?? state.tables[0] ?? named[0];
  if (subject === undefined || first === undefined) return [];
  const tables = new Set(state.tables);
  // A table that is only named joins in when it is linked: "names of students who have pets".
  for (const table of named)
    if (
      !tables.has(table) &&
      context.graph.distance(subject, table) > 0 &&
      !isCoveredBySame(table, frame, tables)
    )
      tables.add(table);
  for (const group of state.groups) tables.add(group.tableId);
  if ([...tables].some((table) => context.graph.distance(subject, table) < 0)) return [];
  const { projections, filters, groups, orders, havings, absences, score } = state;
  return [{ projections, filters, groups, orders, havings, absences, subject, tables, score }];
}

/** A mention that may name several tables is satisfied by one of them. */
function isCoveredBySame(table: string, frame: Frame, tables: ReadonlySet<string>): boolean {
  return frame.contexts.every((mention) => {
    const choices = tableChoices(mention);
    const own = choices.find((choice) => choice.tableId === table);
    if (own === undefined) return true;
    return (
      choices.some(
        (choice) => choice.tableId !== table && tables.has(choice.tableId) && choice.score >= own.score - 0.1,
      ) || isColumnUsed(mention, own.score, tables)
    );
  });
}

/** The words name a column of a table that is in use anyway: no join is needed for them. */
function isColumnUsed(mention: Mention, score: number, tables: ReadonlySet<string>): boolean {
  return mention.nouns.some(
    (noun) =>
      noun.kind === 'column' &&
      (noun.score > score || (noun.score >= score - 0.05 && tables.has(noun.tableId))),
  );
}
