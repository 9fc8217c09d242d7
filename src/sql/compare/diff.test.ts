import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SPELLINGS } from '../../../test/fixtures/sql/compare-perturb.ts';
import { readRows, treeOf } from '../../../test/fixtures/sql/compare-read.ts';
import type { DialectName } from '../dialects/dialect.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import { diff, MAX_DIFF_NODES } from './diff.ts';
import type { Compared, Edit } from './difference.ts';

function compared(before: SqlTree, after: SqlTree): Compared {
  const difference = diff(before, after);
  if (difference.kind !== 'compared') throw new Error(difference.kind);
  return difference;
}

describe('edits', () => {
  const rows = readRows<{ before: string; after: string; edits: readonly string[] }>('compare-edits');
  it.each(rows)('$before ‖ $after', ({ before, after, edits }) => {
    const found = compared(treeOf(before), treeOf(after)).edits;
    expect(found.map(({ kind, message }) => `${kind}: ${message}`)).toEqual(edits);
  });

  it('carry the nodes and their places', () => {
    const [before, after] = [
      treeOf('SELECT a FROM t WHERE year = 2020 LIMIT 1'),
      treeOf('SELECT DISTINCT a FROM t WHERE year = 2021'),
    ];
    const places = compared(before, after).edits.map((edit: Edit) => [
      edit.kind,
      edit.clause,
      'beforeSpan' in edit && before.text.slice(edit.beforeSpan.start, edit.beforeSpan.end),
      'afterSpan' in edit && after.text.slice(edit.afterSpan.start, edit.afterSpan.end),
    ]);
    expect(places).toEqual([
      ['changed', 'where', 'year = 2020', 'year = 2021'],
      ['added', 'distinct', false, 'DISTINCT'],
      ['removed', 'limit', 'LIMIT 1', false],
    ]);
  });
});

const QUERIES = readRows<{ readonly dialect: DialectName; readonly sql: string }>('compare-queries');

describe('laws', () => {
  it.each(QUERIES)('other spellings are no edit: $sql', ({ dialect, sql }) => {
    const tree = treeOf(sql, dialect);
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      const { isSame, edits } = compared(tree, treeOf(spell(tree), dialect));
      expect([isSame, edits.map(({ message }) => message)], name).toEqual([true, []]);
    }
  });

  it('there are edits where the keys differ, and pairs are one to one and of one kind', () => {
    const query = fc.constantFrom(...QUERIES);
    fc.assert(
      fc.property(query, query, (one, other) => {
        const { isSame, pairs, edits } = compared(
          treeOf(one.sql, one.dialect),
          treeOf(other.sql, other.dialect),
        );
        expect(isSame).toBe(edits.length === 0);
        expect(new Set(pairs.map(({ before }) => before)).size).toBe(pairs.length);
        expect(new Set(pairs.map(({ after }) => after)).size).toBe(pairs.length);
        for (const { before, after } of pairs) {
          const isFlip = /^[GL]TE?$/.test(before.type) && /^[GL]TE?$/.test(after.type);
          expect(isFlip || before.type === after.type).toBe(true);
        }
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  it.each(QUERIES)('a query against itself pairs each node with itself: $sql', ({ dialect, sql }) => {
    const tree = treeOf(sql, dialect);
    const { pairs } = compared(tree, tree);
    expect(pairs.every(({ before, after, isEqual }) => before === after && isEqual)).toBe(true);
    const paired = new Set(pairs.map(({ before }) => before));
    const isBracket = ({ type, children }: SqlNode) =>
      type === 'Paren' || (type === 'Subquery' && children.length === 1);
    const left = tree.nodes.filter((node) => !paired.has(node) && !isBracket(node));
    expect(left.map(({ type }) => type)).toEqual([]);
  });
});

describe('pairs', () => {
  it('join what stands opposite each other, equal or not', () => {
    const [before, after] = [
      treeOf('SELECT x.nme FROM artist AS x WHERE x.age > 3 AND x.sex = 1'),
      treeOf('SELECT a.name FROM artist AS a WHERE a.sex = 1 AND a.age > 4'),
    ];
    const said = compared(before, after)
      .pairs.filter(({ isEqual }) => !isEqual)
      .map(({ before: one, after: other }) =>
        [one, other].map((node, side) => (side === 0 ? before : after).text.slice(node.start, node.end)),
      );
    expect(said).toContainEqual(['x.nme', 'a.name']);
    expect(said).toContainEqual(['x.age > 3', 'a.age > 4']);
    expect(said).toContainEqual(['3', '4']);
    expect(said).not.toContainEqual(['x.sex = 1', 'a.sex = 1']);
  });
});

describe('large statements', () => {
  const numbers = Array.from({ length: 5_000 }, (_, n) => n);
  const terms = numbers.slice(0, 900);
  const LARGE: readonly (readonly [string, string, string])[] = [
    [
      'a long list',
      `SELECT a FROM t WHERE x IN (${numbers.join(', ')})`,
      `SELECT a FROM t WHERE x IN (${numbers.toReversed().join(', ')}, 7777)`,
    ],
    [
      'items that all differ',
      `SELECT ${terms.map((n) => `c${n}`).join(', ')} FROM t`,
      `SELECT ${terms.map((n) => `d${n}`).join(', ')} FROM t`,
    ],
    [
      'a long chain',
      `SELECT a FROM t WHERE ${terms.map((n) => `c${n} = ${n}`).join(' AND ')}`,
      `SELECT a FROM t WHERE ${terms.map((n) => `c${n} = ${n + 1}`).join(' AND ')}`,
    ],
    [
      'many joins of one table',
      `SELECT 1 FROM t AS t0 ${terms.map((n) => `JOIN t AS t${n + 1} ON t${n}.a = t${n + 1}.b`).join(' ')}`,
      `SELECT 2 FROM t AS t0 ${terms.map((n) => `JOIN t AS t${n + 1} ON t${n}.b = t${n + 1}.a`).join(' ')}`,
    ],
  ];
  // What grows with the square of the text would not end within the limit of the test.
  it.each(LARGE)('%s is compared', (_, before, after) => {
    expect(compared(treeOf(before), treeOf(after)).isSame).toBe(false);
  });

  it('what is larger still is refused, not waited for', () => {
    const many = Array.from({ length: MAX_DIFF_NODES }, (_, n) => n).join(', ');
    const tree = treeOf(`SELECT a FROM t WHERE x IN (${many})`);
    expect(diff(tree, treeOf('SELECT a FROM t'))).toEqual({
      kind: 'too-large',
      nodes: tree.nodes.length,
      limit: MAX_DIFF_NODES,
    });
  });
});
