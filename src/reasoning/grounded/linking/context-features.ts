/** What a first opinion of every column says about each one: its rank, its table, the tables its keys lead to. */
import { bestOthers, type ColumnMatrix, type Feature } from './column-features.ts';
import type { ColumnWords, SchemaWords } from './schema-words.ts';

/** First probabilities of all columns, and what follows from them for tables. */
export interface Opinion {
  /** By column. */
  readonly column: Float64Array;
  readonly rank: Int32Array;
  readonly rankInTable: Int32Array;
  /** By table: that any of its columns is needed, taken as independent. */
  readonly table: Float64Array;
  readonly tableSum: Float64Array;
  readonly tableMost: Float64Array;
  readonly tableRank: Int32Array;
  /** Probabilities of the tables, highest first. */
  readonly best: Float64Array;
  readonly expectedTables: number;
  readonly expectedColumns: number;
}

/** Ranks are of columns that have a probability; what has none is last. */
export function formOpinion(probabilities: Float64Array, schema: SchemaWords): Opinion {
  const tableCount = schema.tables.length;
  const none = new Float64Array(tableCount).fill(1);
  const tableSum = new Float64Array(tableCount);
  const tableMost = new Float64Array(tableCount);
  const scored: number[] = [];
  for (const [index, probability] of probabilities.entries()) {
    if (probability === 0) continue;
    const table = schema.tableOf[index] ?? 0;
    scored.push(index);
    none[table] = (none[table] ?? 1) * (1 - probability);
    tableSum[table] = (tableSum[table] ?? 0) + probability;
    if (probability > (tableMost[table] ?? 0)) tableMost[table] = probability;
  }
  const table = none.map((each) => 1 - each);
  const order = bestFirst(scored, probabilities);
  const rank = new Int32Array(probabilities.length).fill(scored.length);
  const rankInTable = new Int32Array(probabilities.length);
  const before = new Int32Array(tableCount);
  for (const [place, index] of order.entries()) {
    const owner = schema.tableOf[index] ?? 0;
    rank[index] = place;
    rankInTable[index] = before[owner] ?? 0;
    before[owner] = (before[owner] ?? 0) + 1;
  }
  const tableRank = new Int32Array(tableCount).fill(tableCount);
  const likely = schema.tables.flatMap(({ index }) => ((table[index] ?? 0) > 0 ? [index] : []));
  for (const [place, index] of bestFirst(likely, table).entries()) tableRank[index] = place;
  return {
    column: probabilities,
    rank,
    rankInTable,
    table,
    tableSum,
    tableMost,
    tableRank,
    best: table.slice().sort().reverse(),
    expectedTables: table.reduce((sum, each) => sum + each, 0),
    expectedColumns: probabilities.reduce((sum, each) => sum + each, 0),
  };
}

/** Equal ones by their index. */
function bestFirst(items: readonly number[], score: Float64Array): number[] {
  return items.toSorted((left, right) => (score[right] ?? 0) - (score[left] ?? 0) || left - right);
}

interface ContextCell {
  /** By column: the best of other columns of its name, and of the tables they stand in. */
  readonly namesakes: Float64Array;
  readonly namesakeTables: Float64Array;
  readonly opinion: Opinion;
  readonly column: ColumnWords;
  readonly schema: SchemaWords;
}

const most = (items: readonly number[], score: (item: number) => number): number =>
  items.reduce((best, item) => Math.max(best, score(item)), 0);
const tableOf = ({ opinion, schema }: ContextCell, column: number): number =>
  opinion.table[schema.tableOf[column] ?? -1] ?? 0;

const OF_CONTEXT: readonly Feature<ContextCell>[] = [
  { name: 'first: column', value: ({ opinion, column }) => opinion.column[column.index] ?? 0 },
  { name: 'first: rank', value: ({ opinion, column }) => opinion.rank[column.index] ?? 0 },
  { name: 'first: rank in table', value: ({ opinion, column }) => opinion.rankInTable[column.index] ?? 0 },
  { name: 'first: sum of table', value: ({ opinion, column }) => opinion.tableSum[column.table] ?? 0 },
  { name: 'first: best of table', value: ({ opinion, column }) => opinion.tableMost[column.table] ?? 0 },
  { name: 'first: table', value: ({ opinion, column }) => opinion.table[column.table] ?? 0 },
  { name: 'first: rank of table', value: ({ opinion, column }) => opinion.tableRank[column.table] ?? 0 },
  { name: 'first: best table', value: ({ opinion }) => opinion.best[0] ?? 0 },
  { name: 'first: second table', value: ({ opinion }) => opinion.best[1] ?? 0 },
  { name: 'first: third table', value: ({ opinion }) => opinion.best[2] ?? 0 },
  { name: 'first: expected tables', value: ({ opinion }) => opinion.expectedTables },
  { name: 'first: expected columns', value: ({ opinion }) => opinion.expectedColumns },
  { name: 'first: referenced table', value: (cell) => most(cell.column.pointsTo, (to) => tableOf(cell, to)) },
  {
    name: 'first: referenced column',
    value: ({ opinion, column }) => most(column.pointsTo, (to) => opinion.column[to] ?? 0),
  },
  {
    name: 'first: referencing table',
    value: (cell) => most(cell.column.pointedAtBy, (from) => tableOf(cell, from)),
  },
  {
    name: 'first: referencing tables',
    value: (cell) => cell.column.pointedAtBy.reduce((sum, from) => sum + tableOf(cell, from), 0),
  },
  { name: 'first: namesake', value: ({ column, namesakes }) => namesakes[column.index] ?? 0 },
  {
    name: 'first: table of namesake',
    value: ({ column, namesakeTables }) => namesakeTables[column.index] ?? 0,
  },
];

/** The numbers that the second opinion has beside those of the first. */
export const CONTEXT_FEATURES: readonly string[] = OF_CONTEXT.map(({ name }) => name);

/** The rows of the first opinion, `columns` of the schema, with the context of each column behind them. */
export function withContext(
  { columns, data: first }: Pick<ColumnMatrix, 'columns' | 'data'>,
  opinion: Opinion,
  schema: SchemaWords,
): Float32Array {
  const width = first.length / Math.max(1, columns.length);
  const wide = width + CONTEXT_FEATURES.length;
  const data = new Float32Array(columns.length * wide);
  const ofName = (score: (column: number) => number) => bestOthers(schema.nameOf, schema.nameCount, score);
  const namesakes = ofName((other) => opinion.column[other] ?? 0);
  const namesakeTables = ofName((other) => opinion.table[schema.tableOf[other] ?? -1] ?? 0);
  for (const [row, index] of columns.entries()) {
    const column = schema.columns[index];
    if (column === undefined) continue;
    data.set(first.subarray(row * width, (row + 1) * width), row * wide);
    const cell = { opinion, column, schema, namesakes, namesakeTables };
    for (let at = 0; at < OF_CONTEXT.length; at += 1)
      data[row * wide + width + at] = OF_CONTEXT[at]?.value(cell) ?? 0;
  }
  return data;
}
