import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SINGER_FACTS, SINGERS, singerQuery } from '../../../test/fixtures/uncertainty/singers.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { DIALECT_NAMES } from '../../sql/dialects/dialects.ts';
import { assessByFaults } from '../../uncertainty/policy/assess-by-faults.ts';
import { readQuery } from '../reading/read-query.ts';
import { certainFaults } from './certain-faults.ts';

function faultsOf(sql: string, dialect: DialectName = 'sqlite') {
  const query = singerQuery(sql, dialect);
  return { query, faults: certainFaults(query, SINGER_FACTS) };
}

const shown = (sql: string, dialect?: DialectName) =>
  faultsOf(sql, dialect).faults.map(
    ({ kind, span, isRefused, instead }) =>
      `${kind} ${sql.slice(span.start, span.end)}${isRefused ? '!' : ''}${instead.length > 0 ? ` → ${instead}` : ''}`,
  );

describe('certain faults', () => {
  it.each<[sql: string, faults: readonly string[], dialect?: DialectName]>([
    ['SELECT name FROM singer WHERE age > 20', []],
    ['SELECT nmae FROM singer', ['unknown-column nmae! → name']],
    ['SELECT name FROM singers', ['unknown-table singers! → singer']],
    ['SELECT s.name FROM singer AS t', ['unknown-table s!']],
    [
      'SELECT id FROM singer JOIN concert ON singer.id = singer_id',
      ['ambiguous-column id! → singer.id,concert.id'],
    ],
    ["SELECT name FROM singer WHERE age = 'old'", ["type-clash 'old'"]],
    ["SELECT name FROM singer WHERE age = '20'", []],
    ["SELECT name FROM singer WHERE country = 'france'", ["unseen-literal 'france' → France"]],
    ["SELECT name FROM singer WHERE country = 'france'", [], 'mysql'],
    ["SELECT name FROM singer WHERE country IN ('Spain', 'Italy')", ["unseen-literal 'Italy'"]],
    ["SELECT name FROM singer WHERE name = 'Nobody'", []],
    ['SELECT country, COUNT(*) FROM singer', ['missing-group-by country']],
    ['SELECT country, COUNT(*) FROM singer', ['missing-group-by country!'], 'duckdb'],
    ['SELECT country, COUNT(*) FROM singer GROUP BY country', []],
    ['SELECT name, MAX(age) FROM singer', []],
    ['SELECT name, MAX(age) FROM singer', ['missing-group-by name!'], 'duckdb'],
    ['SELECT name, SUM(age) OVER () FROM singer', []],
    ['SELECT (SELECT COUNT(*) FROM concert WHERE singer_id = s.id), name FROM singer AS s', []],
  ])('of %s are %j', (sql, faults, dialect) => {
    expect(shown(sql, dialect)).toEqual(faults);
  });

  it('are found in every query of the fixtures without a fall, inside the text', () => {
    for (const dialect of DIALECT_NAMES) {
      for (const sql of readFileSync(`test/fixtures/sql/identity-${dialect}.sql`, 'utf8').split('\n')) {
        const read = readQuery(sql, dialect, SINGERS);
        if (!read.ok) continue;
        for (const { span } of certainFaults(read.query, SINGER_FACTS))
          expect(sql.slice(span.start, span.end)).not.toBe('');
      }
    }
  });
});

describe('an assessment by faults', () => {
  it('marks what has a fault and is silent about the rest', () => {
    const { query, faults } = faultsOf("SELECT nmae FROM singer WHERE country = 'france'");
    const { units, queryRisk, nodes } = assessByFaults(query, faults);
    expect(units.map(({ text, probability }) => [text, probability])).toEqual([
      ['nmae', 1],
      ["'france'", 0.6],
    ]);
    expect(units[0]?.reasons.map(({ text }) => text)).toEqual(['no table here has a column nmae']);
    expect(queryRisk).toBe(1);
    expect(nodes).toHaveLength(query.tree.nodes.length);
  });

  it('has no risk where nothing certain is wrong', () => {
    const { query, faults } = faultsOf('SELECT name FROM singer');
    expect(assessByFaults(query, faults)).toMatchObject({ units: [], queryRisk: 0 });
  });
});
