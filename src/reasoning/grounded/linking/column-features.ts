/** What speaks for a column, as numbers: its name, its table, its description, its keys, its values, beside the wording. */
import { type NameFit, nameFits, type SchemaFits } from './name-fit.ts';
import type { Cues, RankedQuestion } from './question-words.ts';
import type { ColumnWords, SchemaWords, TableWords } from './schema-words.ts';
import { type TableStanding, tableStandings } from './table-standing.ts';

/** One column beside one question. */
interface ColumnCell {
  readonly asked: RankedQuestion;
  readonly schema: SchemaWords;
  readonly column: ColumnWords;
  readonly table: TableWords;
  readonly fit: NameFit;
  readonly tableFit: NameFit;
  readonly tables: readonly TableStanding[];
  readonly bestScore: number;
  /** By column: the best score of another table that has a column of its name. */
  readonly namesakeTables: Float64Array;
}

export interface Feature<Cell> {
  readonly name: string;
  readonly value: (cell: Cell) => number;
}

const flag = (condition: boolean): number => (condition ? 1 : 0);
const standing = ({ tables, table }: ColumnCell): TableStanding | undefined => tables[table.index];
const most = (numbers: readonly number[]): number => numbers.reduce((best, each) => Math.max(best, each), 0);
const ends = ({ column }: ColumnCell, ...words: string[]): number =>
  flag(words.includes(column.stems.at(-1) ?? ''));

const NAME: readonly Feature<ColumnCell>[] = [
  { name: 'name coverage', value: ({ fit }) => fit.question.coverage },
  { name: 'name found weight', value: ({ fit }) => fit.question.weight },
  { name: 'name missing weight', value: ({ fit }) => fit.question.missing },
  { name: 'name phrase', value: ({ fit }) => fit.question.phrase },
  { name: 'name written', value: ({ fit }) => fit.question.written },
  { name: 'name like a word', value: ({ fit }) => fit.question.alike },
  { name: 'name synonyms', value: ({ fit }) => fit.question.synonyms },
  { name: 'name in hint coverage', value: ({ fit }) => fit.hint.coverage },
  { name: 'name in hint weight', value: ({ fit }) => fit.hint.weight },
  { name: 'name in hint phrase', value: ({ fit }) => fit.hint.phrase },
  { name: 'name written in hint', value: ({ fit }) => fit.hint.written },
  { name: 'name like a word of hint', value: ({ fit }) => fit.hint.alike },
  { name: 'words in name', value: ({ column }) => column.stems.length },
  { name: 'letters in name', value: ({ column }) => column.lower.length },
];

const DESCRIPTION: readonly Feature<ColumnCell>[] = [
  { name: 'question in description', value: ({ fit }) => fit.describedByQuestion },
  { name: 'description in question', value: ({ fit }) => fit.descriptionCoverage },
  { name: 'hint in description', value: ({ fit }) => fit.describedByHint },
  { name: 'description words', value: ({ column }) => column.comment.size },
];

const TABLE: readonly Feature<ColumnCell>[] = [
  { name: 'table coverage', value: ({ tableFit }) => tableFit.question.coverage },
  { name: 'table phrase', value: ({ tableFit }) => tableFit.question.phrase },
  { name: 'table like a word', value: ({ tableFit }) => tableFit.question.alike },
  { name: 'table synonyms', value: ({ tableFit }) => tableFit.question.synonyms },
  { name: 'table in hint', value: ({ tableFit }) => tableFit.hint.coverage },
  { name: 'table written in hint', value: ({ tableFit }) => tableFit.hint.written },
  { name: 'table score', value: (cell) => standing(cell)?.score ?? 0 },
  { name: 'table rank', value: (cell) => standing(cell)?.rank ?? 0 },
  {
    name: 'table score share',
    value: (cell) => (standing(cell)?.score ?? 0) / cell.bestScore,
  },
  { name: 'best column of table', value: (cell) => standing(cell)?.bestColumn ?? 0 },
  { name: 'values of table', value: (cell) => standing(cell)?.values ?? 0 },
  { name: 'columns of table', value: ({ table }) => table.columns.length },
  { name: 'tables', value: ({ schema }) => schema.tables.length },
];

const KEY: readonly Feature<ColumnCell>[] = [
  { name: 'primary key', value: ({ column }) => flag(column.isPrimary) },
  { name: 'foreign key', value: ({ column }) => column.pointsTo.length },
  { name: 'referenced', value: ({ column }) => Math.min(20, column.pointedAtBy.length) },
  {
    name: 'score of referenced table',
    value: ({ column, schema, tables }) =>
      most(column.pointsTo.map((to) => tables[schema.columns[to]?.table ?? -1]?.score ?? 0)),
  },
  {
    name: 'score of referencing table',
    value: ({ column, schema, tables }) =>
      most(column.pointedAtBy.map((from) => tables[schema.columns[from]?.table ?? -1]?.score ?? 0)),
  },
  { name: 'neighbours', value: ({ table }) => table.neighbours.length },
  {
    name: 'best neighbour',
    value: ({ table, tables }) => most(table.neighbours.map((other) => tables[other]?.score ?? 0)),
  },
  { name: 'keys known', value: ({ schema }) => flag(schema.hasKeys) },
  { name: 'same name elsewhere', value: ({ column }) => Math.min(40, column.namesakes) },
  { name: 'best namesake table', value: ({ column, namesakeTables }) => namesakeTables[column.index] ?? 0 },
  { name: 'place in table', value: ({ column }) => column.place },
];

