import type { Column } from '../../../catalog/index.ts';
import { splitName } from '../../../language/index.ts';
import type { Frame, Projection } from '../compose/frame/frame.ts';
import { describesRows, displayColumns } from '../question/mention/display-columns.ts';
import type { Mention } from '../question/mention/mention.ts';
import type { BoundProjection, Choice, State } from './bound.ts';
import { ownership } from './list-owners.ts';
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

/** The ways to bind what is shown: a column, the name of a table's rows, a figure, a count. */
export function bindProjection(
  item: Projection,
  frame: Frame,
  context: ResolveContext,
  state: State,
): Choice<BoundProjection[]>[] {
  const { aggregate, isDistinct, figure, noun, attributes } = item;
  if (figure !== undefined)
    return [{ value: [{ isDistinct, figure, mention: noun, score: 1 }], tables: figure.tables, score: 1 }];
  if (attributes !== undefined && aggregate !== undefined) {
    const told = attributeChoices(attributes, context, isNumeric).map(({ column, score }) => ({
      value: [{ aggregate, isDistinct, column, score }],
      tables: [column.tableId],
      score,
    }));
    return told.length > 0 ? told : countOfNothing(context, state);
  }
  if (attributes !== undefined) return bindAttributes(attributes, context);
  if (noun === undefined) return countOfNothing(context, state);
  if (item.isWhole === true) return bindWholeRows(noun, context);
  if (aggregate === 'count') return bindCount(item, noun, frame, context);
  if (aggregate !== undefined) return bindFigure(item, noun, frame, context);
  const choices: Choice<BoundProjection[]>[] = [];
  const one = (column: Column, score: number): void => {
    choices.push({
      value: [{ isDistinct, column, mention: noun, score }],
      tables: [column.tableId],
      score:
        score +
        nearness(noun, column, frame) +
        belonging(noun, column, context) +
        (isOfCounted(column, frame) ? OF_COUNTED : 0),
    });
  };
  for (const { column, score } of columnChoices(noun, context, () => true)) {
    if (isTitleOfPerson(noun, column, context)) continue;
    const names = rowsPointedTo(noun, column, context);
    if (names !== undefined)
      choices.push(named(names, { noun, isDistinct, column, score: score + nearness(noun, column, frame) }));
    else one(column, score - (standsForRow(noun, column, context) ? ROW_KEY_COST : 0));
  }
  if (/^(?:full )?names?$/i.test(noun.text))
    for (const columns of namesOfRows(noun, frame, context)) {
      const value = columns.map((column) => ({ isDistinct, column, mention: noun, score: ROW_NAME }));
      const [first] = columns;
      if (first !== undefined)
        choices.push({
          value,
          tables: [first.tableId],
          score: ROW_NAME + nearness(noun, first, frame),
        });
    }
  for (const { tableId, score } of tableChoices(noun)) {
    const columns = displayColumns(context.graph.table(tableId), context.displayColumn(tableId));
    const value = columns.map((column) => ({ isDistinct, column, mention: noun, score }));
    choices.push({ value, tables: [tableId], score: score - 0.04 });
  }
  return choices;
}

/** The name of whoever has a first and a last name is no title, such as 'IT Manager'. */
function isTitleOfPerson({ text }: Mention, { name, tableId }: Column, { graph }: ResolveContext): boolean {
  if (!/^(?:full )?names?\b/i.test(text) || !/^title$/i.test(name)) return false;
  return displayColumns(graph.table(tableId)).length === 2;
}

/** A column of the rows that are counted for it. */
const OF_COUNTED = 0.35;

/** "which state has the most addresses": an address has a state, whatever state an order may be in. */
function isOfCounted(column: Column, { orders, havings, projections: [, second] }: Frame): boolean {
  const counted = [
    ...orders.flatMap(({ isCount, noun }) => (isCount && noun !== undefined ? noun : [])),
    ...havings.flatMap(({ aggregate, noun }) => (aggregate === 'count' && noun !== undefined ? noun : [])),
  ];
  return (
    second === undefined &&
    counted.some((noun) =>
      tableChoices(noun).some(({ tableId, score }) => score >= 0.85 && tableId === column.tableId),
    )
  );
}

