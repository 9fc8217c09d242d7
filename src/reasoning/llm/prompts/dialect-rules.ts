import type { DialectName } from '../../../sql/index.ts';

/** The engine as its makers write it, and what of its SQL others get wrong most. */
export interface DialectRules {
  readonly engine: string;
  readonly lines: readonly string[];
}

/** Names, dates, texts, divisions, limits and NULLs, each where the dialect has a way of its own. */
export const DIALECT_RULES: Readonly<Record<DialectName, DialectRules>> = {
  sqlite: {
    engine: 'SQLite',
    lines: [
      'Names with spaces or signs stand in double quotes, texts in single quotes.',
      "Dates are texts: STRFTIME('%Y', d) = '2024', DATE(d, '-1 month'), JULIANDAY(a) - JULIANDAY(b).",
      'Whole numbers divide to whole numbers: CAST(a AS REAL) / b. SUBSTR, INSTR, ||, IIF; no ILIKE, CONCAT or YEAR.',
    ],
  },
  duckdb: {
    engine: 'DuckDB',
    lines: [
      'Names with spaces or signs stand in double quotes, texts in single quotes.',
      "DATE '2024-01-31', YEAR(d), DATE_TRUNC('month', d), STRFTIME(d, '%Y-%m'), DATE_DIFF('day', a, b).",
      '/ gives a fraction, // a whole number. ILIKE, ||, QUALIFY.',
    ],
  },
  postgres: {
    engine: 'PostgreSQL',
    lines: [
      'Names with capitals, spaces or signs stand in double quotes, texts in single quotes.',
      "DATE '2024-01-31', EXTRACT(YEAR FROM d), DATE_TRUNC('month', d), TO_CHAR(d, 'YYYY-MM'), d + INTERVAL '1 day'.",
      'Whole numbers divide to whole numbers: CAST(a AS NUMERIC) / b; ROUND(x, 2) needs NUMERIC. ILIKE, ||.',
    ],
  },
  mysql: {
    engine: 'MySQL',
    lines: [
      'Names with spaces or signs, and reserved words, stand in backticks; texts in single quotes.',
      "YEAR(d), DATE_FORMAT(d, '%Y-%m'), DATE_SUB(d, INTERVAL 1 MONTH), DATEDIFF(a, b).",
      '/ gives a fraction, DIV a whole number. CONCAT, not ||. No FULL JOIN, no ILIKE; no NULLS LAST: ORDER BY x IS NULL, x.',
    ],
  },
  trino: {
    engine: 'Trino',
    lines: [
      'Names with spaces or signs stand in double quotes, texts in single quotes.',
      "DATE '2024-01-31', YEAR(d), DATE_TRUNC('month', d), DATE_FORMAT(d, '%Y-%m'), DATE_DIFF('day', a, b).",
      'Whole numbers divide to whole numbers: CAST(a AS DOUBLE) / b. Types are never converted by themselves: CAST. LOWER(x) LIKE, no ILIKE; OFFSET stands before LIMIT.',
    ],
  },
  snowflake: {
    engine: 'Snowflake',
    lines: [
      'Write tables with everything the schema puts before them. Names that are not in capitals stand in double quotes, texts in single quotes.',
      "TO_DATE, YEAR(d), DATE_TRUNC('MONTH', d), TO_CHAR(d, 'YYYY-MM'), DATEDIFF('day', a, b).",
      '/ gives a fraction. ILIKE, ||, QUALIFY. Inside a VARIANT: v:key::STRING; its lists: LATERAL FLATTEN(input => v).',
    ],
  },
  bigquery: {
    engine: 'BigQuery',
    lines: [
      'Write tables with everything the schema puts before them, the whole path in one pair of backticks; texts stand in single quotes.',
      "DATE '2024-01-31', EXTRACT(YEAR FROM d), DATE_TRUNC(d, MONTH), FORMAT_DATE('%Y-%m', d), DATE_DIFF(a, b, DAY).",
      '/ gives a fraction, DIV(a, b) a whole number, SAFE_DIVIDE does not fail at 0. LOWER(x) LIKE, no ILIKE. Lists: UNNEST.',
    ],
  },
};
