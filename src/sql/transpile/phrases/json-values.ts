import { type Phrase, phrase } from './phrase.ts';

/** A scalar as a text. SQLite gives a number for a number. */
export const JSON_TEXT = phrase(
  {
    sqlite: ["_json ->> '_path'", "JSON_EXTRACT(_json, '_path')"],
    duckdb: ["_json ->> '_path'", "JSON_EXTRACT_STRING(_json, '_path')"],
    mysql: ["_json ->> '_path'", "JSON_UNQUOTE(JSON_EXTRACT(_json, '_path'))"],
    postgres: "_json #>> '_keys'",
    trino: ["JSON_EXTRACT_SCALAR(_json, '_path')", "JSON_VALUE(_json, '_path')"],
    snowflake: "JSON_EXTRACT_PATH_TEXT(_json, '_dots')",
    bigquery: ["JSON_VALUE(_json, '_path')", "JSON_EXTRACT_SCALAR(_json, '_path')"],
  },
  {
    nuance: {
      groups: ['sqlite', 'duckdb mysql postgres trino snowflake bigquery'],
      how: 'a number in JSON is read as a number in one and as a text in the other',
    },
  },
);

/** A part as JSON. */
export const JSON_PART = phrase({
  'sqlite duckdb mysql': "_json -> '_path'",
  postgres: "_json #> '_keys'",
  trino: "JSON_EXTRACT(_json, '_path')",
  bigquery: ["JSON_QUERY(_json, '_path')", "JSON_EXTRACT(_json, '_path')"],
});

/** Reading out of JSON. */
export const JSON_PHRASES: readonly Phrase[] = [
  JSON_TEXT,
  JSON_PART,
  phrase({
    mysql: ["JSON_EXTRACT(_json, '_path')"],
    duckdb: ["JSON_EXTRACT(_json, '_path')"],
    sqlite: ">_json -> '_path'",
    postgres: ">_json #> '_keys'",
    trino: ">JSON_EXTRACT(_json, '_path')",
    bigquery: ">JSON_QUERY(_json, '_path')",
  }),
  phrase({ 'postgres duckdb sqlite': '_json -> _key' }),
  phrase(
    { 'postgres duckdb sqlite': '_json ->> _key' },
    {
      nuance: {
        groups: ['sqlite', 'duckdb postgres'],
        how: 'a number in JSON is read as a number in one and as a text in the other',
      },
    },
  ),
  phrase({
    'sqlite duckdb': 'JSON_ARRAY_LENGTH(_json)',
    mysql: 'JSON_LENGTH(_json)',
    postgres: 'JSONB_ARRAY_LENGTH(_json)',
    trino: 'JSON_ARRAY_LENGTH(_json)',
  }),
  phrase({ 'sqlite duckdb mysql': 'JSON_VALID(_json)' }),
];