const KIND: readonly Feature<ColumnCell>[] = [
  { name: 'text', value: ({ column }) => flag(column.column.family === 'text') },
  { name: 'number', value: ({ column }) => flag(column.column.family === 'number') },
  { name: 'time', value: ({ column }) => flag(column.column.family === 'time') },
  { name: 'ends with id', value: (cell) => ends(cell, 'id', 'key', 'uuid') },
  { name: 'ends with name', value: (cell) => ends(cell, 'name', 'titl') },
  {
    name: 'ends with date',
    value: (cell) => ends(cell, 'date', 'time', 'year', 'month', 'dai', 'timestamp'),
  },
  { name: 'ends with code', value: (cell) => ends(cell, 'code', 'type', 'statu', 'categori') },
  {
    name: 'ends with amount',
    value: (cell) => ends(cell, 'amount', 'price', 'cost', 'number', 'count', 'total', 'valu', 'score'),
  },
];

const VALUE: readonly Feature<ColumnCell>[] = [
  { name: 'words of value', value: ({ asked, column }) => asked.values.get(column.column.id)?.words ?? 0 },
  {
    name: 'columns of value',
    value: ({ asked, column }) => asked.values.get(column.column.id)?.columns ?? 0,
  },
  { name: 'values can be looked up', value: ({ asked }) => flag(asked.hasValues) },
  { name: 'columns with values', value: ({ asked }) => asked.values.size },
];

const WORDING: readonly Feature<Cues>[] = (
  [
    'words',
    'hintWords',
    'numbers',
    'quotes',
    'capitals',
    'years',
    'counts',
    'superlative',
    'average',
    'sum',
    'ratio',
    'when',
    'who',
    'where',
    'names',
    'list',
    'each',
  ] as const
).map((cue) => ({ name: `wording: ${cue}`, value: (cues) => Number(cues[cue]) }));

const OF_COLUMN: readonly Feature<ColumnCell>[] = [
  ...NAME,
  ...DESCRIPTION,
  ...TABLE,
  ...KEY,
  ...KIND,
  ...VALUE,
];

/** The numbers of a row, in their order. */
export const COLUMN_FEATURES: readonly string[] = [...OF_COLUMN, ...WORDING].map(({ name }) => name);

export interface ColumnMatrix {
  /** Columns that are looked at, by their places in the schema. */
  readonly columns: Int32Array;
  /** A row for each of them. */
  readonly data: Float32Array;
  readonly tables: readonly TableStanding[];
  readonly fits: SchemaFits;
}

/** Columns looked at: enough for a dozen wide tables. */
const MOST_COLUMNS = 3_000;

/** One row of features for the columns of the tables that stand best, as many as there is time for. */
export function columnMatrix(asked: RankedQuestion, schema: SchemaWords): ColumnMatrix {
  const fits = nameFits(asked.words, schema);
  const tables = tableStandings(asked, schema, fits);
  const columns = columnsInView(schema, tables);
  const width = COLUMN_FEATURES.length;
  const data = new Float32Array(columns.length * width);
  const bestScore = tables.reduce((best, { score }) => Math.max(best, score), 1e-9);
  const wording = WORDING.map(({ value }) => value(asked.words.cues));
  const namesakeTables = bestOthers(
    schema.nameOf,
    schema.nameCount,
    (column) => tables[schema.tableOf[column] ?? -1]?.score ?? 0,
  );
  for (const [row, index] of columns.entries()) {
    const column = schema.columns[index];
    const table = schema.tables[column?.table ?? -1];
    if (column === undefined || table === undefined) continue;
    const [fit, tableFit] = [fits.column(index), fits.table(table.index)];
    const cell: ColumnCell = {
      asked,
      schema,
      column,
      table,
      fit,
      tableFit,
      tables,
      bestScore,
      namesakeTables,
    };
    for (let at = 0; at < OF_COLUMN.length; at += 1) data[row * width + at] = OF_COLUMN[at]?.value(cell) ?? 0;
    data.set(wording, row * width + OF_COLUMN.length);
  }
  return { columns, data, tables, fits };
}

/** In the order of the schema. */
function columnsInView(schema: SchemaWords, standings: readonly TableStanding[]): Int32Array {
  if (schema.columns.length <= MOST_COLUMNS) return Int32Array.from(schema.columns.keys());
  const order = schema.tables.toSorted(
    (left, right) => (standings[left.index]?.rank ?? 0) - (standings[right.index]?.rank ?? 0),
  );
  const view: number[] = [];
  for (const { columns } of order)
    if (view.length === 0 || view.length + columns.length <= MOST_COLUMNS) view.push(...columns);
  return Int32Array.from(view).sort();
}

/** For each member of a group, the best score among the others: two passes instead of all pairs. */
export function bestOthers(
  groups: Int32Array,
  groupCount: number,
  score: (member: number) => number,
): Float64Array {
  const best = new Float64Array(groupCount);
  const second = new Float64Array(groupCount);
  const owner = new Int32Array(groupCount).fill(-1);
  for (const [member, group] of groups.entries()) {
    const own = score(member);
    if (own > (best[group] ?? 0)) {
      second[group] = best[group] ?? 0;
      best[group] = own;
      owner[group] = member;
    } else if (own > (second[group] ?? 0)) second[group] = own;
  }
  return Float64Array.from(
    groups,
    (group, member) => (owner[group] === member ? second[group] : best[group]) ?? 0,
  );
}
