/** Questions over a schema as companies have them: counts of milliseconds for dates, codes and names that are function words. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Database } from '../../database/index.ts';
import { emptySemanticModel } from '../../knowledge/semantic/index.ts';
import { onboard } from '../../onboarding/onboard.ts';
import { buildKnowledge, type GroundedKnowledge, hypothesise } from './index.ts';

const ms = (day: string): number => Date.parse(`${day}T10:00:00Z`);
const TABLES = `
  CREATE TABLE clinics (clinic_id INTEGER PRIMARY KEY, name TEXT, state TEXT, opened TEXT);
  INSERT INTO clinics VALUES (1, 'Elm', 'IN', '2019-05-01'), (2, 'Oak', 'OR', '2024-02-01'), (3, 'Ash', 'ME', '2020-07-01'),
    (4, 'Fir', 'ON', '2021-03-01');
  CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, clinic_id INTEGER REFERENCES clinics(clinic_id), reason TEXT, booked_at INTEGER,
    seen_ts INTEGER);
  INSERT INTO visits VALUES (1, 1, 'Flu', ${ms('2024-09-03')}, ${ms('2024-09-10') / 1000}),
    (2, 1, 'Other', ${ms('2024-09-30')}, ${ms('2024-10-01') / 1000}), (3, 2, 'Flu', ${ms('2024-08-05')}, ${ms('2024-08-05') / 1000}),
    (4, 3, 'Other', ${ms('2023-12-31')}, ${ms('2024-01-02') / 1000}), (5, 4, 'Injury', ${ms('2023-02-11')}, ${ms('2023-02-12') / 1000});
  CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, clinic_id INTEGER REFERENCES clinics(clinic_id), deliv_date TEXT, content TEXT,
    amount REAL);
  INSERT INTO parcels VALUES (1, 1, NULL, 'Serum, frozen', 10), (2, 1, '2024-02-01', 'Serum, frozen', 5.5),
    (3, 2, '2024-03-04', 'Gloves', 2);
  CREATE TABLE budgets (month TEXT, planned REAL);
  INSERT INTO budgets VALUES ('May', 10), ('June', 20);`;

let folder: string;
let database: Database;
let knowledge: GroundedKnowledge;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-messy-'));
  const writer = new DatabaseSync(join(folder, 'messy.db'));
  writer.exec(TABLES);
  writer.close();
  database = await connect(`sqlite:${join(folder, 'messy.db')}`);
  const onboarded = await onboard(database, {
    directory: join(folder, 'derived'),
    semantics: emptySemanticModel,
  });
  knowledge = buildKnowledge(onboarded.catalog, emptySemanticModel, onboarded.values);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

it.each<{ question: string; gold: readonly (readonly (string | number)[])[] }>([
  { question: 'How many visits were booked in 2024?', gold: [[3]] },
  { question: 'how many visits were booked last month', gold: [[2]] },
  { question: 'How many visits were booked on 2024-09-30?', gold: [[1]] },
  { question: 'number of visits booked after August 2024', gold: [[2]] },
  { question: 'How many clinics are in OR?', gold: [[1]] },
  { question: 'How many clinics are in state IN?', gold: [[1]] },
  { question: 'how many clinics are in the state in?', gold: [[1]] },
  { question: 'tell me the names of all clinics on record', gold: [['Ash'], ['Elm'], ['Fir'], ['Oak']] },
  { question: 'How many visits have the reason "other"?', gold: [[2]] },
  { question: 'How many visits have the reason Other?', gold: [[2]] },
  { question: 'How many parcels have no delivery date?', gold: [[1]] },
  { question: 'How many parcels with frozen serum are there?', gold: [[2]] },
  { question: 'total amount of parcels', gold: [[17.5]] },
  {
    question: 'parcel amount per month in 2024',
    gold: [
      ['2024-02', 5.5],
      ['2024-03', 2],
    ],
  },
  {
    question: 'number of parcels per month in 2024',
    gold: [
      ['2024-02', 1],
      ['2024-03', 1],
    ],
  },
])('answers “$question”', async ({ question, gold }) => {
  const [best] = hypothesise(question, knowledge, new Date('2024-10-01T12:00:00Z')).readings;
  const sql = best?.sql ?? 'no reading';
  const { rows } = await database.query(sql, { rows: 100, bytes: 100_000, timeoutMs: 10_000 });
  const lines = (of: readonly (readonly unknown[])[]): string[] =>
    of.map((row) => row.map(String).join('|')).sort();
  expect(lines(rows), sql).toEqual(lines(gold));
});
