import { expect, it } from 'vitest';
import { SINGER_FACTS, singerQuery } from '../../../test/fixtures/uncertainty/singers.ts';
import { certainFaults } from '../../faults/index.ts';
import { parse } from '../../sql/index.ts';
import { type Assessment, assessByFaults, type UnitRisk } from '../../uncertainty/index.ts';
import { makeStyle } from './layout/text-layout.ts';
import { renderReview } from './render-review.ts';

const PLAIN = { style: makeStyle(false), dialect: 'sqlite' } as const;
const COLOURED = { style: makeStyle(true), dialect: 'sqlite' } as const;

function assessed(sql: string): Assessment {
  const query = singerQuery(sql);
  return assessByFaults(query, certainFaults(query, SINGER_FACTS));
}

function withUnits(
  sql: string,
  parts: readonly (readonly [text: string, probability: number])[],
): Assessment {
  const units = parts.map(([text, probability]): UnitRisk => {
    const start = sql.indexOf(text);
    const span = { start, end: start + text.length };
    return { kind: 'condition', span, text, probability, nodes: [], reasons: [] };
  });
  return { sql, nodes: [], units, queryRisk: 0.5 };
}

it('marks parts below the line, counts them and says why', () => {
  const sql = "SELECT nmae\nFROM singer WHERE country = 'france'";
  expect(renderReview(assessed(sql), PLAIN)).toMatchInlineSnapshot(`
    "   SELECT nmae
    --        ^^^^ 1
       FROM singer WHERE country = 'france'
    --                             ^^^^^^^^ 2

     1  100 %  column nmae
               no table here has a column nmae
     2   60 %  literal 'france'
               the column has this value in another spelling

    risk of the query  100 %
    "
  `);
});

it('says when nothing stands out', () => {
  expect(renderReview(assessed('SELECT name FROM singer'), PLAIN)).toContain('No part stands out.');
});

it('says why a query could not be looked at', () => {
  const unread = { sql: 'SELECT FROM', nodes: [], units: [], queryRisk: 1, unreadBecause: 'does not parse' };
  expect(renderReview(unread, PLAIN)).toContain('could not be looked at: does not parse.');
});

it('stays SQL that runs when it is copied with its marks', () => {
  const review = renderReview(assessed("SELECT nmae FROM singer WHERE country = 'france'"), PLAIN);
  const [sql = ''] = review.split('\n\n');
  expect(sql).toContain('\n--');
  expect(parse(sql, 'sqlite').ok).toBe(true);
});

it('lays a query on one line out and moves the marks with it', () => {
  const lines = renderReview(withUnits('SELECT a FROM t WHERE b = 1', [['b = 1', 0.4]]), PLAIN).split('\n');
  const line = lines.findIndex((text) => text.includes('b = 1'));
  expect(lines[line]?.indexOf('b = 1')).toBe(lines[line + 1]?.indexOf('~~~~~ 1'));
});

it('paints what is likely wrong red and what is suspicious amber, also inside each other', () => {
  const sql = 'SELECT a\nFROM t WHERE b = 1';
  const text = renderReview(
    withUnits(sql, [
      ['b = 1', 0.7],
      ['1', 0.4],
    ]),
    COLOURED,
  );
  expect(text).toContain(
    '\u001b[4m\u001b[31mb = \u001b[39m\u001b[24m\u001b[4m\u001b[33m1\u001b[39m\u001b[24m',
  );
});

it('marks the same width as wide and escaped characters take', () => {
  const sql = "SELECT a\nFROM t WHERE 東 = '\u001b[2J'";
  const lines = renderReview(withUnits(sql, [["'\u001b[2J'", 0.9]]), PLAIN).split('\n');
  expect(lines[1]).toBe("   FROM t WHERE 東 = '\\x1b[2J'");
  expect(lines[2]).toBe(`--${' '.repeat(19)}^^^^^^^^^ 1`);
});

it('lets no control character of SQL or reasons through', () => {
  const [unit] = withUnits('SELECT "\u009b31m"\nFROM t', [['"\u009b31m"', 0.9]]).units;
  const reasons = [{ feature: 'f', text: 'bad \u202e name\n', weight: 1 }];
  const assessment = {
    sql: 'SELECT "\u009b31m"\nFROM t',
    nodes: [],
    units: [{ ...unit!, reasons }],
    queryRisk: 1,
  };
  expect(renderReview(assessment, PLAIN)).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
});

it.each([
  [0.999, '>99 %'],
  [1, '100 %'],
  [0.001, '<1 %'],
  [0, '0 %'],
  [0.424, '42 %'],
])('shows a risk of %d as %s', (queryRisk, shown) => {
  expect(renderReview({ ...withUnits('SELECT a', []), queryRisk }, PLAIN)).toContain(
    `risk of the query  ${shown}`,
  );
});
