import type { Column } from '../../../../../catalog/index.ts';
import type { AggregateFunction } from '../../../../../sql/print/index.ts';
import { displayColumns } from '../../../question/mention/display-columns.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import type { BoundProjection } from '../../../resolve/bound.ts';
import { columnChoices, isNumeric, tableChoices } from '../../../resolve/noun-candidates.ts';
import { type Change, type Draft, type Revision, type RevisionView, replaceAt } from './draft.ts';

const MOST_COLUMNS = 3;
/** Nouns below it are guesses. */
const NAMED = 0.6;

/** What is shown: other columns, more, fewer, other figures. */
export const PROJECTION_REVISIONS: readonly Revision[] = [
  { name: 'show another column of these words', revise: otherColumn },
  { name: 'show the name of the row', revise: rowName },
  { name: 'show the key of the row', revise: rowKey },
  { name: 'show the whole row', revise: wholeRow },
  { name: 'show also', revise: alsoShown },
  { name: 'show also the count', revise: alsoCount },
  { name: 'show also what is ordered by', revise: alsoOrder },
  { name: 'show less', revise: lessShown },
  { name: 'show the rows, not a figure', revise: withoutFigure },
  { name: 'count the rows', revise: countRows },
  { name: 'count different ones', revise: countDifferent },
  { name: 'another figure', revise: otherFigure },
];

type Shown = readonly BoundProjection[];

function show(projections: Shown): Change {
  return { bound: { projections } };
}

function plain(column: Column, mention?: Mention, score = 0.7): BoundProjection {
  return { isDistinct: false, column, mention, score };
}

function otherColumn({ bound: { projections } }: Draft, { context }: RevisionView): Change[] {
  return projections.flatMap((item, place) => {
    const { mention, column } = item;
    if (mention === undefined || column === undefined) return [];
    return columnChoices(mention, context, (other) => other.id !== column.id)
      .filter(({ score }) => score >= NAMED)
      .slice(0, MOST_COLUMNS)
      .map((choice) => show(replaceAt(projections, place, { ...item, ...choice })));
  });
}

function rowName({ bound: { projections } }: Draft, { context }: RevisionView): Change[] {
  return projections.flatMap((item, place) => {
    const table = item.aggregate === undefined ? item.column?.tableId : undefined;
    if (table === undefined) return [];
    const names = displayColumns(context.graph.table(table), context.displayColumn(table));
    if (names.some(({ id }) => id === item.column?.id)) return [];
    return [
      show(replaceAt(projections, place, ...names.map((column) => plain(column, item.mention, item.score)))),
    ];
  });
}

function rowKey({ bound: { projections } }: Draft, { context }: RevisionView): Change[] {
  return projections.flatMap((item, place) => {
    const table = item.aggregate === undefined ? item.column?.tableId : undefined;
    const [key, second] = table === undefined ? [] : context.graph.table(table).primaryKey;
    if (key === undefined || second !== undefined || key === item.column?.id) return [];
    return [show(replaceAt(projections, place, plain(context.graph.column(key), item.mention, item.score)))];
  });
}

function wholeRow({ bound: { projections, subject } }: Draft, { context }: RevisionView): Change[] {
  if (projections.some((item) => item.aggregate !== undefined)) return [];
  const { columns } = context.graph.table(subject);
  return [show(columns.map((column) => plain(column, projections[0]?.mention)))];
}

/** A column that the question names and the draft does not show. */
function alsoShown({ bound: { projections } }: Draft, view: RevisionView): Change[] {
  const shown = new Set(projections.map(({ mention }) => mention?.index));
  const isShown = (id: string): boolean =>
    projections.some(({ column, aggregate }) => column?.id === id && aggregate === undefined);
  return view.mentions
    .filter((mention) => !shown.has(mention.index))
    .flatMap((mention) => columnsOf(mention, view).map((column) => ({ mention, column })))
    .filter(({ column }) => !isShown(column.id))
    .slice(0, 8)
    .flatMap(({ column, mention }) => [
      show([...projections, plain(column, mention)]),
      ...(projections.length === 1 ? [show([plain(column, mention)])] : []),
    ]);
}

