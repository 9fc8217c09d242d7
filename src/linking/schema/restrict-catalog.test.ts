import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import type { Catalog } from '../../catalog/index.ts';
import { restrictCatalog } from './restrict-catalog.ts';

const key = (fromTable: string, from: string, toTable: string, to: string) => ({
  ...{ fromTable, toTable, source: 'declared' as const },
  fromColumns: from.split(' ').map((name) => `${fromTable}.${name}`),
  toColumns: to.split(' ').map((name) => `${toTable}.${name}`),
});
const small = smallCatalog({
  a: ['id', 'x', 'day'],
  b: ['id', 'a_id', 'z'],
  c: ['p', 'q', 'w'],
  d: ['c_p', 'c_q'],
});
const keysOf: Readonly<Record<string, readonly string[]>> = { a: ['a.id'], b: ['b.id'], c: ['c.p', 'c.q'] };
const catalog: Catalog = {
  ...small,
  tables: small.tables.map((table) => ({
    ...table,
    primaryKey: keysOf[table.id] ?? [],
    ...(table.id === 'a' ? { partitionKey: ['a.day'] } : {}),
  })),
  foreignKeys: [key('b', 'a_id', 'a', 'id'), key('d', 'c_p c_q', 'c', 'p q')],
  keyOverlaps: [{ fromColumn: 'b.a_id', toColumn: 'a.id', share: 1, comparedValues: 9 }],
};

const shownOf = (tables: readonly string[], columns: readonly string[]) => {
  const part = restrictCatalog(catalog, new Set(tables), new Set(columns));
  return {
    columns: part.tables.flatMap((table) => table.columns.map(({ id }) => id)),
    primary: part.tables.flatMap(({ primaryKey }) => primaryKey),
    foreign: part.foreignKeys.map(({ fromColumns }) => fromColumns.join()),
  };
};

describe('a restricted catalog', () => {
  it.each<
    [string, readonly string[], readonly string[], readonly string[], readonly string[], readonly string[]]
  >([
    ['has the chosen columns in the order of the catalog', [], ['b.z', 'a.x'], ['a.x', 'b.z'], [], []],
    ['shows the key columns of a table without a chosen one', ['a'], [], ['a.id'], ['a.id'], []],
    ['shows its key to a table in view', ['b', 'a'], ['a.x'], ['a.x', 'b.id', 'b.a_id'], ['b.id'], []],
    ['keeps keys whose ends are there', [], ['a.id', 'b.a_id'], ['a.id', 'b.a_id'], ['a.id'], ['b.a_id']],
    [
      'drops a key of which a part is missing',
      [],
      ['c.p', 'd.c_p', 'd.c_q'],
      ['c.p', 'd.c_p', 'd.c_q'],
      [],
      [],
    ],
    ['leaves out what is not in the catalog', ['nowhere'], ['a.nowhere'], [], [], []],
  ])('%s', (_, tables, columns, shown, primary, foreign) =>
    expect(shownOf(tables, columns)).toEqual({ columns: shown, primary, foreign }),
  );

  it('keeps the mark of the schema it is of, and what is known of the keys in view', () => {
    const part = restrictCatalog(catalog, new Set(['a', 'b']), new Set());
    expect(part.fingerprint).toBe(catalog.fingerprint);
    expect(part.keyOverlaps).toEqual(catalog.keyOverlaps);
    expect(part.tables[0]?.partitionKey).toEqual([]);
    expect(restrictCatalog(catalog, new Set(['a']), new Set()).keyOverlaps).toEqual([]);
  });

  it('is the same when it is restricted to all of itself', () => {
    const all = new Set(catalog.tables.flatMap(({ columns }) => columns.map(({ id }) => id)));
    expect(restrictCatalog(catalog, new Set(), all)).toEqual(catalog);
  });
});
