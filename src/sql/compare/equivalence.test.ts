import { describe, expect, it } from 'vitest';
import { SPELLINGS } from '../../../test/fixtures/sql/compare-perturb.ts';
import { readRows, treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { equivalence } from './equivalence.ts';

interface Row {
  readonly generated: string;
  readonly gold: string;
  readonly published: boolean;
  readonly tightened: boolean;
  readonly why: string;
}

/** Sections 6.1 and 6.2 of the specification, as far as they speak of whole queries, and what tells the modes apart. */
describe('equivalence', () => {
  it.each(readRows<Row>('compare-equivalence'))('$why: $generated', (row) => {
    const [generated, gold] = [treeOf(row.generated), treeOf(row.gold)];
    const isEqual = (mode: 'published' | 'tightened') =>
      equivalence(generated, gold, { mode })(generated.root, gold.root);
    expect([isEqual('published'), isEqual('tightened')]).toEqual([row.published, row.tightened]);
  });

  interface TolerantRow {
    readonly generated: string;
    readonly gold: string;
    readonly equal: boolean;
    /** Equal only where it is known which columns are never NULL. */
    readonly needsFacts?: boolean;
    readonly why: string;
  }
  const NEVER_NULL = new Map([
    ['t.id', true],
    ['t.a', false],
    ['u.key', true],
    ['u.tid', false],
  ]);

  it.each(readRows<TolerantRow>('compare-tolerant'))('tolerates $why: $generated', (row) => {
    const [generated, gold] = [treeOf(row.generated), treeOf(row.gold)];
    const isNeverNull = (table: string, column: string) => NEVER_NULL.get(`${table}.${column}`);
    const isEqual = (facts: { readonly isNeverNull?: typeof isNeverNull }) => [
      equivalence(generated, gold, { mode: 'tolerant', ...facts })(generated.root, gold.root),
      equivalence(gold, generated, { mode: 'tolerant', ...facts })(gold.root, generated.root),
    ];
    expect(isEqual({ isNeverNull })).toEqual([row.equal, row.equal]);
    const isEqualWithout = row.equal && row.needsFacts !== true;
    expect(isEqual({})).toEqual([isEqualWithout, isEqualWithout]);
  });

  it('tells names of tables, aliases and columns apart where it is tolerant', () => {
    const [generated, gold] = [treeOf('SELECT race FROM x AS race'), treeOf('SELECT x.id FROM race AS x')];
    const named = (tree: typeof gold, type: string) =>
      tree.nodes.find((node) => node.type === 'Identifier' && node.parent?.type === type);
    const isEqual = (mode: 'tightened' | 'tolerant', one: string, other: string) => {
      const [left, right] = [named(generated, one), named(gold, other)];
      return left && right && equivalence(generated, gold, { mode })(left, right);
    };
    expect(isEqual('tightened', 'Column', 'Table')).toBe(true);
    expect(isEqual('tolerant', 'Column', 'Table')).toBe(false);
    expect(isEqual('tolerant', 'TableAlias', 'TableAlias')).toBe(true);
    expect(isEqual('tolerant', 'TableAlias', 'Table')).toBe(false);
  });

  const QUERIES = readRows<{ readonly dialect: DialectName; readonly sql: string }>('compare-queries');
  it.each(QUERIES)('holds between a query and its other spellings: $sql', ({ dialect, sql }) => {
    const tree = treeOf(sql, dialect);
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      const other = treeOf(spell(tree), dialect);
      expect(equivalence(tree, other)(tree.root, other.root), name).toBe(true);
    }
  });

  it.each(QUERIES)('holds for every node of a query and itself: $sql', ({ dialect, sql }) => {
    const tree = treeOf(sql, dialect);
    for (const mode of ['published', 'tightened', 'tolerant'] as const) {
      const equal = equivalence(tree, tree, { mode });
      const unequal = tree.nodes.filter((node) => !equal(node, node));
      expect(unequal.map(({ type, value }) => `${type} ${value}`)).toEqual([]);
    }
  });

  it('tells nodes inside queries apart', () => {
    const generated = treeOf('SELECT x.nme FROM artist AS x');
    const gold = treeOf('SELECT a.name FROM artist AS a');
    const equal = equivalence(generated, gold);
    const wrong = generated.nodes.filter((node) => !gold.nodes.some((other) => equal(node, other)));
    expect(wrong.map(({ type, value }) => [type, value])).toEqual([
      ['Select', undefined],
      ['Column', undefined],
      ['Identifier', 'nme'],
    ]);
  });

  it('takes long lists and chains', () => {
    const numbers = Array.from({ length: 2_000 }, (_, n) => n);
    const terms = numbers.slice(0, 900).map((n) => `c${n} = ${n}`);
    const one = treeOf(`SELECT a FROM t WHERE b IN (${numbers.join(', ')}) AND ${terms.join(' AND ')}`);
    const other = treeOf(
      `SELECT a FROM t WHERE ${terms.toReversed().join(' AND ')} AND b IN (${numbers.toReversed().join(', ')})`,
    );
    expect(equivalence(one, other)(one.root, other.root)).toBe(true);
    expect(equivalence(one, other, { mode: 'published' })(one.root, other.root)).toBe(false);
  });
});