/** "how many orders", "the number of countries": rows of a table, or what stands in a column. */
function bindCount(
  { isDistinct }: Projection,
  noun: Mention,
  frame: Frame,
  context: ResolveContext,
): Choice<BoundProjection[]>[] {
  const rowsOf = (tableId: string, score: number): BoundProjection[] => [
    { aggregate: 'count', isDistinct: false, countOf: tableId, mention: noun, score },
  ];
  const rows = tableChoices(noun).map(({ tableId, score }) => ({
    value: rowsOf(tableId, score),
    tables: [tableId],
    score: score + 0.05,
  }));
  const columns = columnChoices(noun, context, () => true).map(({ column, score }) => {
    const { tableId } = column;
    if (standsForRows(noun, column, context))
      return { value: rowsOf(tableId, score), tables: [tableId], score };
    const overall = frame.overall === 'avg' ? 'avg' : 'sum';
    const aggregate = isDistinct || !isTally(column, context) ? 'count' : overall;
    const near = nearness(noun, column, frame) + belonging(noun, column, context);
    const own = score - 0.05;
    const value = [{ aggregate, isDistinct, column, mention: noun, score: own } satisfies BoundProjection];
    return { value, tables: [tableId], score: own + near };
  });
  return [...rows, ...columns];
}

/** "everything about genres": every column of the table that is called so. */
function bindWholeRows(noun: Mention, context: ResolveContext): Choice<BoundProjection[]>[] {
  return tableChoices(noun)
    .filter(({ tableId }) => namesRow(noun, tableId, context))
    .map(({ tableId, score }) => ({
      value: context.graph
        .table(tableId)
        .columns.map((column) => ({ isDistinct: false, column, mention: noun, score })),
      tables: [tableId],
      score,
    }));
}

/** "everything about Ana": she is a row where her name stands in the column that tells rows apart; Brazil is no row of customers. */
function namesRow({ values }: Mention, tableId: string, context: ResolveContext): boolean {
  const own = values.filter((value) => value.tableId === tableId);
  if (own.length === 0) return true;
  const shown = displayColumns(context.graph.table(tableId), context.displayColumn(tableId)).map(
    ({ id }) => id,
  );
  return own.some(({ columnId }) => shown.includes(columnId));
}

/** What a list is "of" has the columns of the list. */
function belonging(noun: Mention, column: Column, { owners, graph }: ResolveContext): number {
  switch (ownership(noun, column, owners, graph)) {
    case 'own':
      return 0.1;
    case 'own, but not its key':
      return -0.1;
    case 'strange':
      return -0.3;
    case 'points to it':
    case undefined:
      return 0;
  }
}

/** A figure of a column, of the one figure that a table holds, or, where it has none, of its rows. */
function bindFigure(
  { aggregate, percent, isDistinct }: Projection,
  noun: Mention,
  frame: Frame,
  context: ResolveContext,
): Choice<BoundProjection[]>[] {
  const choices: Choice<BoundProjection[]>[] = [];
  const one = (column: Column, score: number): void => {
    choices.push({
      value: [{ aggregate, percent, isDistinct, column, mention: noun, score }],
      tables: [column.tableId],
      score: score + nearness(noun, column, frame),
    });
  };
  const fits = aggregate === 'min' || aggregate === 'max' ? isMeasure : isNumeric;
  for (const { column, score } of columnChoices(noun, context, fits))
    one(column, score - (isKey(column, context) ? 0.3 : 0));
  if (choices.length === 0 && fits === isMeasure)
    for (const { column, score } of columnChoices(noun, context, () => true)) one(column, score - 0.2);
  // "the average payment": the one figure that the table holds.
  const tables = new Set(tableChoices(noun).map((choice) => choice.tableId));
  if (choices.length === 0)
    for (const { column, score } of onlyMeasures(context)) if (tables.has(column.tableId)) one(column, score);
  // "the total atoms": what has no figure is counted.
  if (choices.length === 0 && aggregate === 'sum')
    for (const { tableId, score } of tableChoices(noun))
      choices.push({
        value: [{ aggregate: 'count', isDistinct: false, countOf: tableId, mention: noun, score }],
        tables: [tableId],
        score: score - 0.1,
      });
  return choices;
}

