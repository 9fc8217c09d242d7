import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { readQuery } from '../../faults/reading/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { DIALECT_NAMES } from '../../sql/dialects/dialects.ts';
import { type Unit, unitsOf } from './highlight-units.ts';

const CATALOG = smallCatalog({ t: ['a', 'b', 'd', 'id'], u: ['id', 'c'] });

function unitsIn(sql: string, dialect: DialectName = 'sqlite'): readonly Unit[] {
  const read = readQuery(sql, dialect, CATALOG);
  if (!read.ok) throw new Error(`${read.because}: ${sql}`);
  return unitsOf(read.query);
}

const shown = (units: readonly Unit[]) => units.map(({ kind, text }) => `${kind}: ${text}`);

describe('units of a query', () => {
  it.each([
    ['SELECT a FROM t', ['clause: SELECT', 'column: a', 'table: t']],
    ['SELECT x.a AS n FROM t AS x', ['clause: SELECT', 'column: x.a', 'table: t AS x']],
    ['SELECT COUNT(*) FROM t', ['clause: SELECT', 'function: COUNT(*)', 'table: t']],
    ['SELECT * FROM t LIMIT 5', ['clause: SELECT', 'column: *', 'table: t', 'limit: LIMIT 5']],
    [
      'SELECT COUNT(DISTINCT a) FROM t',
      ['clause: SELECT', 'function: COUNT(DISTINCT a)', 'clause: DISTINCT', 'column: a', 'table: t'],
    ],
    [
      'SELECT DISTINCT a FROM t WHERE (b = 1) AND a NOT IN (-2)',
      [
        ...['clause: SELECT', 'clause: DISTINCT', 'column: a', 'table: t', 'clause: WHERE'],
        ...['condition: b = 1', 'column: b', 'literal: 1'],
        ...['condition: a NOT IN (-2)', 'column: a', 'literal: -2'],
      ],
    ],
    [
      'SELECT a FROM t WHERE a = 1 OR b IS NULL OR NOT d = 3',
      [
        ...['clause: SELECT', 'column: a', 'table: t', 'clause: WHERE'],
        ...['condition: a = 1 OR b IS NULL OR NOT d = 3', 'condition: a = 1', 'column: a', 'literal: 1'],
        ...['condition: b IS NULL', 'column: b', 'condition: NOT d = 3', 'column: d', 'literal: 3'],
      ],
    ],
    [
      'SELECT t.a FROM t JOIN u ON t.id = u.id',
      [
        ...['clause: SELECT', 'column: t.a', 'table: t', 'join: JOIN u ON t.id = u.id', 'table: u'],
        ...['condition: t.id = u.id', 'column: t.id', 'column: u.id'],
      ],
    ],
    [
      'SELECT a FROM t JOIN u USING (id)',
      ['clause: SELECT', 'column: a', 'table: t', 'join: JOIN u USING (id)', 'table: u', 'column: id'],
    ],
    [
      'SELECT a FROM t GROUP BY a, 2 ORDER BY b DESC, 1',
      [
        ...['clause: SELECT', 'column: a', 'table: t', 'group: GROUP BY a, 2', 'column: a'],
        ...['clause: ORDER BY', 'order: b DESC', 'column: b', 'order: 1'],
      ],
    ],
    [
      'WITH r AS (SELECT a FROM t) SELECT a FROM r UNION ALL SELECT d.id FROM (SELECT id FROM u) AS d',
      [
        ...['clause: UNION ALL', 'clause: WITH', 'table: r', 'clause: SELECT', 'column: a', 'table: t'],
        ...['clause: SELECT', 'column: a', 'table: r'],
        ...['clause: SELECT', 'column: d.id', 'table: d', 'clause: SELECT', 'column: id', 'table: u'],
      ],
    ],
    [
      'SELECT SUM(a) OVER (PARTITION BY b), CAST(a AS REAL) * 100 FROM t',
      [
        ...['clause: SELECT', 'function: SUM(a) OVER (PARTITION BY b)', 'column: a', 'column: b'],
        ...['function: CAST(a AS REAL) * 100', 'function: CAST(a AS REAL)', 'column: a', 'literal: 100'],
        'table: t',
      ],
    ],
    [
      "SELECT CASE WHEN a = 1 THEN 'x' END FROM t",
      [
        ...['clause: SELECT', "function: CASE WHEN a = 1 THEN 'x' END", 'condition: a = 1', 'column: a'],
        ...['literal: 1', "literal: 'x'", 'table: t'],
      ],
    ],
    [
      'SELECT a FROM t WHERE b = "no such column"',
      [
        ...['clause: SELECT', 'column: a', 'table: t', 'clause: WHERE'],
        ...['condition: b = "no such column"', 'column: b', 'literal: "no such column"'],
      ],
    ],
    ['DELETE FROM t', ['clause: DELETE FROM t']],
  ])('are what a person points at: %s', (sql, expected) => {
    expect(shown(unitsIn(sql))).toEqual(expected);
  });

  it('hold brackets and names of the select list, which stand for nothing by themselves', () => {
    const [, sum] = unitsIn('SELECT ((a + 1)) AS n FROM t');
    // Alias, Paren, Paren, Add, and the name n; the column and the literal are units inside.
    expect(sum?.nodes).toEqual([1, 2, 3, 4, 8]);
  });

  it('stand inside each other as the tree does', () => {
    const units = unitsIn('SELECT a FROM t WHERE b = 1');
    const condition = units.findIndex(({ kind }) => kind === 'condition');
    const inside = units.filter(({ parent }) => parent === condition);
    expect(shown(inside)).toEqual(['column: b', 'literal: 1']);
    expect(inside.every(({ isLeaf }) => isLeaf)).toBe(true);
    expect(units[condition]?.isLeaf).toBe(false);
  });
});

