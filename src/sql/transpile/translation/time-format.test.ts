import { expect, it } from 'vitest';
import type { DialectName } from '../../dialects/dialect.ts';
import { convertFormat } from './time-format.ts';

const CASES: readonly (readonly [from: DialectName, to: DialectName, format: string, wanted: string])[] = [
  ['sqlite', 'duckdb', '%Y-%m-%d %H:%M:%S', '%Y-%m-%d %H:%M:%S'],
  ['sqlite', 'postgres', '%Y-%m-%dT%H:%M', 'YYYY-MM-DD"T"HH24:MI'],
  ['sqlite', 'mysql', '%H:%M:%S', '%H:%i:%s'],
  ['mysql', 'sqlite', '%Y-%m-%d %T', '%Y-%m-%d %H:%M:%S'],
  ['mysql', 'postgres', '%M %e, %Y', 'FMMonth FMDD, YYYY'],
  ['postgres', 'bigquery', 'YYYYMMDD', '%Y%m%d'],
  ['postgres', 'mysql', 'DD.MM.YY HH12:MI AM', '%d.%m.%y %h:%i %p'],
  ['postgres', 'duckdb', 'yyyy-mm-dd', '%Y-%m-%d'],
  ['bigquery', 'snowflake', '%F', 'YYYY-MM-DD'],
  ['duckdb', 'trino', '100%% %Y', '100%% %Y'],
  ['snowflake', 'postgres', 'YYYY"Q"MM', 'YYYY"Q"MM'],
];

it.each(CASES)('%s > %s: %s', (from, to, format, wanted) => {
  expect(convertFormat(format, from, to)).toEqual({ format: wanted });
});

const PROBLEMS: readonly (readonly [from: DialectName, to: DialectName, format: string])[] = [
  ['sqlite', 'postgres', '%W'],
  ['sqlite', 'duckdb', '%f'],
  ['duckdb', 'sqlite', '%B'],
  ['postgres', 'mysql', 'Q'],
  ['mysql', 'sqlite', '%D'],
];

it.each(PROBLEMS)('%s > %s has no way to say %s', (from, to, format) => {
  expect(convertFormat(format, from, to)).toHaveProperty('problem');
});
