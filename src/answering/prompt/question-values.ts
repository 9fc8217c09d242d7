/** Which stored values the words of a question are like, and which of its names are stored nowhere. */
import { hasWholeList } from '../../catalog/prompt-schema/index.ts';
import type { Retrieved } from '../../knowledge/retrieve/index.ts';
import type { Session } from '../../session/index.ts';

type Found = Retrieved['values'][number]['item'];
type FoundValue = Found['values'][number];

export interface ValueSources extends Pick<Session, 'values' | 'catalog'> {
  readonly retrieved?: Retrieved | null | undefined;
  /** What people wrote, which may speak of a name, too. */
  readonly written: readonly string[];
}

/** A line for each word and column; none for a word that stands only in lists which the schema has whole. */
export function valueLines(question: string, sources: ValueSources): readonly string[] {
  const { retrieved, catalog } = sources;
  const all = (retrieved?.values ?? []).map(({ item }) => item);
  const stored = all.flatMap(({ values }) => values.filter(isTheWord).map(({ keyword }) => keyword));
  const names = namesIn(question);
  const isTold = (value: FoundValue): boolean =>
    isTelling(value) &&
    (isTheWord(value) || !stored.includes(value.keyword)) &&
    (names.includes(value.keyword) || !isOfSchema(value.keyword, catalog));
  const found = withoutLinks(all, catalog).map((item) => ({ ...item, values: item.values.filter(isTold) }));
  const listed = listedColumns(catalog);
  const worth = new Set(
    found.flatMap(({ columnId, values }) =>
      listed.has(columnId) ? [] : values.map(({ keyword }) => keyword),
    ),
  );
  const unknown = names.filter(
    (name) =>
      !stored.some((word) => word.toLowerCase().includes(name.toLowerCase())) && isUnknown(name, sources),
  );
  return [
    ...found
      .map(({ columnId, values }) =>
        foundLine(
          columnId,
          values.filter(({ keyword }) => worth.has(keyword)),
        ),
      )
      .filter((line) => line !== ''),
    ...unknown.map((name) => `“${name}”: nothing stored is like it`),
  ];
}

/** Without columns that lead to another in which something was found as well. */
function withoutLinks(found: readonly Found[], { foreignKeys }: Session['catalog']): readonly Found[] {
  const ids = new Set(found.map(({ columnId }) => columnId));
  const links = new Set(
    foreignKeys.flatMap(({ fromColumns, toColumns: [to = ''] }) => (ids.has(to) ? fromColumns : [])),
  );
  return found.filter(({ columnId }) => !links.has(columnId));
}

function listedColumns({ tables }: Session['catalog']): ReadonlySet<string> {
  return new Set(tables.flatMap(({ columns }) => columns.filter(hasWholeList).map(({ id }) => id)));
}

/** Runs of words in capitals that do not merely begin the question, and what stands in quotes. */
function namesIn(question: string): readonly string[] {
  const sentences = question.split(/(?<=[\p{L}\p{N}]{3}[.?!])\s+/u);
  return distinct(
    sentences
      .flatMap((sentence) =>
        [...sentence.matchAll(NAME)].map(({ 0: run, 1: quoted, index }) =>
          quoted === undefined && index === 0 ? run.split(/\s+/).slice(1).join(' ') : (quoted ?? run),
        ),
      )
      .map((name) => name.replace(/[.&-]+$/, '')),
  ).filter((name) => name.length > 2 && !NAMES_OF_TIME.test(name));
}

const NAME = /["“'‘]([^"”'’]{2,60})["”'’](?!\p{L})|\p{Lu}[\p{L}\p{N}&.-]+(?:\s+\p{Lu}[\p{L}\p{N}&.-]+)*/gu;

/** Names of times, and of the engine: nobody stores these. */
const NAMES_OF_TIME =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?$|^(?:Q[1-4]|FY\s?\d+|H[12]|YTD|MTD|\w*SQL(?:ite)?|DuckDB|Trino|Snowflake|BigQuery|MariaDB)$/i;

/** The engine looks through names and stored values; what people wrote may speak of it, too. */
function isUnknown(name: string, { values, catalog, written }: ValueSources): boolean {
  const folded = name.toLowerCase();
  if (written.some((text) => text.toLowerCase().includes(folded))) return false;
  const named = catalog.tables.some(
    ({ name: table, columns }) =>
      isNamed(table, folded) || columns.some((column) => isNamed(column.name, folded)),
  );
  const [like] = values.similar(name, { limit: 1 });
  return !named && values.lookup(name).length === 0 && (like?.jaccard ?? 0) < LIKE;
}

function isNamed(name: string, folded: string): boolean {
  return name.toLowerCase().replaceAll('_', ' ').includes(folded.replace(/s$/, ''));
}

/** Who says a word of the schema means what is called so, unless it is written as a name. */
function isOfSchema(word: string, { tables }: Session['catalog']): boolean {
  const folded = word.toLowerCase().replace(/s$/, '');
  const isIt = (name: string): boolean => name.toLowerCase().replace(/s$/, '') === folded;
  return tables.some(({ name, columns }) => isIt(name) || columns.some((column) => isIt(column.name)));
}

/** Spellings that are merely like a word are many and mostly chance; those that nearly are it, are not. */
const NEARLY = 0.85;
/** Common 3-grams from which on a name may be a stored one, written otherwise. */
const LIKE = 0.3;
const SHORT = 5;
const MOST_VALUES = 6;

/** Blanks around a value are seen in quotes alone. */
function asStored(value: string): string {
  return value === value.trim() ? value : JSON.stringify(value);
}

function foundLine(columnId: string, told: readonly FoundValue[]): string {
  const words = distinct(told.map(({ keyword }) => keyword));
  const lines = words.map((word) => {
    const like = told.filter(({ keyword }) => keyword === word).slice(0, MOST_VALUES);
    return `“${word}” ${columnId}: ${like.map(({ value }) => asStored(value)).join(' | ')}`;
  });
  return lines.join('; ');
}

/** A number is in many columns, and a short word is the stem of many values. */
function isTelling(value: FoundValue): boolean {
  if (/^\d{1,4}$/.test(value.keyword)) return false;
  return isTheWord(value) || (value.keyword.length >= SHORT && value.ratio >= NEARLY);
}

function isTheWord({ match }: FoundValue): boolean {
  return match === 'exact' || match === 'folded';
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