function linesOf(name: string): readonly string[] {
  return readFileSync(`test/fixtures/sql/${name}`, 'utf8').split('\n').filter(Boolean);
}

const QUERIES = DIALECT_NAMES.flatMap((dialect) =>
  [...linesOf('identity-all.sql'), ...linesOf(`identity-${dialect}.sql`)].map((sql) => ({ sql, dialect })),
);

describe('every query of the fixtures', () => {
  it('has each node in exactly one unit, and each span stands in the text', () => {
    let read = 0;
    for (const { sql, dialect } of QUERIES) {
      const query = readQuery(sql, dialect, CATALOG);
      if (!query.ok) continue;
      read += 1;
      const { tree } = query.query;
      const units = unitsOf(query.query);
      const nodes = units.flatMap((unit) => unit.nodes).sort((a, b) => a - b);
      expect(nodes, sql).toEqual(tree.nodes.map(({ id }) => id));
      for (const { span, text, anchor, nodes: own } of units) {
        expect(own, sql).toContain(anchor);
        expect(text, sql).not.toBe('');
        expect(tree.text.slice(span.start, span.end), sql).toBe(text);
      }
    }
    expect(read).toBeGreaterThan(400);
  });

  it('has units that nest or lie apart', () => {
    for (const { sql, dialect } of QUERIES) {
      const query = readQuery(sql, dialect, CATALOG);
      if (!query.ok) continue;
      const units = unitsOf(query.query);
      for (const [place, one] of units.entries())
        for (const other of units.slice(place + 1)) {
          const isApart = one.span.end <= other.span.start || other.span.end <= one.span.start;
          expect(isApart || standsIn(units, other, place), `${sql}: ${one.text} and ${other.text}`).toBe(
            true,
          );
        }
    }
  });
});

function standsIn(units: readonly Unit[], unit: Unit, place: number): boolean {
  for (let at = unit.parent; at !== undefined; at = units[at]?.parent) if (at === place) return true;
  return false;
}
