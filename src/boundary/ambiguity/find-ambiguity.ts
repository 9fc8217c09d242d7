/** Which words of a question two things of the schema fit equally well (AmbiQT, arXiv 2310.13659). */

import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { nameWords } from '../../language/index.ts';
import { type AskedWord, type NamePlace, placeName, readAskedWords } from './asked-words.ts';
import type { AmbiguousPart } from './find-synonyms.ts';
import { findSynonyms, type Likeness } from './find-synonyms.ts';

export interface AmbiguityOptions {
  /** How alike two names or phrases are in meaning, in [−1, 1]; without it, words alone decide. */
  readonly likeness?: Likeness;
}

/**
 * In the order of the question. Pure: nothing is run and no model is called; whoever wants meaning beyond words gives
 * `likeness`, as from the vectors of an encoder.
 */
export function findAmbiguity(
  question: string,
  catalog: Catalog,
  { likeness }: AmbiguityOptions = {},
): readonly AmbiguousPart[] {
  const asked = readAskedWords(question);
  const parts = [
    ...findPrecomputed(question, asked, catalog),
    ...findCopiedColumns(question, asked, catalog),
    ...findCopiedTables(question, asked, catalog),
    ...findSynonyms(question, asked, catalog, likeness),
  ];
  // One pair may be found by its name and by its form.
  const seen = new Set<string>();
  const once = parts.filter(({ choices }) => {
    const key = choices.map(({ ids }) => ids.join()).join('|');
    return !seen.has(key) && seen.add(key);
  });
  return once.sort((left, right) => left.span.start - right.span.start);
}

/** Less of a name is too little to say that the question means it. */
const LEAST_SHARE = 0.5;

/**
 * Columns a table shares with one split off from it: a table named after it, all of whose columns it has too. The
 * columns that say which row it is join the two and are one thing told twice, so they are never asked about.
 */
function findCopiedColumns(
  question: string,
  asked: readonly AskedWord[],
  catalog: Catalog,
): readonly AmbiguousPart[] {
  const parts: AmbiguousPart[] = [];
  for (const whole of catalog.tables)
    for (const split of catalog.tables) {
      if (!isSplitFrom(split, whole)) continue;
      const joining = joiningColumns(split, whole, catalog);
      for (const copy of split.columns) {
        if (joining.has(copy.name.toLowerCase())) continue;
        const place = placeName(copy.name, asked);
        const column = sameNamed(copy, whole);
        if (column === undefined || place === undefined || place.share < LEAST_SHARE) continue;
        parts.push({
          phrase: question.slice(place.start, place.end),
          span: { start: place.start, end: place.end },
          kind: 'join-path',
          choices: [
            { label: `${column.name} of ${whole.name}`, ids: [column.id] },
            { label: `${copy.name} of ${split.name}, joined to ${whole.name}`, ids: [copy.id] },
          ],
        });
      }
    }
  return parts;
}

function isSplitFrom(split: Table, whole: Table): boolean {
  if (split === whole || split.columns.length < 2 || split.columns.length >= whole.columns.length)
    return false;
  const [own, base] = [nameWords(split.name), nameWords(whole.name)];
  if (own.length <= base.length || !base.every((word, at) => own[at] === word)) return false;
  return split.columns.every((column) => sameNamed(column, whole) !== undefined);
}

function sameNamed(column: Column, table: Table): Column | undefined {
  const lower = column.name.toLowerCase();
  return table.columns.find(({ name }) => name.toLowerCase() === lower);
}

/** Lower-case names: the whole table's primary key, and what a declared key ties. */
function joiningColumns(split: Table, whole: Table, catalog: Catalog): ReadonlySet<string> {
  const ids = new Set([
    ...whole.primaryKey,
    ...split.primaryKey,
    ...catalog.foreignKeys
      .filter(({ fromTable, toTable }) => fromTable === split.id || toTable === split.id)
      .flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]),
  ]);
  return new Set(
    [...split.columns, ...whole.columns]
      .filter(({ id }) => ids.has(id))
      .map(({ name }) => name.toLowerCase()),
  );
}

/** Tables of a key and a name are alike everywhere; with this many columns the same, chance is not the reason. */
const LEAST_COLUMNS = 2;
const MOST_CHOICES = 5;

/**
 * Tables that hold the same columns under other names, where the question means one of them and its words fit none
 * better than the others. What says so is the name of one, or a column that only they have.
 */
function findCopiedTables(
  question: string,
  asked: readonly AskedWord[],
  catalog: Catalog,
): readonly AmbiguousPart[] {
  return copiesOf(catalog).flatMap((tables): AmbiguousPart[] => {
    const places = tables.map(({ name }) => placeName(name, asked));
    const fits = places.map((place) => (place === undefined || place.share < LEAST_SHARE ? 0 : place.share));
    const [best = 0] = [...fits].sort((left, right) => right - left);
    const isNamedAlone = best > 0 && fits.filter((fit) => fit === best).length === 1;
    if (isNamedAlone) return [];
    const place = best > 0 ? places[fits.indexOf(best)] : placeOwnColumn(tables, asked, catalog);
    if (place === undefined) return [];
    const { start, end } = place;
    const choices = tables
      .filter((_, at) => fits[at] === best)
      .slice(0, MOST_CHOICES)
      .map(({ id, name }) => ({ label: name, ids: [id] }));
    return [{ phrase: question.slice(start, end), span: { start, end }, kind: 'table', choices }];
  });
}

