import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Catalog } from '../catalog/index.ts';
import { readCatalog } from '../catalog/read-catalog.ts';
import { readConfig } from '../config/index.ts';
import { connect, type Database, type QueryResult } from '../database/index.ts';
import { readExamples } from '../knowledge/authored/index.ts';
import { checkSemanticModel, readSemanticModel } from '../knowledge/semantic/index.ts';
import { type MadeMotors, makeMotors } from './make-motors.ts';

const PROJECT = fileURLToPath(new URL('../../examples/motors/', import.meta.url));
const LIMITS = { rows: 1_000, bytes: 1_000_000, timeoutMs: 20_000 };

const CASE = z.strictObject({
  id: z.string(),
  category: z.string(),
  question: z.string(),
  now: z.iso.date(),
  errorSql: z.string().optional(),
  errorMessage: z.string().optional(),
  expect: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answered'),
      sql: z.string(),
      orderMatters: z.boolean().optional(),
    }),
    z.strictObject({
      kind: z.literal('clarify'),
      gap: z.enum(['time', 'intent', 'term', 'value', 'join-path', 'metric']),
    }),
    z.strictObject({ kind: z.literal('follow_up'), metric: z.string(), dimension: z.string() }),
    z.strictObject({
      kind: z.literal('reject'),
      reason: z.enum(['metric', 'dimension']),
      missing: z.string(),
    }),
  ]),
});

const cases = z.array(CASE).parse(parse(await readFile(join(PROJECT, 'tests', 'motors.yml'), 'utf8')));
const gold = cases.flatMap(({ id, expect: expected }) =>
  expected.kind === 'answered' ? [[id, expected.sql] as const] : [],
);
const broken = cases.flatMap(({ id, errorSql, errorMessage }) =>
  errorSql === undefined || errorMessage === undefined ? [] : [[id, errorSql, errorMessage] as const],
);
const model = await readSemanticModel(join(PROJECT, 'semantics'));
const pairs = await readExamples(join(PROJECT, 'examples'));
const metrics = model.metrics.filter((metric) => metric.expression !== undefined);

let folder: string;
let made: MadeMotors;
let database: Database;
let catalog: Catalog;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-project-'));
  made = await makeMotors(join(folder, 'motors.db'), { engine: 'sqlite' });
  database = await connect(`sqlite:${join(folder, 'motors.db')}`);
  catalog = await readCatalog(database);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function run(sql: string): Promise<QueryResult> {
  return database.query(sql, LIMITS);
}

/** A result tells nothing when it has no rows or only NULLs. */
function tellsSomething(result: QueryResult): boolean {
  return result.rows.some((row) => row.every((cell) => cell !== null));
}

describe('the demo database', () => {
  it('is as large and as varied as promised', () => {
    expect(catalog.tables.length).toBeGreaterThanOrEqual(14);
    const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
    expect(rows).toBeGreaterThan(280_000);
    expect(rows).toBeLessThan(330_000);
  });

  it('has two links between dealers and areas', () => {
    const links = catalog.foreignKeys.filter((key) => key.fromTable === 'dealers' && key.toTable === 'areas');
    expect(links.map((key) => key.source)).toEqual(['declared', 'declared']);
  });
});

describe('the semantic model of the demo', () => {
  it('names only what the database has', () => {
    expect(checkSemanticModel(model, catalog)).toEqual([]);
  });

  it('has metrics enough, some with a mandatory dimension', () => {
    expect(model.metrics.length).toBeGreaterThanOrEqual(25);
    expect(model.metrics.filter((metric) => metric.mandatoryDimensions.length > 0).length).toBeGreaterThan(3);
  });

  it.each(metrics.map((metric) => [metric.name, metric] as const))(
    '%s gives a figure',
    async (_name, metric) => {
      for (const conditional of [undefined, 'then', 'otherwise'] as const) {
        const extra =
          conditional === undefined ? [] : metric.conditionalFilters.map((item) => item[conditional]);
        const where = [...metric.filters, ...extra].map((filter) => `(${filter})`).join(' AND ') || '1 = 1';
        const result = await run(`SELECT ${metric.expression} FROM ${metric.table} WHERE ${where}`);
        expect(result.rows).toEqual([[expect.any(Number)]]);
        expect(result.rows).not.toEqual([[0]]);
      }
    },
  );

  it.each(model.valueMappings.map((mapping) => [mapping.surface[0], mapping] as const))(
    '%s is a stored value',
    async (_surface, { column, value }) => {
      const literal = typeof value === 'number' ? value : `'${value}'`;
      const found = await run(`SELECT COUNT(*) FROM ${column.split('.')[0]} WHERE ${column} = ${literal}`);
      expect(found.rows[0]?.[0]).toBeGreaterThan(0);
    },
  );
});

