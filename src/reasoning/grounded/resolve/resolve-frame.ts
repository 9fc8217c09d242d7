import type { Column } from '../../../catalog/index.ts';
import { isParticiple } from '../../../language/index.ts';
import type { Frame } from '../compose/frame/frame.ts';
import { columnScore, tableScore } from '../compose/frame/nouns.ts';
import { joinTree } from '../query/graph/join-tree.ts';
import type { Mention } from '../question/mention/mention.ts';
import { timeGrain } from '../question/read/calendar.ts';
import { bindFilter } from './bind-filter.ts';
import { bindAbsence, bindHaving, bindPresence } from './bind-having.ts';
import { bindOrder } from './bind-order.ts';
import { bindProjection } from './bind-projection.ts';
import type { Bound, BoundFilter, BoundGroup, BoundOperand, Choice, State } from './bound.ts';
import { columnChoices, isTimeLike, isYear, type ResolveContext, tableChoices } from './noun-candidates.ts';

const BEAM = 16;
/** A table nobody named costs this much for each join it is away. */
const JOIN_COST = 0.22;

const NOTHING: State = {
  projections: [],
  filters: [],
  groups: [],
  orders: [],
  havings: [],
  absences: [],
  tables: [],
  score: 0,
};

/** Binds the slots of a frame to tables and columns, best first; at most `count` readings. */
export function resolveFrame(frame: Frame, context: ResolveContext, count: number): Bound[] {
  // A phrase names its table as other words do, so that the table is no reason to speak of another one.
  const stated = new Set(
    frame.stated.flatMap(({ mention, tables }) => (mention.nouns.length === 0 ? tables : [])),
  );
  let states: State[] = [{ ...NOTHING, tables: [...stated] }];
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
      (state) => bindGroup(item, frame, context, state),
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
  for (const item of frame.grains)
    step(
      (state) => bindGrain(item, frame, context, state),
      (state, value) => ({ groups: [...state.groups, value] }),
    );
  for (const item of [...frame.absences, ...frame.presences])
    step<Bound['absences'][number]>(
      (state) => ('filters' in item ? bindAbsence(item, context, state) : bindPresence(item, context, state)),
      withAbsence,
    );
  const bounds = states
    .slice(0, count * 3)
    .flatMap((state) => finish(state, frame, context))
    .sort((a, b) => b.score - a.score);
  // Where the date that is meant cannot be compared, the date of something else is no answer either.
  const [best] = bounds;
  if (best !== undefined && comparesWrittenDates(best)) return [];
  return bounds.filter((bound) => !comparesWrittenDates(bound)).slice(0, count);
}

/** "employees without a certificate who earn over 1000": what is said of the subject's own columns is said of the subject. */
function withAbsence(state: State, absence: Bound['absences'][number]): Partial<State> {
  const [shown] = state.projections;
  const subject = shown?.countOf ?? shown?.column?.tableId;
  const isOfSubject = ({ column }: BoundFilter): boolean =>
    column.tableId === subject && absence.tableId !== subject;
  const own = absence.filters.filter(isOfSubject);
  const filters = absence.filters.filter((filter) => !isOfSubject(filter));
  return {
    filters: [...state.filters, ...own],
    absences: [...state.absences, own.length === 0 ? absence : { ...absence, filters }],
  };
}

function newTableCost(before: readonly string[], added: readonly string[], context: ResolveContext): number {
  let cost = 0;
  for (const table of added) {
    if (before.includes(table)) continue;
    const distances = before.map((other) => context.graph.distance(other, table));
    const nearest =
      distances.length === 0 ? 0 : Math.min(...distances.map((distance) => (distance < 0 ? 6 : distance)));
    const named = context.named.get(table) ?? 0;
    // "orders" are rows of `Orders` where that is in the query already, not of "Order Details".
    const isNamedBetter = before.some((other) => (context.named.get(other) ?? 0) > named);
    // A view repeats what its tables hold; it is taken when it is named itself.
    if (context.graph.table(table).kind === 'view' && named < 0.96) cost += 0.5;
    cost +=
      nearest * JOIN_COST * (named > 0.8 ? 0.35 : 1) -
      (isNamedBetter ? 0 : named * 0.3) +
      (named === 0 && before.length > 0 ? 0.1 : 0);
  }
  return cost;
}

