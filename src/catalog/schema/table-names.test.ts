import { expect, it } from 'vitest';
import { tableName } from './table-names.ts';

it.each([
  ['sqlite', { name: 'Order Lines' }, '"Order Lines"'],
  ['postgres', { name: 'a"b', qualifier: ['Sales'] }, '"Sales"."a""b"'],
  ['mysql', { name: 'a`b"c', qualifier: ['shop'] }, '`shop`.`a``b"c`'],
  ['bigquery', { name: 't', qualifier: ['my-project', 'set'] }, '`my-project`.`set`.`t`'],
  ['trino', { name: 't', qualifier: ['hive', 'web'] }, '"hive"."web"."t"'],
] as const)('%s: %j', (dialect, table, written) => expect(tableName(table, dialect)).toBe(written));
