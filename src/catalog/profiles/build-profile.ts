/** From what the statements brought back to the profile of one column. */
import { nameWords } from '../../language/index.ts';
import { figureOf } from '../../results/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type {
  Column,
  ColumnProfile,
  ColumnStatistics,
  SampleMethod,
  SemanticClass,
  Table,
  TypeFamily,
} from '../schema/catalog.ts';
import { familyOfValues, findPattern, isDecidedByValues } from '../schema/type-family.ts';
import { findPii, type PiiSettings } from './find-pii.ts';
import { findShape } from './find-shape.ts';
import type { Groups, Summary } from './table-scan.ts';

const EXAMPLES = 10;
/** Lists of values this long are kept whole. */
const MOST_LISTED = 30;
const EXAMPLE_CHARS = 80;
const TOP_VALUES = 20;
/** A sketch that finds this share of the rows distinct may be of a key: it is right within some percent. */
const NEARLY_ALL = 0.9;
/** Values whose form is looked at. */
const SHAPED_VALUES = 1_000;

/** Everything that is known of a column when its table has been read. */
export interface ColumnFindings {
  readonly table: Table;
  readonly column: Column;
  readonly dialect: DialectName;
  readonly rowCount: number;
  /** Rows that the summary is of. */
  readonly countedRows: number;
  readonly summary: Summary;
  readonly groups: Groups | undefined;
  /** Rows that the groups are of. */
  readonly scannedRows: number;
  readonly sampledBy: SampleMethod | undefined;
  /** A part of a declared foreign key. */
  readonly isForeignKey: boolean;
  readonly pii: PiiSettings | undefined;
}

/** The column with the family that its values have, and its profile. */
export function buildProfile(findings: ColumnFindings): Column {
  const family = decideFamily(findings);
  const column = { ...findings.column, family };
  const texts = (findings.groups?.values ?? []).flatMap(({ value, count }) => {
    const text = toText(value, family);
    return text === undefined ? [] : [[text, count] as const];
  });
  const words = texts.map(([text]) => text);
  const pii = findPii(column, words, findings.pii);
  const pattern = patternOf(findings, family);
  const { summary } = findings;
  const extremes = { min: toText(summary.min, family), max: toText(summary.max, family) };
  const isWithheld = pii?.isWithheld === true;
  const statistics = isWithheld
    ? formOf(findings, family, texts)
    : { ...statisticsOf(findings, family), topValues: topOf(texts), ...formOf(findings, family, texts) };
  const profile: ColumnProfile = {
    ...countsOf(findings),
    ...(isWithheld || extremes.min === undefined ? {} : { min: extremes.min }),
    ...(isWithheld || extremes.max === undefined ? {} : { max: extremes.max }),
    examples: isWithheld ? [] : words.slice(0, EXAMPLES),
    ...(isWithheld ? {} : wholeList(findings, words)),
    ...(pattern === undefined ? {} : { pattern }),
    semanticClass: findSemanticClass(column, {
      isKey: findings.isForeignKey || findings.table.primaryKey.includes(column.id),
      valueRows: findings.groups?.valueRows ?? 0,
      distinctCount: findings.groups?.distinctCount ?? 0,
      meanLength: summary.lengths?.mean ?? 0,
      pattern,
      ...extremes,
      values: words.slice(0, SHAPED_VALUES),
    }),
    ...(pii === undefined ? {} : { pii }),
    ...(words.length === 0 ? {} : { statistics }),
  };
  return { ...column, profile };
}

function decideFamily({ column, dialect, summary, groups }: ColumnFindings): TypeFamily {
  if (!isDecidedByValues(dialect, column)) return column.family;
  const cells = (groups?.values ?? []).map(({ value }) => value);
  if (summary.count === 0 || cells.some((value) => value instanceof Uint8Array)) return column.family;
  // The extremes are of all rows, so a stray value beyond the kept ones still shows.
  return familyOfValues(column.family, [...cells, summary.min, summary.max]);
}

function patternOf({ groups, summary }: ColumnFindings, family: TypeFamily): ColumnProfile['pattern'] {
  // Some engines bring numbers as text, too.
  if (family === 'number' || family === 'boolean' || summary.count === 0) return undefined;
  const seen = [...(groups?.values ?? []).map(({ value }) => value), summary.min, summary.max].filter(
    (value) => value !== null,
  );
  const texts = seen.filter((value) => typeof value === 'string');
  return texts.length === seen.length ? findPattern(texts) : undefined;
}

