import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeAggregate, changeLiteral, SPELLINGS } from '../../../test/fixtures/sql/compare-perturb.ts';
import { readRows, treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { scopes } from '../scope/scopes.ts';
import type { SqlTree } from '../tree/node.ts';
import type { NormalOptions } from './normal-form.ts';
import { normalise, normalKey, resolverFromScopes } from './normalise.ts';

interface Pair {
  readonly dialect: DialectName;
  readonly a: string;
  readonly b: string;
  readonly why: string;
}

describe('queries that say the same', () => {
  it.each(readRows<Pair>('compare-same'))('$why: $a', ({ dialect, a, b }) => {
    expect(normalKey(treeOf(a, dialect))).toBe(normalKey(treeOf(b, dialect)));
  });
});

describe('queries that do not', () => {
  it.each(readRows<Pair>('compare-different'))('$why: $a', ({ dialect, a, b }) => {
    expect(normalKey(treeOf(a, dialect))).not.toBe(normalKey(treeOf(b, dialect)));
  });
});

const QUERIES = readRows<{ readonly dialect: DialectName; readonly sql: string }>('compare-queries');

describe('spellings', () => {
  it.each(QUERIES)('$dialect: $sql', ({ dialect, sql }) => {
    const key = normalKey(treeOf(sql, dialect));
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      const other = spell(treeOf(sql, dialect));
      expect(normalKey(treeOf(other, dialect)), `${name}: ${other}`).toBe(key);
    }
  });

  it('change no key in any combination', () => {
    const spellings = fc.array(fc.constantFrom(...Object.values(SPELLINGS)), { maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...QUERIES), spellings, ({ dialect, sql }, chosen) => {
        const other = chosen.reduce((text, spell) => spell(treeOf(text, dialect)), sql);
        expect(normalKey(treeOf(other, dialect)), other).toBe(normalKey(treeOf(sql, dialect)));
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it.each(QUERIES)('changed content changes the key: $sql', ({ dialect, sql }) => {
    const tree = treeOf(sql, dialect);
    for (const change of [changeLiteral(tree), changeAggregate(tree)]) {
      if (change !== undefined) expect(normalKey(treeOf(change, dialect)), change).not.toBe(normalKey(tree));
    }
  });
});

describe('options', () => {
  const CASES: readonly (readonly [keyof NormalOptions, string, string])[] = [
    ['keepsAliases', 'SELECT COUNT(*) AS n FROM t', 'SELECT COUNT(*) FROM t'],
    ['keepsCounts', 'SELECT COUNT(1) FROM t', 'SELECT COUNT(*) FROM t'],
    ['keepsJoins', 'SELECT a FROM t, u WHERE t.i = u.i', 'SELECT a FROM t JOIN u ON t.i = u.i'],
    ['keepsJoins', 'SELECT a FROM t JOIN u ON t.i = u.i', 'SELECT a FROM u JOIN t ON t.i = u.i'],
  ];
  it.each(CASES)('%s: %s', (option, a, b) => {
    expect(normalKey(treeOf(a))).toBe(normalKey(treeOf(b)));
    expect(normalKey(treeOf(a), { [option]: true })).not.toBe(normalKey(treeOf(b), { [option]: true }));
  });
});

describe('names with a schema', () => {
  const column = (table: string, name: string) => ({ id: `${table}.${name}`, name });
  const schema = {
    tables: [
      { id: 'shop', name: 'shop', columns: [column('shop', 'id'), column('shop', 'city')] },
      { id: 'item', name: 'item', columns: [column('item', 'shop_id'), column('item', 'price')] },
    ],
  };
  const resolve = (tree: SqlTree) => resolverFromScopes(scopes(tree, schema));
  const CASES: readonly (readonly [string, string])[] = [
    [
      'SELECT city FROM shop JOIN item ON id = shop_id WHERE price > 3',
      'SELECT s.city FROM shop s, item i WHERE s.id = i.shop_id AND i.price > 3',
    ],
    [
      'SELECT city FROM shop WHERE EXISTS (SELECT 1 FROM item WHERE shop_id = id)',
      'SELECT s.city FROM shop s WHERE EXISTS (SELECT 1 FROM item i WHERE i.shop_id = s.id)',
    ],
    ['SELECT id FROM shop WHERE "Rome" = "city"', "SELECT id FROM shop WHERE city = 'Rome'"],
  ];
  it.each(CASES)('%s', (bare, qualified) => {
    expect(normalKey(treeOf(bare), { resolve })).toBe(normalKey(treeOf(qualified), { resolve }));
    expect(normalKey(treeOf(bare))).not.toBe(normalKey(treeOf(qualified)));
  });
});

describe('the form', () => {
  it('has the clauses as lists of parts', () => {
    const { query } = normalise(
      treeOf(
        `SELECT s.city AS place, COUNT(*) FROM shop AS s JOIN item AS i ON s.id = i.shop_id LEFT JOIN sale AS x
         ON x.item_id = i.id WHERE i.price > 3 AND s.open = 1 GROUP BY place HAVING COUNT(*) > 2 ORDER BY 2 DESC LIMIT 4`,
      ),
    );
    if (query.kind !== 'select') throw new Error(query.kind);
    const keys = (parts: readonly { key: string }[]) => parts.map(({ key }) => key);
    expect(query.items.map(({ name, key }) => [name, key])).toEqual([
      ['place', 'shop.city'],
      [undefined, 'count(*)'],
    ]);
    expect(query.sources.map(({ join, key, on }) => [join, key, keys(on)])).toEqual([
      ['inner', 'shop', []],
      ['inner', 'item', []],
      ['left', 'sale', ['item.id = sale.item_id']],
    ]);
    expect(keys(query.on)).toEqual(['item.shop_id = shop.id']);
    expect(keys(query.where)).toEqual(['3 < item.price', 'shop.open = 1']);
    expect([keys(query.group), keys(query.having)]).toEqual([['shop.city'], ['2 < count(*)']]);
    expect(query.order.map(({ key, direction }) => key + direction)).toEqual(['count(*) desc']);
    expect(query.limit?.key).toBe('4');
  });

  it('does not grow with each use of a name that stands for more', () => {
    const ctes = Array.from({ length: 60 }, (_, n) => `c${n + 1} AS (SELECT x + x AS x FROM c${n})`);
    const tree = treeOf(`WITH c0 AS (SELECT a AS x FROM t), ${ctes.join(', ')} SELECT x FROM c60`);
    expect(normalKey(tree).length).toBeLessThan(60_000);
  });
});