/** A column whose table stands right beside the noun in the question is the likelier one; "its name" looks back. */
export function nearness(noun: Mention, column: Column, frame: Frame): number {
  const names = (context: Mention): boolean =>
    context.nouns.some(
      (match) => match.kind === 'table' && match.tableId === column.tableId && match.score > 0.7,
    );
  const shown = frame.projections.flatMap((item) => item.noun ?? []);
  const contexts = [
    ...[...frame.contexts, ...frame.groups].filter(names),
    ...shown.filter((other) => other !== noun && namesOwner(other, column.tableId)),
  ];
  if (noun.isPossessed && contexts.some((context) => context.index < noun.index))
    return contexts.includes(frame.contexts[0] ?? noun) ? 0.3 : 0.2;
  const distance = Math.min(9, ...contexts.map((context) => Math.abs(context.index - noun.index)));
  return distance <= 1 ? 0.2 : distance <= 3 ? 0.15 : distance < 9 ? 0.06 : 0;
}

/** A bare count is of the rows of the table in use. */
function countOfNothing(context: ResolveContext, state: State): Choice<BoundProjection[]>[] {
  const table = state.tables[0] ?? [...context.named.keys()][0];
  if (table === undefined) return [];
  const value: BoundProjection[] = [{ aggregate: 'count', isDistinct: false, countOf: table, score: 0.5 }];
  return [{ value, tables: [table], score: 0.3 }];
}

/** "when", "how old": the columns that tell it. */
function bindAttributes(attributes: readonly string[], context: ResolveContext): Choice<BoundProjection[]>[] {
  const isMoment = attributes.includes('date');
  const dates = isMoment
    ? [...context.named].flatMap(([tableId, named]) =>
        context.graph
          .table(tableId)
          .columns.filter(isTimeLike)
          .map((column) => ({ column, score: 0.6 + 0.3 * named })),
      )
    : [];
  const told = attributeChoices(
    attributes,
    context,
    isMoment ? isTimeLike : (column) => isTold(column, attributes, context),
  );
  return [...told, ...dates].map(({ column, score }) => {
    const names = isMoment ? undefined : namesBehind(column, context);
    return names === undefined || names.length === 0
      ? { value: [{ isDistinct: false, column, score }], tables: [column.tableId], score }
      : named(names, { isDistinct: false, column, score });
  });
}

/** "where" is no number, such as the `place` of a winner, unless it points to a row that has a name. */
function isTold(column: Column, attributes: readonly string[], context: ResolveContext): boolean {
  if (!attributes.includes('location') || column.family !== 'number') return true;
  return (namesBehind(column, context)?.length ?? 0) > 0;
}

/** "where" of a city is its name, whichever key of it is called like the attribute. */
function namesBehind(column: Column, context: ResolveContext): readonly Column[] | undefined {
  const { graph, displayColumn } = context;
  const table = graph.table(column.tableId);
  const isOwnKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.id;
  if (!isOwnKey) return rowsPointedTo(undefined, column, context);
  return displayColumns(table, displayColumn(table.id)).filter(({ family }) => family === 'text');
}

/** The names of the rows that a key points to; the table of the key is needed to come to them. */
function named(
  names: readonly Column[],
  key: {
    readonly noun?: Mention;
    readonly isDistinct: boolean;
    readonly column: Column;
    readonly score: number;
  },
): Choice<BoundProjection[]> {
  const { noun: mention, isDistinct, column, score } = key;
  const tables = [column.tableId, ...names.slice(0, 1).map(({ tableId }) => tableId)];
  return { value: names.map((shown) => ({ isDistinct, column: shown, mention, score })), tables, score };
}

const ROW_KEY_COST = 0.25;

/** "which airlines": a foreign key that is called like the table it points to only stands for the row. */
function standsForRow(noun: Mention, column: Column, context: ResolveContext): boolean {
  if (/\b(?:ids?|codes?|numbers?)$/i.test(noun.text)) return false;
  return tableChoices(noun).some(
    ({ tableId, score }) =>
      score >= 0.85 &&
      context.graph
        .edges(column.tableId)
        .some((edge) => !edge.multiplies && edge.to === tableId && edge.fromColumns.includes(column.id)),
  );
}