function countsOf({ summary, groups, ...findings }: ColumnFindings) {
  const { scannedRows, sampledBy, countedRows } = findings;
  const distinctCount = groups?.distinctCount ?? 0;
  const bySample = estimateDistinct(groups, summary.count * (findings.rowCount / Math.max(1, countedRows)));
  const estimate = countedRows < findings.rowCount ? bySample : ofAllRows(summary, bySample);
  return {
    scannedRows,
    ...(sampledBy === undefined ? {} : { sampledBy }),
    countedRows,
    nullCount: countedRows - summary.count,
    distinctCount,
    ...(sampledBy === undefined || estimate === undefined ? {} : { distinctEstimate: estimate }),
  };
}

/** A sketch of all rows knows more than a sample, but not whether each value stands there once. */
function ofAllRows({ count, nearlyDistinct }: Summary, bySample: number | undefined): number | undefined {
  if (nearlyDistinct === undefined || bySample === undefined) return bySample;
  const mayBeKey = bySample === count && nearlyDistinct >= NEARLY_ALL * count;
  return mayBeKey ? bySample : Math.min(count, nearlyDistinct);
}

/**
 * How many distinct values a table has by a sample of it: Duj1 of Haas and Stokes 1998, d·n / (n − f1 + f1·n/N) with
 * n sampled of N rows, d distinct values in the sample, f1 of them once. PostgreSQL's ANALYZE uses the same.
 */
export function estimateDistinct(groups: Groups | undefined, valueRows: number): number | undefined {
  if (groups === undefined || groups.valueRows === 0) return undefined;
  const { valueRows: sampled, distinctCount, onceCount } = groups;
  const all = Math.max(sampled, valueRows);
  const estimate = (distinctCount * sampled) / (sampled - onceCount + (onceCount * sampled) / all);
  return Math.round(Math.min(all, Math.max(distinctCount, estimate)));
}

function statisticsOf({ groups, summary }: ColumnFindings, family: TypeFamily): ColumnStatistics {
  if (family !== 'number' && family !== 'time') return {};
  const isNumber = (cell: Cell): boolean => typeof cell !== 'string' || figureOf(cell) !== undefined;
  const isNumeric = family === 'number' && isNumber(summary.min) && isNumber(summary.max);
  const mean = isNumeric && Number.isFinite(summary.mean) ? { mean: summary.mean } : {};
  const steps = groups?.steps.map((value) => toText(value, family)) ?? [];
  const known = steps.filter((step) => step !== undefined);
  const min = toText(summary.min, family);
  if (known.length !== 20 || min === undefined) return mean;
  const at = (percent: number) => known[percent / 5 - 1] ?? min;
  const bounds = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map(at);
  return { ...mean, quartiles: [at(25), at(50), at(75)], histogram: [min, ...bounds] };
}

function topOf(texts: readonly (readonly [string, number])[]): ColumnStatistics['topValues'] {
  return texts.slice(0, TOP_VALUES).map(([value, count]) => ({ value, count }));
}

function wholeList({ groups, sampledBy }: ColumnFindings, words: readonly string[]): Partial<ColumnProfile> {
  const isWhole = sampledBy === undefined && groups?.distinctCount === words.length;
  if (!isWhole || words.length <= EXAMPLES || words.length > MOST_LISTED) return {};
  return { allValues: [...words].sort() };
}

/** What texts look like; it gives away no text. */
function formOf(
  { summary }: ColumnFindings,
  family: TypeFamily,
  texts: readonly (readonly [string, number])[],
): ColumnStatistics {
  if (family !== 'text') return {};
  const shape = findShape(texts.slice(0, SHAPED_VALUES));
  return {
    ...(summary.lengths === undefined ? {} : { lengths: summary.lengths }),
    ...(shape === undefined ? {} : { shape }),
  };
}

/** A value as it is shown; a number is written the same whether the engine brought it as a number or as text. */
function toText(value: Cell, family: TypeFamily): string | undefined {
  if (value === null || value instanceof Uint8Array) return undefined;
  const text = String(value);
  // With the exponent that Trino writes to every double: 8.7489E2.
  const isPlain =
    family === 'number' && typeof value === 'string' && /^[+-]?\d*\.?\d*(?:E[+-]?\d+)?$/i.test(text);
  if (isPlain && text.replace(/\D/g, '').length <= 15) return String(Number(text));
  return text.slice(0, EXAMPLE_CHARS);
}

// What a column is for, by rules over its declaration and its profile (evidence level L1).

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
