import { type Phrase, phrase } from './phrase.ts';

const aggregate = (data: Parameters<typeof phrase>[0], nuance?: { groups: string[]; how: string }): Phrase =>
  phrase(data, { aggregate: true, ...(nuance === undefined ? {} : { nuance }) });

const sameAggregates = (templates: string, without = ''): readonly Phrase[] =>
  templates
    .split('; ')
    .map((template) => aggregate({ all: template, ...(without === '' ? {} : { [without]: '' }) }));

/** Functions over groups and windows. COUNT and the ones that join texts have rules of their own. */
export const AGGREGATE_PHRASES: readonly Phrase[] = [
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
