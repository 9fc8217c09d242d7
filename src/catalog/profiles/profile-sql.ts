/** How each engine is asked for a profile: the places where their SQL differs, as data. */
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { SampleMethod } from '../schema/catalog.ts';

/** Characters of one value that are carried; what is longer is cut, one document could fill the byte limit. */
export const CARRIED_CHARS = 200;

/** How a part of a table's rows is read: `{percent}` in [0, 100], `{share}` in [0, 1], `{million}` of a million rows. */
interface SampleSql {
  /** Stands after the table. */
  readonly clause?: string;
  /** Stands among the conditions. */
  readonly condition?: string;
  readonly method: SampleMethod;
  /** A sample that a statement names once is drawn once; else every part of the statement draws its own, the same. */
  readonly isDrawnOnce: boolean;
}

/** Aggregates that hold the values of a column, so that one pass is enough for all columns of a sample. */
export interface OnePassSql {
  /** The number of distinct values of `{0}`, and of those that stand there once. */
  readonly distinct: string;
  readonly once: string;
  /** A list of JSON with the `{2}` most frequent values of `{0}` and their counts, each shown as `{1}`. */
  readonly top: string;
  /** What a shown value of `top` is made of; one of `list` is `e`. */
  readonly value: string;
  /** The value of `{0}` that the share `{1}` of the rows does not exceed. */
  readonly step: string;
  /** A list of JSON of the values `{0}`, each shown as `{1}`. */
  readonly list: string;
  /** The number of distinct values of `{0}`, nearly, at the price of one more column of a summary. */
  readonly nearlyDistinct: string;
}

export interface ProfileSql {
  readonly sample: SampleSql;
  /** Of tables whose rows the engine may all read for it: exact shares where `sample` takes or leaves whole files. */
  readonly smallSample?: SampleSql;
  readonly onePass?: OnePassSql;
  /** A value as text, for results that hold columns of several types; `{0}` stays as it is where types are loose. */
  readonly asText: string;
  /** A text as it is grouped and ordered: enumerations and the like have an order and no collation of their own. */
  readonly textKey: string;
  /** A value as the whole text that is stored; nothing where it is none. */
  readonly wholeText: string;
  /** A text value, cut. */
  readonly cutText: string;
  /** Characters of a text. */
  readonly length: string;
  /** A text to compare by, the same on every server whatever its locale. */
  readonly orderText: string;
  /** A value as a number, to take the mean of. */
  readonly asNumber: string;
  readonly remainder: string;
  /** Declared types that can be counted only: no order, no equality, or an aggregate lacks. */
  readonly countedOnly: RegExp;
}

const STANDARD: ProfileSql = {
  sample: { clause: 'TABLESAMPLE SYSTEM ({percent})', method: 'random blocks', isDrawnOnce: true },
  asText: 'CAST({0} AS VARCHAR)',
  textKey: '{0}',
  wholeText: '{0}',
  cutText: `SUBSTR(CAST({0} AS VARCHAR), 1, ${CARRIED_CHARS})`,
  length: 'LENGTH(CAST({0} AS VARCHAR))',
  orderText: '{0}',
  asNumber: 'CAST({0} AS DOUBLE)',
  remainder: '{0} % {1}',
  countedOnly: /(?!)/,
};

/** Trino computes equal aggregates once. */
const TRINO_ONE_PASS: OnePassSql = {
  distinct: 'CARDINALITY(HISTOGRAM({0}))',
  once: 'CARDINALITY(FILTER(MAP_VALUES(HISTOGRAM({0})), n -> n = 1))',
  top: `TRANSFORM(SLICE(ARRAY_SORT(MAP_ENTRIES(HISTOGRAM({0})), (a, b) ->
    CASE WHEN a[2] > b[2] THEN -1 WHEN a[2] < b[2] THEN 1 WHEN a[1] < b[1] THEN -1 WHEN a[1] > b[1] THEN 1 ELSE 0 END), 1, {2}),
    e -> ROW({1}, e[2]))`,
  value: 'e[1]',
  step: 'ELEMENT_AT(ARRAY_SORT(ARRAY_AGG({0}) FILTER (WHERE {0} IS NOT NULL)), CAST(CEIL({1} * COUNT({0})) AS BIGINT))',
  list: 'TRANSFORM(ARRAY[{0}], e -> {1})',
  nearlyDistinct: 'APPROX_DISTINCT({0})',
};

