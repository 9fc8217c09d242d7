import { type Phrase, phrase, same } from './phrase.ts';

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

const FLAVOURS = {
  groups: ['postgres', 'duckdb bigquery', 'mysql', 'trino', 'snowflake', 'sqlite'],
  how: 'regular expressions have different signs',
};

/** Regular expressions. Snowflake's and DuckDB's operators must match the whole text, all others a part of it. */
export const PATTERN_PHRASES: readonly Phrase[] = [
  phrase({
    // The operator is there, the function behind it only where someone added it.
    sqlite: '<_text REGEXP _pattern',
    mysql: ['_text REGEXP _pattern', 'REGEXP_LIKE(_text, _pattern)'],
    postgres: ['_text ~ _pattern', 'REGEXP_LIKE(_text, _pattern)'],
    duckdb: 'REGEXP_MATCHES(_text, _pattern)',
    trino: 'REGEXP_LIKE(_text, _pattern)',
    snowflake: 'REGEXP_INSTR(_text, _pattern) > 0',
    bigquery: 'REGEXP_CONTAINS(_text, _pattern)',
  }),
  phrase({
    postgres: ['_text ~* _pattern', "REGEXP_LIKE(_text, _pattern, 'i')"],
    duckdb: ["REGEXP_MATCHES(_text, _pattern, 'i')"],
    mysql: "REGEXP_LIKE(_text, _pattern, 'i')",
    snowflake: "REGEXP_INSTR(_text, _pattern, 1, 1, 0, 'i') > 0",
  }),
  phrase({
    duckdb: ['REGEXP_FULL_MATCH(_text, _pattern)', '_text ~ _pattern'],
    snowflake: ['REGEXP_LIKE(_text, _pattern)', 'RLIKE(_text, _pattern)', '_text RLIKE _pattern'],
  }),
  phrase(
    {
      'postgres duckdb': "REGEXP_REPLACE(_text, _pattern, _new, 'g')",
      'mysql trino snowflake bigquery': 'REGEXP_REPLACE(_text, _pattern, _new)',
    },
    { nuance: FLAVOURS },
  ),
  phrase({ 'postgres duckdb': 'REGEXP_REPLACE(_text, _pattern, _new)' }),
  phrase(
    {
      'trino duckdb bigquery': 'REGEXP_EXTRACT(_text, _pattern)',
      'mysql snowflake postgres': 'REGEXP_SUBSTR(_text, _pattern)',
    },
    { nuance: FLAVOURS },
  ),
];
