import { type Phrase, phrase, same } from '../phrase.ts';

/** Choosing between values, and what may be NULL. */
export const CONDITION_PHRASES: readonly Phrase[] = [
  phrase({
    all: ['COALESCE(_a, _b)', 'IFNULL(_a, _b)'],
    snowflake: ['COALESCE(_a, _b)', 'IFNULL(_a, _b)', 'NVL(_a, _b)'],
    'postgres trino': 'COALESCE(_a, _b)',
  }),
  ...same('COALESCE(_a, _rest); NULLIF(_a, _b)'),
  phrase({
    sqlite: ['IIF(_c, _a, _b)', 'IF(_c, _a, _b)'],
    'mysql trino bigquery': 'IF(_c, _a, _b)',
    snowflake: 'IFF(_c, _a, _b)',
    duckdb: ['>CASE WHEN _c THEN _a ELSE _b END', 'IF(_c, _a, _b)', 'IIF(_c, _a, _b)'],
    postgres: '>CASE WHEN _c THEN _a ELSE _b END',
  }),
  phrase({
    snowflake: 'NVL2(_a, _b, _c)',
    all: '>CASE WHEN NOT _a IS NULL THEN _b ELSE _c END',
  }),
  phrase({ snowflake: 'ZEROIFNULL(_a)', all: '>COALESCE(_a, 0)' }),
  phrase({ snowflake: 'NULLIFZERO(_a)', all: '>NULLIF(_a, 0)' }),
  phrase({
    bigquery: 'SAFE_DIVIDE(_a, _b)',
    'duckdb mysql snowflake': '>_a / NULLIF(_b, 0)',
    sqlite: '>CAST(_a AS REAL) / NULLIF(_b, 0)',
    postgres: '>CAST(_a AS DOUBLE PRECISION) / NULLIF(_b, 0)',
    trino: '>CAST(_a AS DOUBLE) / NULLIF(_b, 0)',
  }),
  phrase({
    snowflake: 'DIV0(_a, _b)',
    all: '>CASE WHEN _b = 0 THEN 0 ELSE _a / _b END',
    sqlite: '>CASE WHEN _b = 0 THEN 0 ELSE CAST(_a AS REAL) / _b END',
    postgres: '>CASE WHEN _b = 0 THEN 0 ELSE CAST(_a AS NUMERIC) / _b END',
    trino: '>CASE WHEN _b = 0 THEN 0 ELSE CAST(_a AS DOUBLE) / _b END',
  }),
  phrase({
    snowflake: ['>_a IS NOT DISTINCT FROM _b', 'EQUAL_NULL(_a, _b)'],
    all: '>_a IS NOT DISTINCT FROM _b',
    mysql: '>_a <=> _b',
  }),
  ...(['GREATEST', 'LEAST'] as const).map((name) =>
    phrase(
      {
        sqlite: `${name === 'GREATEST' ? 'MAX' : 'MIN'}(_a, _b, _rest)`,
        all: `${name}(_a, _b, _rest)`,
      },
      {
        nuance: {
          groups: ['postgres duckdb', 'sqlite mysql trino snowflake bigquery'],
          how: `${name} of a NULL and a value is the value in one and NULL in the other`,
        },
      },
    ),
  ),
];