/** The parts of SQL that profiling needs, by dialect. */
export const PROFILE_SQL: Readonly<Record<DialectName, ProfileSql>> = {
  sqlite: {
    ...STANDARD,
    // Row ids are near to consecutive; times a prime they scatter, so that neighbours do not come together.
    sample: {
      condition: 'ABS(t.rowid * 7919) % 1000003 < {million}',
      method: 'random rows',
      isDrawnOnce: true,
    },
    asText: '{0}',
    wholeText: `CASE WHEN TYPEOF({0}) = 'blob' THEN NULL ELSE CAST({0} AS TEXT) END`,
    cutText: `CASE WHEN LENGTH({0}) <= ${CARRIED_CHARS} THEN {0} WHEN TYPEOF({0}) = 'blob' THEN x'' ELSE SUBSTR({0}, 1, ${CARRIED_CHARS}) END`,
    length: 'LENGTH(CAST({0} AS TEXT))',
    asNumber: '{0}',
  },
  duckdb: {
    ...STANDARD,
    sample: {
      clause: 'TABLESAMPLE SYSTEM ({percent} PERCENT) REPEATABLE (7)',
      method: 'random blocks',
      isDrawnOnce: true,
    },
    asNumber: '{0}',
  },
  postgres: {
    ...STANDARD,
    sample: {
      clause: 'TABLESAMPLE SYSTEM ({percent}) REPEATABLE (7)',
      method: 'random blocks',
      isDrawnOnce: true,
    },
    asText: 'CAST({0} AS TEXT)',
    textKey: 'CAST({0} AS TEXT)',
    wholeText: 'CAST({0} AS TEXT)',
    cutText: `SUBSTR(CAST({0} AS TEXT), 1, ${CARRIED_CHARS})`,
    length: 'LENGTH(CAST({0} AS TEXT))',
    orderText: '{0} COLLATE "C"',
    asNumber: '{0}',
    countedOnly: /^(bit|varbit|money)/i,
  },
  mysql: {
    ...STANDARD,
    // MariaDB would write a named sample to disk for each use of it; a seed draws the same rows each time.
    sample: { condition: 'RAND(7) < {share}', method: 'random rows', isDrawnOnce: false },
    asText: 'CAST({0} AS CHAR)',
    cutText: `SUBSTR(CAST({0} AS CHAR), 1, ${CARRIED_CHARS})`,
    length: 'CHAR_LENGTH(CAST({0} AS CHAR))',
    asNumber: '{0}',
    countedOnly: /^bit/i,
  },
  trino: {
    ...STANDARD,
    smallSample: { clause: 'TABLESAMPLE BERNOULLI ({percent})', method: 'random rows', isDrawnOnce: true },
    onePass: TRINO_ONE_PASS,
  },
  snowflake: {
    ...STANDARD,
    sample: { clause: 'SAMPLE SYSTEM ({percent}) SEED (7)', method: 'random blocks', isDrawnOnce: true },
  },
  bigquery: {
    ...STANDARD,
    sample: { clause: 'TABLESAMPLE SYSTEM ({percent} PERCENT)', method: 'random blocks', isDrawnOnce: true },
    asText: 'CAST({0} AS STRING)',
    cutText: `SUBSTR(CAST({0} AS STRING), 1, ${CARRIED_CHARS})`,
    length: 'LENGTH(CAST({0} AS STRING))',
    asNumber: 'CAST({0} AS FLOAT64)',
    remainder: 'MOD({0}, {1})',
  },
};

/** Puts texts in the places of a template: `fillTemplate('MAX({0}) - {1}', 'a', 'b')` → `MAX(a) - b`. */
export function fillTemplate(template: string, ...texts: readonly string[]): string {
  return template.replace(/\{(\d)\}/g, (_, place: string) => texts[Number(place)] ?? '');
}