/** Adds the tables the question is about and settles which one is the subject. */
function finish(state: State, frame: Frame, context: ResolveContext): Bound[] {
  const first = state.projections[0];
  const named = frame.contexts
    .filter((mention) => !isIdleVerb(mention, state, context))
    .flatMap((mention) => tableChoices(mention).filter((choice) => choice.score >= 0.85))
    .map((choice) => choice.tableId);
  const subject =
    first?.countOf ?? first?.column?.tableId ?? state.orders[0]?.countOf ?? state.tables[0] ?? named[0];
  if (subject === undefined || (first === undefined && state.groups.length === 0)) return [];
  const tables = new Set([...state.tables, ...frame.stated.flatMap((condition) => condition.tables)]);
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
  if ((tables.size === 1 && countsRowsAlone(state, context)) || isTurnedAround(state, context)) return [];
  if (listsMeasures(state, context)) return [];
  const { projections, filters, groups, orders, havings, absences, score } = state;
  const { stated } = frame;
  return [{ projections, filters, groups, orders, havings, absences, stated, subject, tables, score }];
}

/** "machines repaired by Ana": the table of repairs that a key of the assignments points to adds nothing to what was done. */
function isIdleVerb({ text, nouns: [best] }: Mention, { tables }: State, { graph }: ResolveContext): boolean {
  if (best?.kind !== 'table' || !/^\w+(?:ed|en|wn)$/i.test(text) || tables.includes(best.tableId))
    return false;
  const [root, ...others] = tables;
  const way = root === undefined || others.length === 0 ? null : joinTree(root, tables, graph);
  const onWay = new Set([root, ...(way?.edges.map(({ to }) => to) ?? [])]);
  return (
    way !== null &&
    !onWay.has(best.tableId) &&
    graph.edges(best.tableId).every(({ to, multiplies }) => !onWay.has(to) || multiplies)
  );
}

/** "price per month": each price beside its month is no answer, and which figure of them is meant is not said. */
function listsMeasures({ projections, groups }: State, { graph }: ResolveContext): boolean {
  const keys = (tableId: string): ReadonlySet<string> =>
    new Set([
      ...graph.table(tableId).primaryKey,
      ...graph.edges(tableId).flatMap((edge) => edge.fromColumns),
    ]);
  return (
    groups.some(({ part }) => part !== undefined) &&
    projections.some(
      ({ column, aggregate }) =>
        column?.family === 'number' &&
        aggregate === undefined &&
        /DOUBLE|FLOAT|REAL|DEC|NUMERIC/i.test(column.type) &&
        !keys(column.tableId).has(column.id) &&
        !groups.some((group) => group.column?.id === column.id),
    )
  );
}

/** "who spent the most": rows that are told apart count once each, so that none has most of them. */
function countsRowsAlone({ orders, projections }: State, { graph }: ResolveContext): boolean {
  const counting = orders.find(
    ({ isCount, countOf, mention: { cue } }) =>
      isCount && countOf === undefined && cue?.kind === 'superlative',
  );
  const { cue } = counting?.mention ?? {};
  if (cue?.kind !== 'superlative') return false;
  const isOfValues = cue.attributes[0] === '*';
  return projections.some(({ column, aggregate, mention }) => {
    if (column === undefined || aggregate !== undefined) return false;
    const { primaryKey, rowCount } = graph.table(column.tableId);
    if (primaryKey.length === 1 && primaryKey[0] === column.id) return true;
    // "the most common first name" counts those who bear it, "the most common procedure" no rows of procedures.
    if (isOfValues && (mention === undefined || !namesTable(mention))) return false;
    return rowCount > 20 && (column.profile?.distinctCount ?? 0) >= 0.9 * rowCount;
  });
}

/** The words are the name of a table, and of no column. */
function namesTable({ nouns }: Mention): boolean {
  return nouns[0]?.kind === 'table' && !nouns.some(({ kind, score }) => kind === 'column' && score >= 0.85);
}

