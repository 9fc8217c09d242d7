/** What a column is for, by rules over its declaration and its profile (evidence level L1). */
import type { Column, SemanticClass } from './catalog.ts';
import { nameWords } from './name-words.ts';

/** What the rules look at. */
export interface ClassFacts {
  /** A part of the primary key or of a declared foreign key. */
  readonly isKey: boolean;
  readonly valueRows: number;
  readonly distinctCount: number;
  /** Characters of a value on average. */
  readonly meanLength: number;
  readonly pattern?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** The most frequent values. */
  readonly values: readonly string[];
}

const KEY_WORDS = new Set(['id', 'key', 'uuid', 'guid']);
const SEMI_STRUCTURED_TYPE =
  /json|variant|array|struct|\bmap\b|^map|\brow\b|^row|object|list|hstore|xml|[\])]$/i;
const GEO_TYPE = /geo|^(point|polygon|line(string)?|multi(point|polygon|linestring)|circle|box|path)/i;
const GEO_WORDS = new Set([
  'lat',
  'latitude',
  'lon',
  'lng',
  'long',
  'longitude',
  'geo',
  'geom',
  'geometry',
  'coordinates',
]);
const TWO_VALUED: readonly ReadonlySet<string>[] = [
  ['0', '1'],
  ['y', 'n'],
  ['yes', 'no'],
  ['true', 'false'],
  ['t', 'f'],
].map((words) => new Set(words));

/** From this mean length on a text is prose. */
const PROSE_CHARS = 40;
const FEW_DISTINCT = 50;
const FEW_SHARE = 0.05;

/** The class of a column; one without values has only its declaration to go by. */
export function findSemanticClass(
  column: Pick<Column, 'name' | 'type' | 'family'>,
  facts: ClassFacts,
): SemanticClass {
  const words = nameWords(column.name);
  if (column.family === 'other') {
    if (GEO_TYPE.test(column.type)) return 'geo';
    return SEMI_STRUCTURED_TYPE.test(column.type) || isDocument(facts) ? 'semi_structured' : 'other';
  }
  if (facts.isKey || KEY_WORDS.has(words.at(-1) ?? '')) return 'key';
  if (column.family === 'boolean' || isTwoValued(facts)) return 'boolean';
  if (column.family === 'time' || (column.family === 'text' && areDates(facts))) return 'temporal';
  if (words.some((word) => GEO_WORDS.has(word)) && isCoordinate(column, facts)) return 'geo';
  if (facts.distinctCount === 0) return 'other';
  if (column.family === 'text') return classOfText(facts);
  const distinctShare = facts.distinctCount / facts.valueRows;
  return distinctShare > FEW_SHARE && facts.distinctCount > 2 ? 'measure' : 'category';
}

function classOfText(facts: ClassFacts): SemanticClass {
  if (isDocument(facts)) return 'semi_structured';
  if (facts.meanLength > PROSE_CHARS) return 'text';
  const { distinctCount, valueRows } = facts;
  if (isIdentifierLike(facts) && distinctCount > FEW_SHARE * valueRows) return 'identifier_like_text';
  if (distinctCount <= FEW_DISTINCT || distinctCount <= FEW_SHARE * valueRows) return 'category';
  return 'other';
}

function isTwoValued({ values, distinctCount }: ClassFacts): boolean {
  if (distinctCount !== 2) return false;
  const lower = values.slice(0, 2).map((value) => value.toLowerCase());
  return TWO_VALUED.some((pair) => lower.length === 2 && lower.every((value) => pair.has(value)));
}

/** The forms that dates are written in; a number alone is no date. */
const DATE_FORMS = [
  /^\d{4}-\d{1,2}-\d{1,2}([ T]\d{1,2}:\d\d.*)?$/,
  /^\d{1,2}[/.-]\d{1,2}[/.-](\d{4}|\d\d)( \d{1,2}:\d\d.*)?$/,
  /^\d{4}\/\d{1,2}\/\d{1,2}( \d{1,2}:\d\d.*)?$/,
  /^(\w{3}, )?\d{1,2}[ -](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ -]\d{2,4}/i,
  /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2},? \d{4}/i,
];

function areDates({ values }: ClassFacts): boolean {
  if (values.length === 0) return false;
  const dates = values.filter((value) => DATE_FORMS.some((form) => form.test(value.trim())));
  return dates.length >= 0.95 * values.length;
}

function isDocument({ values }: ClassFacts): boolean {
  return values.length > 0 && values.every((value) => /^\s*(\{.*|\[.*)/s.test(value));
}

function isCoordinate(column: Pick<Column, 'family'>, { min, max }: ClassFacts): boolean {
  if (column.family !== 'number') return true;
  return min === undefined || max === undefined || (Number(min) >= -180 && Number(max) <= 180);
}

/** One word each, nearly all with a digit: numbers of orders, codes of articles, hashes. */
function isIdentifierLike({ values, pattern }: ClassFacts): boolean {
  if (values.length === 0) return false;
  if (pattern === 'code' || pattern === 'number') return values.some((value) => /\d/.test(value));
  const alike = values.filter((value) => /^\S+$/.test(value) && /\d/.test(value));
  return alike.length >= 0.95 * values.length;
}
