/** Every phrase, the special before the general. */
import type { DialectName } from '../../dialects/dialect.ts';
import { indexTemplates, type Phrase, phrase, same, type Template } from './phrase.ts';
import { TEXT_PHRASES } from './texts.ts';
import { TIME_UNIT_PHRASES } from './time-units.ts';
import { TIME_PHRASES } from './times.ts';

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
const JSON_PHRASES: readonly Phrase[] = [
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

/** Functions and operators of numbers. ROUND, `/` and `%` have rules of their own. */
const NUMBER_PHRASES: readonly Phrase[] = [
  ...same(
    'ABS(_x); FLOOR(_x); SIGN(_x); SQRT(_x); EXP(_x); SIN(_x); COS(_x); TAN(_x); ASIN(_x); ACOS(_x); ATAN(_x)',
  ),
  ...same('ATAN2(_y, _x); PI()'),
  ...same('DEGREES(_x); RADIANS(_x)', 'bigquery'),
  phrase({ all: ['CEIL(_x)', 'CEILING(_x)'] }),
  phrase({
    all: ['POWER(_x, _y)', 'POW(_x, _y)'],
    postgres: ['POWER(_x, _y)', '_x ^ _y'],
    duckdb: ['POWER(_x, _y)', 'POW(_x, _y)', '_x ^ _y'],
  }),
  phrase({ all: 'LN(_x)', 'mysql bigquery': ['LN(_x)', 'LOG(_x)'] }),
  phrase({
    'sqlite duckdb': ['LOG10(_x)', 'LOG(_x)'],
    postgres: ['LOG(_x)', 'LOG10(_x)'],
    'mysql trino bigquery': 'LOG10(_x)',
    snowflake: 'LOG(10, _x)',
  }),
  phrase({
    'sqlite duckdb mysql trino': 'LOG2(_x)',
    postgres: 'LOG(2, _x)',
    snowflake: 'LOG(2, _x)',
    bigquery: 'LOG(_x, 2)',
  }),
  phrase({ 'sqlite duckdb mysql trino snowflake': 'LOG(_base, _x)', bigquery: 'LOG(_x, _base)' }),
  phrase({
    'sqlite duckdb postgres bigquery': 'TRUNC(_x)',
    mysql: 'TRUNCATE(_x, 0)',
    trino: 'TRUNCATE(_x)',
    snowflake: ['TRUNC(_x)', 'TRUNCATE(_x)'],
  }),
  phrase({
    'duckdb postgres snowflake bigquery': 'TRUNC(_x, _n)',
    'mysql trino': 'TRUNCATE(_x, _n)',
  }),
  phrase({
    duckdb: '_a // _b',
    mysql: '_a DIV _b',
    bigquery: 'DIV(_a, _b)',
    postgres: 'DIV(_a, _b)',
    snowflake: '>TRUNC(_a / _b)',
    sqlite: '>CAST(_a / _b AS INTEGER)',
    trino: '>CAST(TRUNCATE(_a / _b) AS BIGINT)',
  }),
  ...(
    [
      ['&', 'AND'],
      ['|', 'OR'],
    ] as const
  ).map(([sign, word]) =>
    phrase({
      all: `_a ${sign} _b`,
      trino: `BITWISE_${word}(_a, _b)`,
      snowflake: `BIT${word}(_a, _b)`,
    }),
  ),
  phrase({
    postgres: '_a # _b',
    'mysql bigquery': '_a ^ _b',
    duckdb: 'XOR(_a, _b)',
    trino: 'BITWISE_XOR(_a, _b)',
    snowflake: 'BITXOR(_a, _b)',
  }),
  phrase({
    all: '_a << _b',
    trino: 'BITWISE_LEFT_SHIFT(_a, _b)',
    snowflake: 'BITSHIFTLEFT(_a, _b)',
  }),
  phrase({
    all: '_a >> _b',
    trino: 'BITWISE_RIGHT_SHIFT(_a, _b)',
    snowflake: 'BITSHIFTRIGHT(_a, _b)',
  }),
];

/** Choosing between values, and what may be NULL. */
const CONDITION_PHRASES: readonly Phrase[] = [
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
const PATTERN_PHRASES: readonly Phrase[] = [
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

const aggregate = (data: Parameters<typeof phrase>[0], nuance?: { groups: string[]; how: string }): Phrase =>
  phrase(data, { aggregate: true, ...(nuance === undefined ? {} : { nuance }) });

const sameAggregates = (templates: string, without = ''): readonly Phrase[] =>
  templates
    .split('; ')
    .map((template) => aggregate({ all: template, ...(without === '' ? {} : { [without]: '' }) }));

/** Functions over groups and windows. COUNT and the ones that join texts have rules of their own. */
const AGGREGATE_PHRASES: readonly Phrase[] = [
  ...sameAggregates('SUM(_number); AVG(_number); MIN(_value); MAX(_value)'),
  ...sameAggregates('CORR(_x, _y); COVAR_POP(_x, _y); COVAR_SAMP(_x, _y)', 'sqlite mysql'),
  ...sameAggregates('STDDEV_POP(_x); VAR_POP(_x)', 'sqlite mysql'),
  aggregate({ mysql: ['STDDEV_POP(_x)', 'STD(_x)', 'STDDEV(_x)'], all: '>STDDEV_POP(_x)', sqlite: '' }),
  aggregate({ mysql: ['VAR_POP(_x)', 'VARIANCE(_x)'], all: '>VAR_POP(_x)', sqlite: '' }),
  aggregate({ mysql: 'STDDEV_SAMP(_x)', all: ['STDDEV_SAMP(_x)', 'STDDEV(_x)'], sqlite: '' }),
  aggregate({ mysql: 'VAR_SAMP(_x)', all: ['VAR_SAMP(_x)', 'VARIANCE(_x)'], sqlite: '' }),
  aggregate({ sqlite: 'TOTAL(_number)', all: '>COALESCE(SUM(_number), 0.0)' }),
  aggregate({
    duckdb: ['COUNT_IF(_c)', 'COUNTIF(_c)'],
    'trino snowflake': 'COUNT_IF(_c)',
    bigquery: 'COUNTIF(_c)',
    all: '>COUNT(CASE WHEN _c THEN 1 END)',
  }),
  ...(
    [
      ['AND', 'MIN'],
      ['OR', 'MAX'],
    ] as const
  ).map(([word, extreme]) =>
    aggregate({
      'postgres duckdb trino': `BOOL_${word}(_c)`,
      bigquery: `LOGICAL_${word}(_c)`,
      snowflake: `BOOL${word}_AGG(_c)`,
      'mysql sqlite': `>${extreme}(_c)`,
    }),
  ),
  aggregate({
    sqlite: '>MAX(_x)',
    trino: ['ANY_VALUE(_x)', 'ARBITRARY(_x)'],
    all: 'ANY_VALUE(_x)',
  }),
  aggregate(
    { 'duckdb postgres trino snowflake bigquery': 'ARRAY_AGG(_x)' },
    {
      groups: ['duckdb postgres trino', 'snowflake', 'bigquery'],
      how: 'ARRAY_AGG keeps NULL, leaves it out or refuses it',
    },
  ),
  ...(['MAX', 'MIN'] as const).map((word) =>
    aggregate({
      duckdb: [`${word}_BY(_x, _y)`, `ARG_${word}(_x, _y)`],
      'trino snowflake bigquery': `${word}_BY(_x, _y)`,
    }),
  ),
  aggregate({
    'duckdb snowflake bigquery': 'APPROX_COUNT_DISTINCT(_x)',
    trino: 'APPROX_DISTINCT(_x)',
    all: '>COUNT(DISTINCT _x)',
  }),
  aggregate({
    duckdb: ['MEDIAN(_x)', 'QUANTILE_CONT(_x, 0.5)'],
    snowflake: 'MEDIAN(_x)',
    postgres: 'PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY _x)',
  }),
  phrase({ 'postgres duckdb snowflake': 'PERCENTILE_CONT(_share) WITHIN GROUP (ORDER BY _x)' }),
  phrase({ 'postgres duckdb snowflake': 'PERCENTILE_DISC(_share) WITHIN GROUP (ORDER BY _x)' }),
  ...sameAggregates('ROW_NUMBER(); RANK(); DENSE_RANK(); PERCENT_RANK(); CUME_DIST(); NTILE(_n)'),
  ...sameAggregates('LAG(_x, _rest); LEAD(_x, _rest); FIRST_VALUE(_x); LAST_VALUE(_x); NTH_VALUE(_x, _n)'),
];

export const PHRASES: readonly Phrase[] = [
  ...TIME_PHRASES,
  ...TIME_UNIT_PHRASES,
  ...CONDITION_PHRASES,
  ...TEXT_PHRASES,
  ...PATTERN_PHRASES,
  ...NUMBER_PHRASES,
  ...AGGREGATE_PHRASES,
  ...JSON_PHRASES,
];

const INDEXES = new Map<DialectName, ReadonlyMap<string, readonly Template[]>>();

/** The templates a dialect is read by; made when it is first needed. */
export function templatesOf(dialect: DialectName): ReadonlyMap<string, readonly Template[]> {
  const known = INDEXES.get(dialect);
  if (known !== undefined) return known;
  const made = indexTemplates(PHRASES, dialect);
  INDEXES.set(dialect, made);
  return made;
}
