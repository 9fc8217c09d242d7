import { describe, expect, it } from 'vitest';
import { checkSemanticSql } from './check-semantic-sql.ts';
import { emptySemanticModel } from './read-semantic-model.ts';
import type { Dataset, Metric } from './semantic-model.ts';

function withMetric(metric: Partial<Metric>) {
  const base: Metric = {
    name: 'm',
    synonyms: [],
    table: 't',
    filters: [],
    mandatoryDimensions: [],
    conditionalFilters: [],
  };
  return { ...emptySemanticModel, metrics: [{ ...base, ...metric }] };
}

function withPolicy(dataset: Partial<Dataset>) {
  return {
    ...emptySemanticModel,
    datasets: [{ name: 'd', table: 't', synonyms: [], primaryKey: [], ...dataset }],
  };
}

describe('checkSemanticSql of row filters and masks', () => {
  it.each<Partial<Dataset>>([
    { rowFilter: 'tenant = :tenant AND region IN (:regions)' },
    { rowFilter: 'id IN (SELECT id FROM rights WHERE caller = :caller)', columnMasks: { 't.a': 'NULL' } },
  ])('lets properties of the session pass: %o', (dataset) => {
    for (const dialect of ['sqlite', 'duckdb', 'postgres', 'mysql', 'snowflake'] as const)
      expect(checkSemanticSql(withPolicy(dataset), dialect)).toEqual([]);
  });

  it.each<[Partial<Dataset>, string]>([
    [{ rowFilter: 'tenant = 1; DROP TABLE t' }, 'row filter of d'],
    [{ rowFilter: 'tenant = :tenant) OR (1 = 1' }, 'brackets'],
    [{ rowFilter: 'tenant = ?' }, 'row filter of d'],
    [{ columnMasks: { 't.a': "readfile('x')" } }, 'mask of t.a'],
    [{ columnMasks: { 't.a': 'CASE WHEN a' } }, 'mask of t.a'],
  ])('refuses %o', (dataset, named) => {
    expect(checkSemanticSql(withPolicy(dataset), 'sqlite')).toEqual([expect.stringContaining(named)]);
  });
});

describe('checkSemanticSql', () => {
  it.each([
    { expression: 'SUM(t.amount)' },
    { expression: 'COUNT(DISTINCT t.id)', filters: ["t.kind IN ('a', 'b')", 't.done IS NOT NULL'] },
    { expression: '1.0 * SUM(t.a) / NULLIF(SUM(t.b), 0)' },
  ])('lets an ordinary definition pass: %o', async (metric) => {
    for (const dialect of ['sqlite', 'duckdb'] as const)
      expect(checkSemanticSql(withMetric(metric), dialect)).toEqual([]);
  });

  it.each([
    [{ expression: 'COUNT(*); DROP TABLE t' }, 'metric m'],
    [{ expression: '1) FROM t; DELETE FROM t WHERE (1' }, 'metric m'],
    [{ expression: "(SELECT load_extension('x'))" }, 'load_extension'],
    [{ expression: 'SUM(t.amount', filters: [] }, 'metric m'],
    [
      { expression: 'COUNT(*)', filters: ['1) UNION SELECT 2 WHERE (1 = 1; DROP TABLE t'] },
      'filter of metric m',
    ],
    [{ expression: 'COUNT(*)', filters: ['1) UNION SELECT 2 WHERE (1 = 1'] }, 'brackets'],
    [{ expression: 'COUNT(*) -- all' }, 'metric m'],
    [
      // biome-ignore lint/suspicious/noThenProperty: the semantic model's own key, never awaited
      { conditionalFilters: [{ whenDimensions: [], then: 'a = 1', otherwise: "readfile('x') = 1" }] },
      'readfile',
    ],
  ])('refuses %o', async (metric, named) => {
    const [problem] = checkSemanticSql(withMetric(metric), 'sqlite');
    expect(problem).toContain(named);
  });
});