describe('the project folder of the demo', () => {
  it('opens', async () => {
    const config = await readConfig({ cwd: PROJECT, env: {} });
    expect(config).toMatchObject({ databaseUrl: expect.stringMatching(/motors\.db$/), today: '2024-12-31' });
  });

  it('has 20 verified pairs or more', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(20);
  });

  it.each(pairs.map((pair) => [pair.file, pair.sql] as const))('%s gives rows', async (_file, sql) => {
    expect(tellsSomething(await run(sql))).toBe(true);
  });
});

describe('the evaluation cases of the demo', () => {
  it('are 60 in eight categories, each with an id of its own', () => {
    const counts: Record<string, number> = {};
    for (const { category } of cases) counts[category] = (counts[category] ?? 0) + 1;
    expect(counts).toEqual({
      standard: 14,
      multi_step: 8,
      reflection: 4,
      degenerate: 4,
      dim_reject: 7,
      metric_reject: 8,
      ambiguity: 8,
      follow_up: 7,
    });
    expect(new Set(cases.map(({ id }) => id)).size).toBe(60);
  });

  it('ask nothing that a verified pair answers', () => {
    const answered = new Set(pairs.map((pair) => pair.question.toLowerCase()));
    expect(cases.filter(({ question }) => answered.has(question.toLowerCase()))).toEqual([]);
  });

  it.each(gold)('%s has a result', async (_id, sql) => {
    expect(tellsSomething(await run(sql))).toBe(true);
  });

  it.each(broken)('%s fails as it says', async (_id, sql, message) => {
    await expect(run(sql)).rejects.toThrow(message);
  });

  it('follow up on what the model makes mandatory', () => {
    for (const { id, expect: expected } of cases) {
      if (expected.kind !== 'follow_up') continue;
      const metric = model.metrics.find(({ name }) => name === expected.metric);
      expect(metric?.mandatoryDimensions, id).toContain(expected.dimension);
    }
  });

  it('refuse figures that nobody has defined', () => {
    const defined = model.metrics.flatMap(({ name, synonyms }) => [name, ...synonyms]);
    for (const { id, expect: expected } of cases) {
      if (expected.kind === 'reject' && expected.reason === 'metric') {
        expect(defined, id).not.toContain(expected.missing);
      }
    }
  });

  it('name one winner where they ask for one', async () => {
    const winners = gold.filter(([, sql]) => /LIMIT \d+\s*$/.test(sql));
    expect(winners.length).toBeGreaterThan(2);
    for (const [id, sql] of winners) {
      // One row further than asked for, the measure must still fall strictly.
      const [, order = '', limit = '0'] = /ORDER BY (.+?)(?: DESC)?\s+LIMIT (\d+)\s*$/.exec(sql) ?? [];
      const isShown = sql.includes(`AS ${order}`);
      const wider = sql
        .replace(/LIMIT \d+\s*$/, `LIMIT ${Number(limit) + 1}`)
        .replace(/SELECT (?![\s\S]*\nSELECT )/, isShown ? '$&' : `$&${order}, `);
      const { rows } = await run(wider);
      const measures = rows.map((row) => Number(row.at(isShown ? -1 : 0)));
      expect(measures.length, id).toBe(Number(limit) + 1);
      expect(measures, id).toEqual([...new Set(measures)].sort((a, b) => b - a));
    }
  });
});
