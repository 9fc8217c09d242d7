import { type Phrase, phrase, same } from './phrase.ts';

/** Functions and operators of numbers. ROUND, `/` and `%` have rules of their own. */
export const NUMBER_PHRASES: readonly Phrase[] = [
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