/** A schema is asked many questions; its tables are compared once. */
const known = new WeakMap<Catalog, readonly (readonly Table[])[]>();

function copiesOf(catalog: Catalog): readonly (readonly Table[])[] {
  const before = known.get(catalog);
  if (before !== undefined) return before;
  const alike = new Map<string, Table[]>();
  for (const table of catalog.tables) {
    if (table.columns.length < LEAST_COLUMNS) continue;
    const columns = table.columns.map(({ name, family }) => `${name.toLowerCase()} ${family}`);
    const key = columns.sort().join('\n');
    alike.set(key, [...(alike.get(key) ?? []), table]);
  }
  const groups = [...alike.values()].filter((tables) => tables.length > 1);
  known.set(catalog, groups);
  return groups;
}

/** Where the question names a column best that no other table has; undefined where another table's fits as well. */
function placeOwnColumn(
  tables: readonly Table[],
  asked: readonly AskedWord[],
  catalog: Catalog,
): NamePlace | undefined {
  const others = catalog.tables.filter((table) => !tables.includes(table));
  const isNamed = (table: Table): boolean => (placeName(table.name, asked)?.share ?? 0) >= LEAST_SHARE;
  const elsewhere = new Set(others.flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase())));
  const isOtherNamed = others.some(isNamed);
  let best: NamePlace | undefined;
  for (const { name } of tables[0]?.columns ?? []) {
    const lower = name.toLowerCase();
    if (elsewhere.has(lower) && isOtherNamed) continue;
    const place = placeName(name, asked);
    if (place !== undefined && place.share >= LEAST_SHARE && place.share > (best?.share ?? 0)) best = place;
  }
  return best;
}

type Aggregate = 'max' | 'min' | 'avg' | 'sum' | 'count';

/** How columns that hold an aggregate are named. */
const NAMED: ReadonlyMap<string, Aggregate> = new Map([
  ['max', 'max'],
  ['maximum', 'max'],
  ['min', 'min'],
  ['minimum', 'min'],
  ['avg', 'avg'],
  ['average', 'avg'],
  ['mean', 'avg'],
  ['sum', 'sum'],
  ['total', 'sum'],
  ['count', 'count'],
]);

/** How people ask for one; superlatives in -est are read as either end. */
const SAID: Readonly<Record<Aggregate, RegExp>> = {
  max: /\b(max|maximum|most|top|latest|last|\p{L}{2,}est)\b/iu,
  min: /\b(min|minimum|least|earliest|first|\p{L}{2,}est)\b/iu,
  avg: /\b(avg|average|averages|averaged|mean)\b/iu,
  sum: /\b(sum|total|totals|altogether|overall|how (?:many|much)|combined)\b/iu,
  count: /\b(count|number of|how many)\b/iu,
};

/** Questions for an aggregate of a column where another column already holds that aggregate: `avg_age` beside `age`. */
function findPrecomputed(
  question: string,
  asked: readonly AskedWord[],
  catalog: Catalog,
): readonly AmbiguousPart[] {
  const columns = catalog.tables.flatMap((table) => table.columns);
  const byName = new Map<string, Column[]>();
  for (const column of columns) {
    const key = nameWords(column.name).join(' ');
    const named = byName.get(key);
    if (named === undefined) byName.set(key, [column]);
    else named.push(column);
  }
  return columns.flatMap((made) => {
    const [head = '', ...rest] = nameWords(made.name);
    const aggregate = NAMED.get(head);
    if (aggregate === undefined || rest.length === 0 || !SAID[aggregate].test(question)) return [];
    const raw = (byName.get(rest.join(' ')) ?? []).filter((column) => isBasis(column, made)).slice(0, 4);
    const [first] = raw;
    const place = first === undefined ? undefined : placeName(first.name, asked);
    if (place === undefined || place.share < LEAST_SHARE) return [];
    return [
      {
        phrase: question.slice(place.start, place.end),
        span: { start: place.start, end: place.end },
        kind: 'aggregate' as const,
        choices: [
          ...raw.map(({ id, tableId, name }) => ({
            label: `${aggregate} of ${name} over the rows of ${tableId}`,
            ids: [id],
          })),
          { label: `${made.name} as ${made.tableId} holds it`, ids: [made.id] },
        ],
      },
    ];
  });
}

/** A column of the same table, or of one that the table of aggregates is named after. */
function isBasis(raw: Column, made: Column): boolean {
  const [base, own] = [nameWords(raw.tableId), new Set(nameWords(made.tableId))];
  return base.every((word) => own.has(word));
}
