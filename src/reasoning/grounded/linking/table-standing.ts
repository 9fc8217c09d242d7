/** How well each table stands by the words of the question that its names, its columns and their descriptions hold. */
import type { NameFit, SchemaFits } from './name-fit.ts';
import type { RankedQuestion } from './question-words.ts';
import type { SchemaWords } from './schema-words.ts';

export interface TableStanding {
  readonly fit: NameFit;
  /** Sum over the words of the question that its names and descriptions hold, rare ones counting more. */
  readonly score: number;
  /** From 0, best score first. */
  readonly rank: number;
  /** Best share of a column's name that stands in the texts; 1 more where the hint writes the name. */
  readonly bestColumn: number;
  /** Words of the question that are stored values of its columns, those of few columns counting more. */
  readonly values: number;
}

const OF_NAME = 1.2;
const OF_DESCRIPTION = 0.3;
const OF_VALUE = 4;
const MOST_VALUES = 3;
/** All but rounding. */
const ALL = 0.999;

export function tableStandings(
  { words, values }: RankedQuestion,
  schema: SchemaWords,
  fits: SchemaFits,
): readonly TableStanding[] {
  const count = schema.tables.length;
  const scores = new Float64Array(count);
  const shares = new Float64Array(count);
  for (const stem of new Set([...words.question.content, ...words.hint.content])) {
    const rarity = schema.rarity(stem);
    shares.fill(0);
    raiseShares(shares, stem, schema, fits);
    for (let table = 0; table < count; table += 1) scores[table]! += shares[table]! * rarity;
  }
  const bestColumn = new Float64Array(count);
  for (const index of fits.namedColumns) {
    const share = fits.columnShares[index] ?? 0;
    // A name that the hint writes has all its words in it.
    const strength = share + (share > ALL && fits.column(index).hint.written > 0 ? 1 : 0);
    const table = schema.tableOf[index] ?? -1;
    if (strength > (bestColumn[table] ?? 0)) bestColumn[table] = strength;
  }
  const held = new Float64Array(count);
  for (const [id, fact] of values) {
    const table = schema.columns[schema.columnAt.get(id) ?? -1]?.table;
    if (table !== undefined) held[table] = (held[table] ?? 0) + fact.words / Math.sqrt(fact.columns);
  }
  for (const [table, value] of held.entries())
    scores[table] = (scores[table] ?? 0) + OF_VALUE * Math.min(value, MOST_VALUES);
  const order = schema.tables
    .map(({ index }) => index)
    .sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0) || left - right);
  const ranks = new Int32Array(count);
  for (const [place, table] of order.entries()) ranks[table] = place;
  return schema.tables.map(({ index }) => ({
    fit: fits.table(index),
    score: scores[index] ?? 0,
    rank: ranks[index] ?? 0,
    bestColumn: bestColumn[index] ?? 0,
    values: held[index] ?? 0,
  }));
}

/** For one word: what each table that holds it anywhere gets of the word's rarity, its best place counting. */
function raiseShares(shares: Float64Array, stem: string, schema: SchemaWords, fits: SchemaFits): void {
  const { tablePostings, columnPostings, tableOf } = schema;
  const give = (table: number, share: number): void => {
    if (share > shares[table]!) shares[table] = share;
  };
  for (const table of tablePostings.names.get(stem) ?? []) give(table, OF_NAME);
  for (const column of columnPostings.names.get(stem) ?? [])
    give(tableOf[column]!, OF_DESCRIPTION + (1 - OF_DESCRIPTION) * fits.columnShares[column]!);
  for (const column of columnPostings.comments.get(stem) ?? []) give(tableOf[column]!, OF_DESCRIPTION);
}