/** "how many orders": the column `order_details` is called like the orders that are counted, which may share it. */
function standsForRows({ text }: Mention, column: Column, { graph }: ResolveContext): boolean {
  return !/detail|descri/i.test(text) && describesRows(column, graph.table(column.tableId));
}

/** A row's name that is not called so is a little less sure. */
const ROW_NAME = 0.86;

/** "the names of the courses" where a course has a title, "full names" where there are first and last names. */
function namesOfRows(noun: Mention, frame: Frame, context: ResolveContext): (readonly Column[])[] {
  const isFull = /^full/i.test(noun.text);
  const owners = frame.contexts.filter((owner) => Math.abs(owner.index - noun.index) <= NEAR);
  const ofList = context.owners?.get(noun.index);
  const tables =
    ofList !== undefined
      ? [...ofList]
      : owners.length === 0
        ? [...context.named.keys()]
        : owners.flatMap((owner) => tableChoices(owner).map((choice) => choice.tableId));
  return [...new Set(tables)].flatMap((tableId) => {
    const isCalledSo = noun.nouns.some(
      ({ id, kind, ...match }) =>
        match.tableId === tableId &&
        match.score >= ROW_NAME &&
        !(kind === 'column' && isTitleOfPerson(noun, context.graph.column(id), context)),
    );
    if ((context.named.get(tableId) ?? 0) < 0.85 || (isCalledSo && !isFull)) return [];
    const columns = displayColumns(context.graph.table(tableId), context.displayColumn(tableId));
    return columns.some((column) => column.family === 'text') ? [columns] : [];
  });
}

/** "the names of all the courses": so near stands what the names are of. */
const NEAR = 4;

/** "how many seats", "the number of rooms": a column that holds the numbers is added up, not counted. */
function isTally(column: Column, context: ResolveContext): boolean {
  return (
    isNumeric(column) &&
    (column.family === 'number' || /count|num|total|quantity|amount/i.test(column.name)) &&
    !isKey(column, context) &&
    !isYear(column) &&
    column.profile?.semanticClass !== 'key'
  );
}

/** "the id and the name of the document": the words of one column name the table of both. */
function namesOwner({ nouns: [best], from, to }: Mention, tableId: string): boolean {
  return best?.kind === 'column' && best.tableId === tableId && to - from > 1 && best.score === OWNED_NAME;
}

/** The score of a column's name together with its table's. */
const OWNED_NAME = 0.97;

/** Part of a primary or foreign key: it names a row, it measures nothing. */
export function isKey(column: Column, context: ResolveContext): boolean {
  const table = context.graph.table(column.tableId);
  return (
    table.primaryKey.includes(column.id) ||
    context.graph.edges(table.id).some((edge) => !edge.multiplies && edge.fromColumns.includes(column.id))
  );
}

/**
 * "customers" where only `master_customer_id` of a linking table is called so: a number tells nobody who they are, so the rows
 * that it points to are shown by their name. Undefined where the key itself is asked for, the rows have no name, or two keys lead there.
 */
export function rowsPointedTo(
  noun: Mention | undefined,
  column: Column,
  { graph, displayColumn }: ResolveContext,
): readonly Column[] | undefined {
  if (noun !== undefined && KEY.test(noun.text)) return undefined;
  if (column.family !== 'number' || splitName(column.name).at(-1) !== 'id') return undefined;
  const edges = graph.edges(column.tableId).filter(({ multiplies }) => !multiplies);
  const own = edges.find(({ fromColumns: [first, second] }) => first === column.id && second === undefined);
  if (own === undefined || own.to === column.tableId) return undefined;
  // Where the rows have a table of that name, it is a reading of its own.
  const isNamed =
    noun !== undefined &&
    tableChoices(noun).some(({ tableId, score }) => tableId === own.to && score >= NAMED);
  if (isNamed) return undefined;
  if (edges.some((edge) => edge !== own && edge.to === own.to)) return undefined;
  const names = displayColumns(graph.table(own.to), displayColumn(own.to));
  return names.every(({ family }) => family === 'text') ? names : undefined;
}

/** Tables named worse than this may be meant or not. */
const NAMED = 0.85;
const KEY = /\b(?:ids?|codes?|numbers?|keys?|identifiers?|nos?)\b/i;
