import type { DialectName } from '../../../../sql/index.ts';
import type { WriteQuestion } from '../../../roles/write-reasoner.ts';

/** What of an engine's SQL others get wrong most. */
export interface DialectRules {
  /** What the schema's own spelling does not say of names. */
  readonly names?: string;
  readonly times: string;
  /** Moments kept as counts. */
  readonly epochs: string;
  readonly rest: string;
}

/** Names, dates, divisions, limits and NULLs, each where the dialect has a way of its own. */
export const DIALECT_RULES: Readonly<Record<DialectName, DialectRules>> = {
  sqlite: {
    times: "Dates are texts: STRFTIME('%Y', d) = '2024', DATE(d, '-1 month'), JULIANDAY(a) - JULIANDAY(b).",
    epochs: "Counts since 1970: DATE(s, 'unixepoch'), DATE(ms / 1000, 'unixepoch').",
    rest: 'Whole numbers divide to whole numbers: CAST(a AS REAL) / b; no ILIKE, no YEAR().',
  },
  duckdb: {
    times:
      "DATE '2024-01-31', YEAR(d), DATE_TRUNC('month', d), STRFTIME(d, '%Y-%m'), DATE_DIFF('day', a, b).",
    epochs: 'Counts since 1970: TO_TIMESTAMP(s), EPOCH_MS(ms).',
    rest: '/ gives a fraction, // a whole number. ILIKE, QUALIFY.',
  },
  postgres: {
    times:
      "DATE '2024-01-31', EXTRACT(YEAR FROM d), DATE_TRUNC('month', d), TO_CHAR(d, 'YYYY-MM'), d + INTERVAL '1 day'.",
    epochs: 'Counts since 1970: TO_TIMESTAMP(s), TO_TIMESTAMP(ms / 1000.0).',
    rest: 'Whole numbers divide to whole numbers: CAST(a AS NUMERIC) / b, and fail by zero: NULLIF(b, 0). ROUND(x, 2) needs NUMERIC.',
  },
  mysql: {
    times: "YEAR(d), DATE_FORMAT(d, '%Y-%m'), DATE_SUB(d, INTERVAL 1 MONTH), DATEDIFF(a, b).",
    epochs: 'Counts since 1970: FROM_UNIXTIME(s), FROM_UNIXTIME(ms / 1000).',
    rest: '/ gives a fraction, DIV a whole number. CONCAT, not ||. No FULL JOIN, no ILIKE; no NULLS LAST: ORDER BY x IS NULL, x.',
  },
  trino: {
    times:
      "DATE '2024-01-31', YEAR(d), DATE_TRUNC('month', d), DATE_FORMAT(d, '%Y-%m'), DATE_DIFF('day', a, b).",
    epochs: 'Counts since 1970: FROM_UNIXTIME(s), FROM_UNIXTIME(ms / 1000.0).',
    rest: 'Whole numbers divide to whole numbers: CAST(a AS DOUBLE) / b, and fail by zero: NULLIF(b, 0). Types are never converted by themselves: CAST. LOWER(x) LIKE, no ILIKE; OFFSET stands before LIMIT.',
  },
  snowflake: {
    names: 'Write tables with everything the schema puts before them.',
    times: "TO_DATE, YEAR(d), DATE_TRUNC('MONTH', d), TO_CHAR(d, 'YYYY-MM'), DATEDIFF('day', a, b).",
    epochs: 'Counts since 1970: TO_TIMESTAMP(s), TO_TIMESTAMP(ms, 3).',
    rest: '/ gives a fraction and fails by zero: NULLIF(b, 0). Inside a VARIANT: v:key::STRING; its lists: LATERAL FLATTEN(input => v).',
  },
  bigquery: {
    names:
      'Write tables with everything the schema puts before them, the whole path in one pair of backticks.',
    times:
      "DATE '2024-01-31', EXTRACT(YEAR FROM d), DATE_TRUNC(d, MONTH), FORMAT_DATE('%Y-%m', d), DATE_DIFF(a, b, DAY).",
    epochs: 'Counts since 1970: TIMESTAMP_SECONDS(s), TIMESTAMP_MILLIS(ms).',
    rest: '/ gives a fraction, DIV(a, b) a whole number, SAFE_DIVIDE does not fail at 0. LOWER(x) LIKE, no ILIKE. Lists: UNNEST.',
  },
};

/** Words and forms by which a schema shows that it holds times. */
const TIMES = /date|time|year|month|day|since 1970|\d{4}-\d\d|_(?:at|on|dt|ts)\b/i;

/** As the schema says it of a column. */
const EPOCHS = /seconds since 1970/;

/** What is to be known of the dialect over this schema. The question has no say in it, so that a service's cache serves them all. */
export function dialectLines({
  dialect,
  schema,
}: Pick<WriteQuestion, 'dialect' | 'schema'>): readonly string[] {
  const { names, times, epochs, rest } = DIALECT_RULES[dialect];
  return [
    ...(names === undefined ? [] : [names]),
    ...(TIMES.test(schema) ? [times, MONTHS_RULE] : []),
    ...(EPOCHS.test(schema) ? [epochs] : []),
    rest,
  ];
}

const MONTHS_RULE = 'Months are written YYYY-MM.';