/** "which customers referred 3 others": the key `referred_by` of those who were referred has no names, and those who were not share none. */
function isTurnedAround({ projections, orders, havings }: State, { graph }: ResolveContext): boolean {
  const isCounted = havings.length > 0 || orders.some(({ isCount }) => isCount);
  return (
    isCounted &&
    projections.some(({ column, aggregate, mention }) => {
      if (column === undefined || aggregate !== undefined || !/ed$/i.test(mention?.text ?? '')) return false;
      const keys = graph.edges(column.tableId).filter(({ fromColumns }) => fromColumns.includes(column.id));
      const isUnknownKey = keys.length === 0 && column.family === 'number' && /by$/i.test(column.name);
      return isUnknownKey || keys.some(({ from, to }) => from === to);
    })
  );
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

/** "29/08/2015", "November 4, 2001", "5 Jun 2014": kept as a text that neither sorts nor compares as a date does. */
function writesDates({ family, profile }: Column): boolean {
  const examples = (profile?.examples ?? []).filter((one) => one.trim() !== '');
  if (family === 'number' || examples.length === 0) return false;
  return examples.filter((one) => WRITTEN_DATE.test(one.trim())).length > examples.length / 2;
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const WRITTEN_DATE = new RegExp(
  `^(?:\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4}|(?:\\d{1,2}(?:st|nd|rd|th)?[ -])?${MONTH}[.,]?[ -]\\d{1,4})(?!\\d)`,
  'i',
);

/** A range of days, or a year alone. */
function isPeriod(operand: BoundOperand): boolean {
  return operand.kind === 'range' || (operand.kind === 'literal' && /^\d{4}$/.test(String(operand.value)));
}

/** A period, a step of time or an end of an order is looked for in such a text: the rows would be wrong, or none. */
function comparesWrittenDates({ filters, groups, orders, absences }: Bound): boolean {
  const conditions = [...filters, ...absences.flatMap((absence) => absence.filters)];
  return (
    conditions.some(({ column, operands }) => operands.some(isPeriod) && writesDates(column)) ||
    groups.some(({ column, part }) => part !== undefined && column !== undefined && writesDates(column)) ||
    orders.some(({ column, isCount }) => !isCount && column !== undefined && writesDates(column))
  );
}

/** The ways to bind a grouping: the rows of a table, or the values of a column. */
function bindGroup(noun: Mention, frame: Frame, context: ResolveContext, state: State): Choice<BoundGroup>[] {
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
  const part = timeGrain(noun.text);
  const isNear = ({ tables: [table = ''] }: Choice<BoundGroup>): boolean =>
    state.tables.every((other) => context.graph.distance(other, table) >= 0);
  // "per month", where only a table that nothing joins has a column called so.
  if (part !== undefined && state.tables.length > 0 && !choices.some(isNear))
    choices.push(...bindGrain({ part, mention: noun }, frame, context, state));
  return choices;
}

/** "for each year": the date of a table in use, or of one the question names. */
function bindGrain(
  item: Frame['grains'][number],
  frame: Frame,
  context: ResolveContext,
  state: State,
): Choice<BoundGroup>[] {
  const done = dateOfVerb(frame);
  const near = [...new Set([...state.tables, ...context.named.keys()])];
  const { part, mention } = item;
  return near.flatMap((tableId) =>
    context.graph
      .table(tableId)
      .columns.filter((column) => isTimeLike(column) && !isYear(column))
      .map((column) => ({
        value: { tableId, column, part, mention },
        tables: [tableId],
        score: (state.tables.includes(tableId) ? 0.7 : 0.4) + (done.has(column.id) ? DONE_THEN : 0),
      })),
  );
}

const DONE_THEN = 0.25;

/** "in which month were the most employees hired": the verb says which of the dates is meant. */
function dateOfVerb({ contexts }: Frame): ReadonlySet<string> {
  return new Set(
    contexts
      .filter(({ text }) => isParticiple(text.toLowerCase()))
      .flatMap(({ nouns }) => nouns.flatMap(({ kind, id }) => (kind === 'column' ? id : []))),
  );
}
