/** Rows that are over: those that left, were retired, closed or deleted, where a question asks for those that are not. */
import { readRule } from './conditions.ts';
import type { QueryUses } from './query-uses.ts';
import { type Place, type QuestionWords, stemsIn } from './question-words.ts';

export function brokenStates(uses: QueryUses, words: QuestionWords): readonly string[] {
  return uses.semantics.datasets.flatMap(({ table }) => {
    const ends = uses.reads(table).length === 0 ? [] : endsOf(table, uses);
    // With two of them it is not said which one is meant.
    const [column] = ends;
    if (column === undefined || ends.length > 1 || uses.mentionsOf(column).length > 0) return [];
    if (words.isIncluded(stemsIn(column.slice(column.lastIndexOf('.') + 1)))) return [];
    if (isAskedFor({ table, column }, uses, words))
      return [`the question asks for ${table} that are not over (${column} IS NULL), and the query does not`];
    return isDeletion(column) && isListed(table, uses, words)
      ? [
          `rows of ${table} that are deleted are none (${column} IS NULL), and the query does not leave them out`,
        ]
      : [];
  });
}

/** Columns that are empty as long as a row is current: by the condition of a metric, or by what is written about them. */
function endsOf(table: string, { semantics, schema }: QueryUses): readonly string[] {
  const filters = semantics.metrics.flatMap((metric) => (metric.table === table ? metric.filters : []));
  const columnsWith = (pattern: RegExp): readonly string[] =>
    filters.flatMap((sql) => (pattern.test(sql) ? readRule(sql, schema.catalog.dialect).columns : []));
  const filled = columnsWith(/\bis\s+not\s+null\s*$/i);
  const empty = columnsWith(/\bis\s+null\s*$/i).filter((column) => !filled.includes(column));
  const told = (semantics.fields ?? []).filter(
    ({ column, description = '' }) =>
      column.startsWith(`${table}.`) && /^\s*(?:null|empty)\s+(?:while|for|as long as)\b/i.test(description),
  );
  return [...new Set([...empty, ...told.map(({ column }) => column)].map((column) => column.toLowerCase()))];
}

interface Ending {
  readonly table: string;
  readonly column: string;
}

/** “current employees”, “vehicles still in service”, “not retired”. */
function isAskedFor({ table, column }: Ending, uses: QueryUses, words: QuestionWords): boolean {
  const name = column.slice(column.lastIndexOf('.') + 1);
  if (words.placesOfStems(stemsIn(name)).some((place) => isDenied(place, words))) return true;
  const names = namesFor(table, uses).flatMap((one) => words.placesOf(one));
  const others = uses.semantics.datasets
    .filter((one) => one.table !== table)
    .flatMap((one) => namesFor(one.table, uses).flatMap((name) => words.placesOf(name)));
  return statesIn(words).some((state) => names.some((place) => isOf(place, state, { words, others })));
}

/** “not retired”: the denial stands right before, within its clause. */
function isDenied({ start }: Place, { words }: QuestionWords): boolean {
  const before = words.slice(Math.max(0, start - FARTHEST), start);
  return before.some(({ plain, clause }) => NOT.has(plain) && clause === words[start]?.clause);
}

const NOT: ReadonlySet<string> = new Set(['not', 'never', 'without']);

/** What the rows are called, and words for kinds of them. */
function namesFor(table: string, { semantics }: QueryUses): readonly string[] {
  const { datasets, metrics, valueMappings } = semantics;
  const named = [...datasets, ...metrics].filter((one) => one.table === table);
  const kinds = valueMappings.filter(({ column }) => column.startsWith(`${table}.`));
  return [
    ...named.flatMap(({ name, synonyms }) => [name, ...synonyms]),
    ...kinds.flatMap((one) => one.surface),
  ];
}

function statesIn({ words }: QuestionWords): readonly Place[] {
  return words.flatMap(({ plain }, at) => {
    const [next = '', second = ''] = words.slice(at + 1, at + 3).map((word) => word.plain);
    const isState =
      CURRENT.has(plain) ||
      ((plain === 'still' || plain === 'currently') &&
        (BEING.has(next) || (next === 'in' && IN.has(second))));
    return isState ? [{ start: at, end: at + 1 }] : [];
  });
}

const CURRENT: ReadonlySet<string> = new Set(['current', 'existing']);
const BEING: ReadonlySet<string> = new Set(
  'employed employ have own working work here running run active open existing exist operating operate with'.split(
    ' ',
  ),
);
const IN: ReadonlySet<string> = new Set(['service', 'use', 'operation', 'business']);

/** Words between a state and what it is said of. */
const FARTHEST = 3;

interface Around {
  readonly words: QuestionWords;
  /** Where rows of other tables are named. */
  readonly others: readonly Place[];
}

/** “current” stands right before the rows; “still in service” behind them, with no other rows between. */
function isOf(name: Place, state: Place, { words: { words }, others }: Around): boolean {
  if (words[name.start]?.clause !== words[state.start]?.clause) return false;
  if (CURRENT.has(words[state.start]?.plain ?? ''))
    return name.start >= state.end && name.start - state.end < FARTHEST;
  return name.end <= state.start && !others.some(({ start, end }) => start >= name.end && end <= state.start);
}

function isDeletion(column: string): boolean {
  return /delet|remov|eras/i.test(column.slice(column.lastIndexOf('.') + 1));
}

/** The rows themselves are what the query is about: none of the tables beside them refers to them. */
function isListed(table: string, uses: QueryUses, words: QuestionWords): boolean {
  const { datasets } = uses.semantics;
  const names = datasets.filter((one) => one.table === table).flatMap((one) => [one.name, ...one.synonyms]);
  return names.some((name) => words.has(name)) && uses.reads(table).some((source) => uses.isFirst(source));
}
