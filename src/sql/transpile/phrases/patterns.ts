import { type Phrase, phrase } from '../phrase.ts';

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
