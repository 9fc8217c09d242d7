/** What speaks for a table once its columns have been judged. */
import type { Feature } from './column-features.ts';
import { COMPANY_FEATURES, companyMatrix } from './company-features.ts';
import type { Opinion } from './context-features.ts';
import type { RankedQuestion } from './ranked-question.ts';
import type { SchemaWords, TableWords } from './schema-words.ts';
import type { TableStanding } from './table-standing.ts';

export interface TableCell {
  readonly asked: RankedQuestion;
  readonly schema: SchemaWords;
  readonly table: TableWords;
  readonly standing: TableStanding;
  readonly bestScore: number;
  /** Of the columns, after the second opinion. */
  readonly opinion: Opinion;
}

const most = (items: readonly number[], score: (item: number) => number): number =>
  items.reduce((best, item) => Math.max(best, score(item)), 0);
const second = ({ opinion, table }: TableCell): number => {
  const probabilities = table.columns
    .map((at) => opinion.column[at] ?? 0)
    .sort((left, right) => right - left);
  return probabilities[1] ?? 0;
};

const OF_TABLE: readonly Feature<TableCell>[] = [
  { name: 'any column', value: ({ opinion, table }) => opinion.table[table.index] ?? 0 },
  { name: 'best column', value: ({ opinion, table }) => opinion.tableMost[table.index] ?? 0 },
  { name: 'second column', value: second },
  { name: 'sum of columns', value: ({ opinion, table }) => opinion.tableSum[table.index] ?? 0 },
  { name: 'rank', value: ({ opinion, table }) => opinion.tableRank[table.index] ?? 0 },
  { name: 'best table', value: ({ opinion }) => opinion.best[0] ?? 0 },
  { name: 'second table', value: ({ opinion }) => opinion.best[1] ?? 0 },
  { name: 'third table', value: ({ opinion }) => opinion.best[2] ?? 0 },
  { name: 'expected tables', value: ({ opinion }) => opinion.expectedTables },
  { name: 'expected columns', value: ({ opinion }) => opinion.expectedColumns },
  {
    name: 'best neighbour',
    value: ({ opinion, table }) => most(table.neighbours, (other) => opinion.table[other] ?? 0),
  },
  {
    name: 'sum of neighbours',
    value: ({ opinion, table }) =>
      table.neighbours.reduce((sum, other) => sum + (opinion.table[other] ?? 0), 0),
  },
  { name: 'word score', value: ({ standing }) => standing.score },
  { name: 'word rank', value: ({ standing }) => standing.rank },
  {
    name: 'word score share',
    value: ({ standing, bestScore }) => standing.score / bestScore,
  },
  { name: 'best column by words', value: ({ standing }) => standing.bestColumn },
  { name: 'values', value: ({ standing }) => standing.values },
  { name: 'name coverage', value: ({ standing }) => standing.fit.question.coverage },
  { name: 'name weight', value: ({ standing }) => standing.fit.question.weight },
  { name: 'name missing', value: ({ standing }) => standing.fit.question.missing },
  { name: 'name phrase', value: ({ standing }) => standing.fit.question.phrase },
  { name: 'name alike', value: ({ standing }) => standing.fit.question.alike },
  { name: 'name in hint', value: ({ standing }) => standing.fit.hint.coverage },
  { name: 'name written in hint', value: ({ standing }) => standing.fit.hint.written },
  { name: 'description', value: ({ standing }) => standing.fit.describedByQuestion },
  { name: 'columns', value: ({ table }) => table.columns.length },
  { name: 'tables', value: ({ schema }) => schema.tables.length },
  { name: 'words in name', value: ({ table }) => table.stems.length },
  { name: 'neighbours', value: ({ table }) => table.neighbours.length },
  { name: 'keys known', value: ({ schema }) => (schema.hasKeys ? 1 : 0) },
  { name: 'descriptions known', value: ({ schema }) => (schema.hasComments ? 1 : 0) },
];

/** The numbers of a row, in their order. */
export const TABLE_FEATURES: readonly string[] = [...OF_TABLE.map(({ name }) => name), ...COMPANY_FEATURES];

/** One row for every table. */
export function tableMatrix(
  asked: RankedQuestion,
  schema: SchemaWords,
  standings: readonly TableStanding[],
  opinion: Opinion,
): Float32Array {
  const width = TABLE_FEATURES.length;
  const bestScore = standings.reduce((best, { score }) => Math.max(best, score), 1e-9);
  const data = new Float32Array(schema.tables.length * width);
  const company = companyMatrix(asked, schema, opinion);
  for (const table of schema.tables) {
    const standing = standings[table.index];
    if (standing === undefined) continue;
    const cell = { asked, schema, table, standing, bestScore, opinion };
    for (const [at, { value }] of OF_TABLE.entries()) data[table.index * width + at] = value(cell);
    const beside = company.subarray(
      table.index * COMPANY_FEATURES.length,
      (table.index + 1) * COMPANY_FEATURES.length,
    );
    data.set(beside, table.index * width + OF_TABLE.length);
  }
  return data;
}
