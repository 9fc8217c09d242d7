/** What the grounded engine thinks of a schema for one question: a probability for every table and column, with reasons. */
import { membersOfQuestion } from '../../../knowledge/retrieve/index.ts';
import type { NameFit } from './name-fit.ts';
import { type PreparedLinker, rankedQuestion } from './prepare-linker.ts';
import type { RankedQuestion } from './question-words.ts';
import { type LinkForests, rankSchema, type SchemaRanking } from './rank-schema.ts';
import type { ColumnWords, SchemaWords, TableWords } from './schema-words.ts';

export interface ChoiceRisks {
  /** What the F1 of the tables kept is worth beside having every needed one; 0: nothing may be lost. */
  readonly table: number;
  /** Needed columns of the tables kept that may be left out, expected number. */
  readonly column: number;
}

/** Recall first; from databases that the forests had not seen (`scripts/train-linker.ts`) and the curves of `bench/linking.ts`. */
export const CHOICE_RISKS: ChoiceRisks = { table: 1, column: 0.12 };

interface SchemaChoice {
  /** Canonical ids; of a family its first table. */
  readonly tables: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

export interface SchemaOpinion {
  /** In [0, 1]; of any table of a family, what its first one has. */
  tableProbability(id: string): number;
  columnProbability(id: string): number;
  /** What goes first where not all columns can be shown: its probability; of columns that nobody looked at, what words say. */
  columnPromise(id: string): number;
  /** What is kept where so much may be lost. */
  choose(risks?: ChoiceRisks): SchemaChoice;
  /** Ids of the first tables of families, likeliest first. */
  readonly tableOrder: readonly string[];
  /** What speaks for a table or a column. */
  reasons(id: string): readonly RankingReason[];
  /** The table or column of the first table of its family: what `choose` names. */
  firstOf(id: string): string;
  /** Tables that the first table of a family stands for: those the question names, else all. */
  membersOf(tableId: string): readonly string[];
}

/** All words of a name that are in the question: no more than what is least likely among the columns that were looked at. */
const BY_WORDS = 1e-4;

export function formSchemaOpinion(
  { question, hint = '' }: { readonly question: string; readonly hint?: string },
  linker: PreparedLinker,
  forests: LinkForests,
): SchemaOpinion {
  const asked = rankedQuestion(question, hint, linker);
  const ranking = rankSchema(asked, linker.schema, forests);
  const { schema, tables } = linker;
  const tableAt = new Map(schema.tables.map(({ table, index }) => [table.id, index]));
  const placeOfTable = (id: string): number =>
    tableAt.get(tables.familyOf(id)?.members[0]?.table.id ?? id) ?? -1;
  const placeOfColumn = (id: string): number => schema.columnAt.get(linker.placeOf(id)) ?? -1;
  return {
    tableProbability: (id) => ranking.tables[placeOfTable(id)] ?? 0,
    columnProbability: (id) => ranking.columns[placeOfColumn(id)] ?? 0,
    columnPromise(id) {
      const place = placeOfColumn(id);
      return (ranking.columns[place] ?? 0) + BY_WORDS * (ranking.fits.columnShares[place] ?? 0);
    },
    choose: (risks = CHOICE_RISKS) => choose(ranking, linker, risks),
    tableOrder: schema.tables
      .toSorted((left, right) => (ranking.tables[right.index] ?? 0) - (ranking.tables[left.index] ?? 0))
      .map(({ table }) => table.id),
    reasons(id) {
      const column = schema.columns[placeOfColumn(id)];
      if (column !== undefined) return reasonsOfColumn(column, { asked, schema, ranking });
      const table = schema.tables[placeOfTable(id)];
      return table === undefined ? [] : reasonsOfTable(table, { asked, schema, ranking });
    },
    firstOf: (id) =>
      tableAt.has(id) ? id : (tables.familyOf(id)?.members[0]?.table.id ?? linker.placeOf(id)),
    membersOf(id) {
      const family = tables.familyOf(id);
      if (family === undefined || family.members.length === 1) return [id];
      const { members, namedCount } = membersOfQuestion(family, question);
      return (namedCount > 0 ? members.slice(0, namedCount) : members).map(({ table }) => table.id);
    },
  };
}

function choose(ranking: SchemaRanking, { schema }: PreparedLinker, risks: ChoiceRisks): SchemaChoice {
  const kept = keepTables(ranking.tables, risks.table);
  const among = schema.columns.filter(({ table }) => kept.has(table)).map(({ index }) => index);
  const columns = keepWithin(ranking.columns, risks.column, among);
  return {
    tables: new Set([...kept].flatMap((index) => schema.tables[index]?.table.id ?? [])),
    fields: new Set([...columns].flatMap((index) => schema.columns[index]?.column.id ?? [])),
  };
}

/**
 * The items to keep so that the expected number of needed ones left out stays within `risk`: the least likely go first,
 * as long as their probabilities add up to no more. Equal probabilities go by place, last first.
 */
export function keepWithin(
  probabilities: ArrayLike<number>,
  risk: number,
  among?: Iterable<number>,
): Set<number> {
  const items = [...(among ?? Array.from(probabilities, (_, index) => index))];
  // What is impossible goes whatever may be lost.
  const order = items
    .filter((index) => (probabilities[index] ?? 0) > 0)
    .sort((left, right) => (probabilities[left] ?? 0) - (probabilities[right] ?? 0) || right - left);
  let spent = 0;
  const firstKept = order.findIndex((index) => {
    spent += probabilities[index] ?? 0;
    return spent > risk;
  });
  return new Set(firstKept < 0 ? [] : order.slice(firstKept));
}

/** Needed tables counted beyond this are as many. */
const MOST_NEEDED = 16;
/** Tables that are weighed; those behind them count as left out. */
const MOST_KEPT = 200;

/**
 * The likeliest tables, as many as are worth most: the probability that every needed table is among them, and `weight` times
 * the F1 to be expected. One at least, so that nobody is shown nothing; with weight 0 whatever is possible at all. A plain
 * question keeps few, a vague one many. Probabilities are taken as independent.
 */
export function keepTables(probabilities: ArrayLike<number>, weight: number): Set<number> {
  const order = Array.from(probabilities, (_, index) => index)
    .filter((index) => (probabilities[index] ?? 0) > 0)
    .sort((left, right) => (probabilities[right] ?? 0) - (probabilities[left] ?? 0) || left - right);
  const left = countsLeftOut(order.map((index) => probabilities[index] ?? 0));
  let kept: Float64Array = NOBODY;
  let best = { value: Number.NEGATIVE_INFINITY, count: 0 };
  for (let count = 1; count <= Math.min(order.length, weight > 0 ? MOST_KEPT : order.length); count += 1) {
    kept = withOne(kept, probabilities[order[count - 1] ?? -1] ?? 0);
    const others = left[count] ?? NOBODY;
    const value = (others[0] ?? 1) + (weight > 0 ? weight * expectedF1(kept, others, count) : 0);
    // The more of equal worth: what is lost by rounding is nobody's gain.
    if (value >= best.value) best = { value, count };
  }
  return new Set(order.slice(0, best.count));
}

const NOBODY: Float64Array = Float64Array.of(1);

/** By how many are kept: how likely it is that 0, 1, 2, … of the others are needed. */
function countsLeftOut(probabilities: readonly number[]): readonly Float64Array[] {
  const counts: Float64Array[] = [NOBODY];
  for (const probability of probabilities.toReversed())
    counts.push(withOne(counts.at(-1) ?? NOBODY, probability));
  return counts.reverse();
}

function withOne(counts: Float64Array, probability: number): Float64Array {
  const more = new Float64Array(Math.min(MOST_NEEDED + 1, counts.length + 1));
  for (const [count, share] of counts.entries()) {
    more[count]! += share * (1 - probability);
    more[Math.min(count + 1, more.length - 1)]! += share * probability;
  }
  return more;
}

function expectedF1(kept: Float64Array, left: Float64Array, count: number): number {
  let expected = 0;
  for (let hits = 1; hits < kept.length; hits += 1)
    for (const [missed, share] of left.entries())
      expected += ((kept[hits] ?? 0) * share * 2 * hits) / (count + hits + missed);
  return expected;
}

/** Why a table or a column was thought of, in words for people. */
interface RankingReason {
  readonly kind: 'value' | 'name' | 'hint' | 'description' | 'key';
  readonly text: string;
}

interface Ranked {
  readonly asked: RankedQuestion;
  readonly schema: SchemaWords;
  readonly ranking: SchemaRanking;
}

/** A key counts as a reason where the table at its other end is likely. */
const LIKELY = 0.3;
const ALIKE = 0.6;

function reasonsOfColumn(column: ColumnWords, { asked, schema, ranking }: Ranked): readonly RankingReason[] {
  const reasons: RankingReason[] = [];
  const fact = asked.values.get(column.column.id);
  if (fact !== undefined && saysMuch(fact.text))
    reasons.push({ kind: 'value', text: `“${fact.text}” is stored in it` });
  reasons.push(...reasonsOfName(ranking.fits.column(column.index)));
  const others = [...column.pointsTo, ...column.pointedAtBy].map((at) => schema.columns[at]?.table ?? -1);
  const best = others.toSorted(
    (left, right) => (ranking.tables[right] ?? 0) - (ranking.tables[left] ?? 0),
  )[0];
  const other = schema.tables[best ?? -1];
  if (other !== undefined && (ranking.tables[other.index] ?? 0) >= LIKELY)
    reasons.push({ kind: 'key', text: `it joins ${other.table.name}` });
  return reasons;
}

function reasonsOfTable(table: TableWords, { asked, schema, ranking }: Ranked): readonly RankingReason[] {
  const reasons: RankingReason[] = [];
  reasons.push(...reasonsOfName(ranking.fits.table(table.index)));
  for (const index of table.columns) {
    const column = schema.columns[index];
    const fact = asked.values.get(column?.column.id ?? '');
    if (column === undefined || fact === undefined || !saysMuch(fact.text)) continue;
    reasons.push({ kind: 'value', text: `“${fact.text}” is stored in ${column.name}` });
    break;
  }
  const neighbour = table.neighbours.find((other) => (ranking.tables[other] ?? 0) >= LIKELY);
  const other = schema.tables[neighbour ?? -1];
  if (other !== undefined) reasons.push({ kind: 'key', text: `it joins ${other.table.name}` });
  return reasons;
}

/** Signs, small numbers and truth values stand in columns of every kind. */
function saysMuch(value: string): boolean {
  return /\p{L}|\p{N}{3}/u.test(value) && !/^(?:true|false)$/i.test(value);
}

function reasonsOfName({ question, hint, describedByQuestion }: NameFit): readonly RankingReason[] {
  const reasons: RankingReason[] = [];
  if (hint.written > 0) reasons.push({ kind: 'hint', text: 'the hint writes its name' });
  else if (hint.coverage === 1) reasons.push({ kind: 'hint', text: 'the hint has the words of its name' });
  if (question.written > 0 || question.coverage === 1)
    reasons.push({ kind: 'name', text: 'the question has the words of its name' });
  else if (question.synonyms === 1)
    reasons.push({ kind: 'name', text: 'the question means its name in other words' });
  else if (question.alike >= ALIKE)
    reasons.push({ kind: 'name', text: 'words of the question are like its name' });
  else if (question.coverage > 0) reasons.push({ kind: 'name', text: 'the question has a part of its name' });
  if (describedByQuestion > 0)
    reasons.push({ kind: 'description', text: 'its description has words of the question' });
  return reasons;
}
