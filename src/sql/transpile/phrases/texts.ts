import { type Phrase, phrase, same } from './phrase.ts';

const BYTES = 'LENGTH(TO_UTF8(_text))';

/** Functions of texts. */
export const TEXT_PHRASES: readonly Phrase[] = [
  phrase({
    all: 'LOWER(_text)',
    'mysql duckdb': ['LOWER(_text)', 'LCASE(_text)'],
  }),
  phrase({
    all: 'UPPER(_text)',
    'mysql duckdb': ['UPPER(_text)', 'UCASE(_text)'],
  }),
  phrase({
    sqlite: 'LENGTH(_text)',
    trino: 'LENGTH(_text)',
    snowflake: ['LENGTH(_text)', 'LEN(_text)'],
    mysql: ['CHAR_LENGTH(_text)', 'CHARACTER_LENGTH(_text)'],
    duckdb: ['LENGTH(_text)', 'LEN(_text)', 'CHAR_LENGTH(_text)', 'CHARACTER_LENGTH(_text)'],
    'postgres bigquery': ['LENGTH(_text)', 'CHAR_LENGTH(_text)', 'CHARACTER_LENGTH(_text)'],
  }),
  phrase({
    mysql: ['LENGTH(_text)', 'OCTET_LENGTH(_text)'],
    'postgres sqlite snowflake': 'OCTET_LENGTH(_text)',
    duckdb: 'STRLEN(_text)',
    trino: BYTES,
    bigquery: ['BYTE_LENGTH(_text)', 'OCTET_LENGTH(_text)'],
  }),
  phrase({
    sqlite: 'INSTR(_text, _part)',
    mysql: ['INSTR(_text, _part)', 'LOCATE(_part, _text)', 'POSITION(_part, _text)'],
    duckdb: ['STRPOS(_text, _part)', 'INSTR(_text, _part)', 'POSITION(_part, _text)'],
    'postgres trino': ['STRPOS(_text, _part)', 'POSITION(_part, _text)'],
    bigquery: ['STRPOS(_text, _part)', 'INSTR(_text, _part)'],
    snowflake: ['POSITION(_part, _text)', 'CHARINDEX(_part, _text)'],
  }),
  ...same('LTRIM(_text); RTRIM(_text); TRIM(_text); REPLACE(_text, _old, _new)'),
  phrase({ postgres: ['>TRIM(_text)', 'BTRIM(_text)'], all: '>TRIM(_text)' }),
  phrase({
    'sqlite duckdb snowflake bigquery': ['TRIM(_text, _chars)'],
    postgres: [
      'TRIM(BOTH _chars FROM _text)',
      'BTRIM(_text, _chars)',
      'TRIM(_chars FROM _text)',
      'TRIM(_text, _chars)',
    ],
    'mysql trino': ['TRIM(BOTH _chars FROM _text)', 'TRIM(_chars FROM _text)'],
  }),
  phrase({
    'sqlite duckdb snowflake bigquery': 'LTRIM(_text, _chars)',
    postgres: ['LTRIM(_text, _chars)', 'TRIM(LEADING _chars FROM _text)'],
    'mysql trino': 'TRIM(LEADING _chars FROM _text)',
  }),
  phrase({
    'sqlite duckdb snowflake bigquery': 'RTRIM(_text, _chars)',
    postgres: ['RTRIM(_text, _chars)', 'TRIM(TRAILING _chars FROM _text)'],
    'mysql trino': 'TRIM(TRAILING _chars FROM _text)',
  }),
  ...same('REVERSE(_text); REPEAT(_text, _n); LPAD(_text, _n, _fill); RPAD(_text, _n, _fill)', 'sqlite'),
  phrase({ 'sqlite trino': '>SUBSTR(_text, 1, _n)', all: 'LEFT(_text, _n)' }),
  phrase({ 'sqlite trino': '>SUBSTR(_text, -_n)', all: 'RIGHT(_text, _n)' }),
  phrase({ 'postgres snowflake bigquery': 'INITCAP(_text)' }),
  phrase({
    'postgres duckdb snowflake trino': 'SPLIT_PART(_text, _separator, _n)',
    bigquery: '>SPLIT(_text, _separator)[SAFE_ORDINAL(_n)]',
  }),
  phrase({
    duckdb: ['STARTS_WITH(_text, _start)', 'PREFIX(_text, _start)', '_text ^@ _start'],
    postgres: ['STARTS_WITH(_text, _start)', '_text ^@ _start'],
    'trino bigquery': 'STARTS_WITH(_text, _start)',
    snowflake: 'STARTSWITH(_text, _start)',
    sqlite: '>SUBSTR(_text, 1, LENGTH(_start)) = _start',
    mysql: '>SUBSTR(_text, 1, CHAR_LENGTH(_start)) = _start',
  }),
  phrase({
    duckdb: ['ENDS_WITH(_text, _end)', 'SUFFIX(_text, _end)'],
    bigquery: 'ENDS_WITH(_text, _end)',
    snowflake: 'ENDSWITH(_text, _end)',
    postgres: '>RIGHT(_text, LENGTH(_end)) = _end',
    mysql: '>RIGHT(_text, CHAR_LENGTH(_end)) = _end',
  }),
  phrase({
    'duckdb snowflake': 'CONTAINS(_text, _part)',
    'postgres trino bigquery': '>STRPOS(_text, _part) > 0',
    'sqlite mysql': '>INSTR(_text, _part) > 0',
  }),
  phrase({
    sqlite: 'UNICODE(_text)',
    'duckdb snowflake': ['UNICODE(_text)', 'ASCII(_text)'],
    postgres: 'ASCII(_text)',
    trino: 'CODEPOINT(_text)',
    bigquery: 'UNICODE(_text)',
  }),
  phrase({
    sqlite: 'CHAR(_n)',
    'duckdb postgres trino bigquery': 'CHR(_n)',
    snowflake: ['CHR(_n)', 'CHAR(_n)'],
  }),
  phrase(
    { all: 'CONCAT_WS(_separator, _rest)', bigquery: '' },
    {
      nuance: {
        groups: ['snowflake', 'sqlite duckdb postgres mysql trino'],
        how: 'CONCAT_WS leaves NULL out in one and is NULL in the other',
      },
    },
  ),
  phrase({ 'postgres duckdb trino snowflake bigquery': 'TRANSLATE(_text, _old, _new)' }),
  phrase({
    'postgres mysql duckdb snowflake': 'MD5(_text)',
    bigquery: 'TO_HEX(MD5(_text))',
    trino: 'LOWER(TO_HEX(MD5(TO_UTF8(_text))))',
  }),
  ...['1', '2', '3'].map((digits) =>
    phrase({
      sqlite: [`PRINTF('%.${digits}f', _number)`, `FORMAT('%.${digits}f', _number)`],
      duckdb: `PRINTF('%.${digits}f', CAST(_number AS DOUBLE))`,
      postgres: `TO_CHAR(_number, 'FM9999999999999990.${'0'.repeat(Number(digits))}')`,
      'trino bigquery': `FORMAT('%.${digits}f', _number)`,
    }),
  ),
];
