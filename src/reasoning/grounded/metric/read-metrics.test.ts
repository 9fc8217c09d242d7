/** Questions in the words of a semantic model: the rows they give on a real database, or the boundary they meet. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../answering/index.ts';
import { readConfig } from '../../../config/index.ts';
import { openSession } from '../../../session/project/open-session.ts';
import type { Session } from '../../../session/project/session.ts';

const SCHEMA = `
CREATE TABLE regions (region_id INTEGER PRIMARY KEY, region_name TEXT NOT NULL);
CREATE TABLE cities (city_id INTEGER PRIMARY KEY, city_name TEXT NOT NULL, region_id INTEGER NOT NULL REFERENCES regions(region_id));
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, shop_name TEXT NOT NULL, city_id INTEGER NOT NULL REFERENCES cities(city_id));
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL REFERENCES shops(shop_id), sold_on TEXT NOT NULL, amount REAL NOT NULL, kind INTEGER NOT NULL, is_void INTEGER NOT NULL);
CREATE TABLE goals (goal_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL REFERENCES shops(shop_id), goal_on TEXT NOT NULL, goal REAL NOT NULL);
INSERT INTO regions VALUES (1, 'North'), (2, 'South');
INSERT INTO cities VALUES (1, 'Ahus', 1), (2, 'Borg', 1), (3, 'Ahus', 2), (4, 'Dalen', 2);
INSERT INTO shops VALUES (1, 'Harbour', 1), (2, 'Mill', 2), (3, 'Orchard', 3), (4, 'Quarry', 4);
INSERT INTO sales (shop_id, sold_on, amount, kind, is_void) VALUES
 (1, '2023-02-01', 10, 1, 0), (1, '2024-01-05', 20, 1, 0), (1, '2024-02-05', 30, 2, 0), (2, '2023-03-01', 40, 2, 0),
 (2, '2024-02-10', 50, 1, 0), (3, '2024-01-20', 60, 2, 0), (3, '2023-05-05', 10, 1, 0), (4, '2024-03-03', 5, 1, 0),
 (4, '2024-03-04', 500, 1, 1), (4, '2023-03-03', 15, 1, 0);
INSERT INTO goals (shop_id, goal_on, goal) VALUES (1, '2024-01-01', 40), (1, '2024-02-01', 60), (2, '2024-01-01', 100), (3, '2024-01-01', 30), (4, '2024-01-01', 10);
`;

const field = (name: string, column: string, extra = ''): string =>
  `          - {name: ${name}, expression: {dialects: [{dialect: ANSI_SQL, expression: ${column}}]}, dimension: {is_time: false}${extra}}\n`;
const dataset = (name: string, key: string, data: string, fields: string): string =>
  `      - name: ${name}\n        source: ${name}\n        primary_key: [${key}]\n        custom_extensions: [{vendor_name: CANDOR, data: {${data}}}]\n        fields:\n${fields || '          []\n'}`;
const metric = (name: string, expression: string, data: string, synonyms = ''): string =>
  `      - {name: ${name}, expression: {dialects: [{dialect: ANSI_SQL, expression: "${expression}"}]}, ai_context: {synonyms: [${synonyms}]}, custom_extensions: [{vendor_name: CANDOR, data: {${data}}}]}\n`;
const link = (name: string, from: string, to: string, key: string): string =>
  `      - {name: ${name}, from: ${from}, to: ${to}, from_columns: [${key}], to_columns: [${key}]}\n`;

const SEMANTICS = `version: "0.2.0"
semantic_model:
  - name: shops
    datasets:
${dataset('regions', 'region_id', 'display_column: regions.region_name', field('region', 'region_name'))}${dataset('cities', 'city_id', 'display_column: cities.city_name', field('city', 'city_name', ', custom_extensions: [{vendor_name: CANDOR, data: {parent: region}}]'))}${dataset('shops', 'shop_id', 'display_column: shops.shop_name', field('shop', 'shop_name', ', custom_extensions: [{vendor_name: CANDOR, data: {parent: city}}]'))}${dataset('sales', 'sale_id', 'time_column: sales.sold_on, default_filter: {sql: sales.is_void = 0, text: without void sales}', field('kind', 'kind'))}    relationships:
${link('shop_city', 'shops', 'cities', 'city_id')}${link('city_region', 'cities', 'regions', 'region_id')}${link('sale_shop', 'sales', 'shops', 'shop_id')}    metrics:
${metric('revenue', 'SUM(sales.amount)', 'table: sales, time_column: sales.sold_on', 'turnover')}${metric('tickets', 'COUNT(DISTINCT sales.sale_id)', 'table: sales, time_column: sales.sold_on', 'receipts')}${metric('revenue goal', 'SUM(goals.goal)', 'table: goals, time_column: goals.goal_on', 'goal')}${metric('goal attainment', 'SUM(sales.amount) / SUM(goals.goal)', 'ratio: {numerator: revenue, denominator: revenue goal}, mandatory_dimensions: [shop]', 'attainment')}${metric('area budget', 'MAX(goals.goal)', 'table: goals, time_column: goals.goal_on, mandatory_dimensions: [region]')}${metric('number of shops', 'COUNT(DISTINCT shops.shop_id)', 'table: shops', 'shop count')}    custom_extensions:
      - vendor_name: CANDOR
        data:
          time_rules: {default_window: current-year, excludes_today: true, fiscal_year_start_month: 1, week_start: monday}
          value_mappings:
            - {column: sales.kind, value: 1, surface: [cash]}
            - {column: sales.kind, value: 2, surface: [card, by card]}
`;

interface MetricCase {
  readonly question: string;
  readonly rows?: readonly (readonly unknown[])[];
  readonly boundary?: Readonly<Record<string, unknown>>;
}

const CASES: readonly MetricCase[] = [
  { question: 'revenue in 2024', rows: [[165]] },
  { question: 'turnover', rows: [[165]] },
  {
    question: 'revenue by region in 2024',
    rows: [
      ['North', 100],
      ['South', 65],
    ],
  },
  {
    question: 'tickets per shop in 2023',
    rows: [
      ['Harbour', 1],
      ['Mill', 1],
      ['Orchard', 1],
      ['Quarry', 1],
    ],
  },
  { question: 'card revenue in 2024', rows: [[90]] },
  {
    question: 'top 2 shops by revenue in 2024',
    rows: [
      ['Orchard', 60],
      ['Harbour', 50],
    ],
  },
  { question: 'Which shop had the most revenue in 2024?', rows: [['Orchard']] },
  { question: 'Which shops had more than 45 revenue in 2024?', rows: [['Harbour'], ['Mill'], ['Orchard']] },
  {
    question: 'Which shops had more revenue than the average shop in 2024?',
    rows: [['Harbour'], ['Mill'], ['Orchard']],
  },
  { question: 'What percentage of 2024 revenue was by card?', rows: [[(100 * 90) / 165]] },
  { question: 'By how many percent did revenue grow from 2023 to 2024?', rows: [[120]] },
  {
    question: 'goal attainment by shop in 2024',
    rows: [
      ['Harbour', 0.5],
      ['Mill', 0.5],
      ['Orchard', 2],
      ['Quarry', 0.5],
    ],
  },
  {
    question: 'For each region, which shop had the most revenue in 2024, and how many was it?',
    rows: [
      ['North', 'Harbour', 50],
      ['North', 'Mill', 50],
      ['South', 'Orchard', 60],
    ],
  },
  { question: 'Which shops had fewer revenue in 2024 than in 2023?', rows: [['Quarry']] },
  { question: 'By how much was the revenue of Harbour higher than Mill in 2024?', rows: [[0]] },
  {
    question: 'revenue and tickets by region in 2024',
    rows: [
      ['North', 100, 3],
      ['South', 65, 2],
    ],
  },
  {
    question: 'revenue by month in 2024',
    rows: [
      ['2024-01', 80],
      ['2024-02', 80],
      ['2024-03', 5],
    ],
  },
  { question: 'Total tickets in 2024', rows: [[5]] },
  {
    question: 'Percentage change of revenue by region from 2023 to 2024',
    rows: [
      ['North', 100],
      ['South', 160],
    ],
  },
  {
    question: 'Change in revenue from 2023 to 2024 by region',
    rows: [
      ['North', 50],
      ['South', 40],
    ],
  },
  { question: 'By how much did revenue change from 2023 to 2024?', rows: [[90]] },
  {
    question: 'How did the ranking of shops by revenue change from 2023 to 2024?',
    rows: [
      ['Harbour', 3, 2],
      ['Mill', 1, 2],
      ['Orchard', 3, 1],
      ['Quarry', 2, 4],
    ],
  },
  { question: 'Shops with above-average revenue in 2024', rows: [['Harbour'], ['Mill'], ['Orchard']] },
  { question: 'Which shops were above average in tickets in 2024?', rows: [['Harbour']] },
  { question: 'Share of North in revenue in 2024', rows: [[100 / 165]] },
  {
    question:
      'By how many percentage points did the share of card in revenue for North change from 2023 to 2024?',
    rows: [[-50]],
  },
  {
    question: 'What percentage of revenue where the region is North in 2024 was by card?',
    rows: [[30]],
  },
  {
    question: 'Month with the biggest rise in revenue compared with the month before in 2023',
    rows: [['2023-03']],
  },
  {
    question: 'revenue in Ahus by region in 2024',
    rows: [
      ['North', 50],
      ['South', 60],
    ],
  },
  {
    question: 'revenue by weather in 2024',
    boundary: { kind: 'reject', reason: 'dimension', missing: 'weather' },
  },
  {
    question: 'goal attainment in 2024',
    boundary: { kind: 'follow_up', metric: 'goal attainment', dimension: 'shop' },
  },
  {
    question: 'area budget in 2024',
    boundary: { kind: 'follow_up', metric: 'area budget', dimension: 'region' },
  },
  // The constraint is met through a level below: each city has its region.
  {
    question: 'area budget by city in 2024',
    rows: [
      ['Ahus', 60],
      ['Borg', 100],
      ['Dalen', 10],
    ],
  },
  { question: 'area budget in Borg in 2024', rows: [[100]] },
  {
    question: 'What is the loyal revenue in 2024?',
    boundary: { kind: 'reject', reason: 'metric', missing: 'loyal revenue' },
  },
  {
    question: 'number of shops in 2023',
    boundary: { kind: 'reject', reason: 'dimension', cause: 'no-date', missing: '2023' },
  },
  { question: 'revenue in Ahus in 2024', boundary: { kind: 'clarify', gap: 'value', phrase: 'Ahus' } },
  {
    question: 'revenue goal by kind in 2024',
    boundary: { kind: 'reject', reason: 'dimension', cause: 'not-linked', missing: 'kind' },
  },
];

const folder = mkdtempSync(join(tmpdir(), 'candor-metrics-'));
let session: Session;

beforeAll(async () => {
  const database = new DatabaseSync(join(folder, 'shops.db'));
  database.exec(SCHEMA);
  database.close();
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:shops.db\n');
  const config = await readConfig({ cwd: folder, project: folder });
  const { mkdir } = await import('node:fs/promises');
  await mkdir(config.semanticsDirectory, { recursive: true });
  writeFileSync(join(config.semanticsDirectory, 'shops.yml'), SEMANTICS);
  session = await openSession(config);
});

afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('questions about metrics', () => {
  it.each(CASES)('$question', async ({ question, rows, boundary }) => {
    const answer = await ask(question, session, { now: new Date('2024-12-31T12:00:00Z'), record: false });
    if (boundary !== undefined) return expect(answer).toMatchObject(boundary);
    if (answer.kind !== 'answered') throw new Error(JSON.stringify(answer));
    const sorted = (table: readonly (readonly unknown[])[]): string[] =>
      table.map((row) => JSON.stringify(row.map(round))).sort();
    expect(sorted(answer.rows), answer.sql).toEqual(sorted(rows ?? []));
  });

  it('names the regions when two cities share a name', async () => {
    const answer = await ask('revenue in Ahus in 2024', session, { record: false });
    expect(answer.kind === 'clarify' ? answer.options.map((option) => option.label) : answer).toEqual([
      'Ahus, region North',
      'Ahus, region South',
    ]);
    const [first] = answer.kind === 'clarify' ? answer.options : [];
    const again = await ask(first?.question ?? '', session, { record: false });
    expect(again.kind === 'answered' ? again.rows : again).toEqual([[50]]);
  });
});

function round(cell: unknown): unknown {
  return typeof cell === 'number' ? Number(cell.toFixed(6)) : cell;
}
