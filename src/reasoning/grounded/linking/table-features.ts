/** What speaks for a table once its columns have been judged. */
import type { Feature } from './column-features.ts';
import type { Opinion } from './context-features.ts';
import type { RankedQuestion } from './question-words.ts';
import type { SchemaWords, TableWords } from './schema-words.ts';
import type { TableStanding } from './table-standing.ts';

interface TableCell {
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

/** Tables looked at for a bridge between two of them. */
const MOST_ENDS = 6;
const MOST_JOINED = 50;

const own = ({ likely, at }: CompanyCell): number => likely[at] ?? 0;
const joined = ({ schema, at }: CompanyCell): ReadonlySet<number> => schema.company.joined[at] ?? NONE;
const twins = ({ schema, at }: CompanyCell): readonly number[] => schema.company.twins[at] ?? [];
const generations = ({ schema, at }: CompanyCell): readonly number[] => schema.company.generations[at] ?? [];
const NONE: ReadonlySet<number> = new Set();

const OF_COMPANY: readonly Feature<CompanyCell>[] = [
  { name: 'joined tables', value: (cell) => Math.min(MOST_JOINED, joined(cell).size) },
  { name: 'best joined', value: (cell) => mostOf(joined(cell), cell.likely) },
  { name: 'second key', value: secondKey },
  { name: 'sum joined', value: (cell) => sum(joined(cell), cell.likely) },
  { name: 'between', value: between },
  { name: 'twins', value: (cell) => twins(cell).length },
  { name: 'best twin', value: (cell) => mostOf(twins(cell), cell.likely) },
  { name: 'twins above', value: (cell) => above(twins(cell), cell) },
  { name: 'own words said', value: (cell) => said(cell.at, cell) },
  {
    name: 'own words unsaid',
    value: (cell) => (cell.schema.company.ownStems[cell.at]?.size ?? 0) - said(cell.at, cell),
  },
  {
    name: 'words of twins said',
    value: (cell) => twins(cell).reduce((best, twin) => Math.max(best, said(twin, cell)), 0),
  },
  { name: 'generations', value: (cell) => generations(cell).length },
  { name: 'best generation', value: (cell) => mostOf(generations(cell), cell.likely) },
  { name: 'generations above', value: (cell) => above(generations(cell), cell) },
  { name: 'member named', value: ({ asked, at }) => (asked.named.has(at) ? 1 : 0) },
  {
    name: 'generation named',
    value: (cell) => (generations(cell).some((other) => cell.asked.named.has(other)) ? 1 : 0),
  },
  { name: 'best of schema', value: (cell) => placeOf(cell)?.best ?? 0 },
  { name: 'share of schema', value: (cell) => (placeOf(cell)?.sum ?? 0) / Math.max(1e-9, cell.total) },
  { name: 'share of best', value: (cell) => own(cell) / Math.max(1e-9, cell.best) },
  { name: 'sum above', value: (cell) => cell.above },
  { name: 'sum below', value: (cell) => cell.total - cell.above },
  { name: 'new column', value: ({ added, at }) => added.column[at] ?? 0 },
  { name: 'new columns', value: ({ added, at }) => added.columns[at] ?? 0 },
  { name: 'new words', value: ({ added, at }) => added.words[at] ?? 0 },
  {
    name: 'share of words',
    value: ({ added, at }) => (added.covered[at] ?? 0) / Math.max(1e-9, added.allWords),
  },
];

const COMPANY_FEATURES: readonly string[] = OF_COMPANY.map(({ name }) => name);

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

/** What the other tables say about one: whether it joins likely ones, has a likelier twin, or adds anything to them. */
interface CompanyCell {
  /** Place of the table in the schema. */
  readonly at: number;
  readonly asked: RankedQuestion;
  readonly schema: SchemaWords;
  /** By table: that any of its columns is needed. */
  readonly likely: Float64Array;
  /** Probabilities of all tables above this one, summed. */
  readonly above: number;
  readonly places: ReadonlyMap<string, Place>;
  readonly added: Added;
  readonly total: number;
  readonly best: number;
}

interface Place {
  best: number;
  sum: number;
}

/** By table: what it has that no table above it has. */
interface Added {
  readonly column: Float64Array;
  readonly columns: Float64Array;
  readonly words: Float64Array;
  readonly covered: Float64Array;
  readonly allWords: number;
}

/** One row for every table. */
function companyMatrix(asked: RankedQuestion, schema: SchemaWords, opinion: Opinion): Float32Array {
  const likely = opinion.table;
  const order = schema.tables
    .map(({ index }) => index)
    .sort((left, right) => (likely[right] ?? 0) - (likely[left] ?? 0) || left - right);
  const places = new Map<string, Place>();
  for (const { index } of schema.tables) {
    const name = schema.company.place[index] ?? '';
    const known = places.get(name) ?? { best: 0, sum: 0 };
    places.set(name, {
      best: Math.max(known.best, likely[index] ?? 0),
      sum: known.sum + (likely[index] ?? 0),
    });
  }
  const added = whatIsAdded(order, asked, schema, opinion);
  const shared = {
    asked,
    schema,
    likely,
    places,
    added,
    total: opinion.expectedTables,
    best: opinion.best[0] ?? 0,
  };
  const width = OF_COMPANY.length;
  const data = new Float32Array(schema.tables.length * width);
  let sumAbove = 0;
  for (const at of order) {
    const cell: CompanyCell = { ...shared, at, above: sumAbove };
    for (const [feature, { value }] of OF_COMPANY.entries()) data[at * width + feature] = value(cell);
    sumAbove += likely[at] ?? 0;
  }
  return data;
}

/** The likeliest column under a name, and the first table with a word of the question, are credited; tables below are not. */
function whatIsAdded(
  order: readonly number[],
  asked: RankedQuestion,
  schema: SchemaWords,
  opinion: Opinion,
): Added {
  const count = schema.tables.length;
  const added = {
    column: new Float64Array(count),
    columns: new Float64Array(count),
    words: new Float64Array(count),
    covered: new Float64Array(count),
  };
  const offered = new Float64Array(schema.nameCount);
  for (const table of order)
    for (const index of schema.tables[table]?.columns ?? []) {
      const probability = opinion.column[index] ?? 0;
      if (probability < WORTH_A_LOOK) continue;
      const name = schema.nameOf[index] ?? 0;
      const more = Math.max(0, probability - (offered[name] ?? 0));
      offered[name] = Math.max(offered[name] ?? 0, probability);
      added.column[table] = Math.max(added.column[table] ?? 0, more);
      added.columns[table]! += more;
    }
  const rank = new Int32Array(count);
  for (const [place, table] of order.entries()) rank[table] = place;
  let allWords = 0;
  for (const stem of asked.words.question.content) {
    const holders = holdersOf(stem, schema);
    if (holders.size === 0) continue;
    const rarity = schema.rarity(stem);
    allWords += rarity;
    let first = -1;
    for (const table of holders) {
      added.covered[table]! += rarity;
      if (first < 0 || rank[table]! < rank[first]!) first = table;
    }
    added.words[first]! += rarity;
  }
  return { ...added, allWords };
}

const WORTH_A_LOOK = 0.01;

/** Tables with the stem in their name or in that of a column. */
function holdersOf(
  stem: string,
  { tablePostings, columnPostings, tableOf }: SchemaWords,
): ReadonlySet<number> {
  const columns = columnPostings.names.get(stem) ?? [];
  return new Set([
    ...(tablePostings.names.get(stem) ?? []),
    ...columns.map((column) => tableOf[column] ?? 0),
  ]);
}

/** Of the best tables behind each key, the second: a table between two likely ones has two such keys. */
function secondKey({ schema, likely, at }: CompanyCell): number {
  const ends = (schema.company.keys[at] ?? []).map((others) =>
    others.reduce((best, other) => ((likely[other] ?? 0) > (likely[best] ?? -1) ? other : best), -1),
  );
  const order = ends.sort((left, right) => (likely[right] ?? 0) - (likely[left] ?? 0));
  return likely[order.find((end) => end !== order[0]) ?? -1] ?? 0;
}

/** The likelier of two joined tables that have no key of their own in common counts as the less likely one does. */
function between(cell: CompanyCell): number {
  const { schema, likely } = cell;
  const ends = [...joined(cell)]
    .sort((left, right) => (likely[right] ?? 0) - (likely[left] ?? 0))
    .slice(0, MOST_ENDS);
  let best = 0;
  for (const [place, left] of ends.entries())
    for (const right of ends.slice(place + 1))
      if (schema.company.joined[left]?.has(right) === false) best = Math.max(best, likely[right] ?? 0);
  return best;
}

function said(table: number, { schema, asked: { words } }: CompanyCell): number {
  let count = 0;
  for (const stem of schema.company.ownStems[table] ?? [])
    if (words.question.content.has(stem) || words.hint.content.has(stem)) count += 1;
  return count;
}

function above(tables: readonly number[], cell: CompanyCell): number {
  return tables.filter((other) => (cell.likely[other] ?? 0) > own(cell)).length;
}

function placeOf({ places, schema, at }: CompanyCell): Place | undefined {
  return places.get(schema.company.place[at] ?? '');
}

function mostOf(tables: Iterable<number>, score: Float64Array): number {
  let best = 0;
  for (const table of tables) best = Math.max(best, score[table] ?? 0);
  return best;
}

function sum(tables: Iterable<number>, score: Float64Array): number {
  let total = 0;
  for (const table of tables) total += score[table] ?? 0;
  return total;
}