/** The columns that words name, or those that name the rows of the table that they name. */
function columnsOf(mention: Mention, { context }: RevisionView): Column[] {
  const columns = columnChoices(mention, context, () => true)
    .filter(({ score }) => score >= NAMED)
    .slice(0, 2)
    .map(({ column }) => column);
  const [table] = tableChoices(mention);
  if (table === undefined || table.score < 0.85) return columns;
  return [
    ...columns,
    ...displayColumns(context.graph.table(table.tableId), context.displayColumn(table.tableId)).slice(0, 1),
  ];
}

function alsoCount({ bound: { projections, subject } }: Draft): Change[] {
  if (projections.some(({ aggregate }) => aggregate === 'count')) return [];
  const count: BoundProjection = { aggregate: 'count', isDistinct: false, countOf: subject, score: 0.5 };
  return [{ bound: { projections: [...projections, count], subject } }];
}

function alsoOrder({ bound: { projections, orders, subject } }: Draft): Change[] {
  const [order] = orders;
  if (order?.column === undefined) return [];
  const item: BoundProjection = {
    isDistinct: false,
    column: order.column,
    mention: order.mention,
    score: 0.7,
    ...(order.aggregate === undefined ? {} : { aggregate: order.aggregate }),
  };
  const isShown = projections.some(
    ({ column, aggregate }) => column?.id === item.column?.id && aggregate === item.aggregate,
  );
  return isShown ? [] : [{ bound: { projections: [...projections, item], subject } }];
}

function lessShown({ bound: { projections } }: Draft): Change[] {
  if (projections.length < 2 || projections.length > 6) return [];
  return projections.map((_, place) => show(replaceAt(projections, place)));
}

function withoutFigure({ bound: { projections } }: Draft, { context }: RevisionView): Change[] {
  return projections.flatMap((item, place) => {
    if (item.aggregate === undefined) return [];
    const { countOf, column, mention } = item;
    const columns =
      column !== undefined
        ? [column]
        : countOf === undefined
          ? []
          : displayColumns(context.graph.table(countOf), context.displayColumn(countOf));
    return columns.length === 0
      ? []
      : [show(replaceAt(projections, place, ...columns.map((each) => plain(each, mention))))];
  });
}

function countRows({ bound: { projections, subject } }: Draft): Change[] {
  return projections.flatMap((item, place) => {
    if (item.figure !== undefined || (item.aggregate === 'count' && item.column === undefined)) return [];
    const countOf = item.column?.tableId ?? subject;
    const count: BoundProjection = { aggregate: 'count', isDistinct: false, countOf, score: item.score };
    return [
      show(
        replaceAt(
          projections,
          place,
          item.mention === undefined ? count : { ...count, mention: item.mention },
        ),
      ),
    ];
  });
}

function countDifferent({ bound: { projections } }: Draft): Change[] {
  return projections.flatMap((item, place) => {
    if (item.column === undefined || (item.aggregate !== undefined && item.aggregate !== 'count')) return [];
    if (item.aggregate === 'count' && item.isDistinct) return [];
    return [show(replaceAt(projections, place, { ...item, aggregate: 'count', isDistinct: true }))];
  });
}

const FIGURES: readonly AggregateFunction[] = ['sum', 'avg', 'max', 'min'];

/** A figure that the question has words for, or that is shown already, of this column. */
function otherFigure({ bound: { projections } }: Draft, { mentions }: RevisionView): Change[] {
  const asked = new Set(
    mentions.flatMap(({ cue }) =>
      cue?.kind === 'aggregate'
        ? [cue.function]
        : cue?.kind === 'superlative'
          ? [cue.direction === 'asc' ? 'min' : 'max']
          : [],
    ),
  );
  return projections.flatMap((item, place) => {
    const { column, aggregate } = item;
    if (column === undefined || !isNumeric(column)) return [];
    return FIGURES.filter(
      (figure) => figure !== aggregate && (asked.has(figure) || aggregate !== undefined),
    ).map((figure) => show(replaceAt(projections, place, { ...item, aggregate: figure })));
  });
}
