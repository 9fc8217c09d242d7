/** Questions over a schema that declares nothing: keys that only names tell, flags, months beside years. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../database/index.ts';
import { emptySemanticModel } from '../../knowledge/semantic/index.ts';
import { onboard } from '../../onboarding/onboard.ts';
import { buildKnowledge, type GroundedKnowledge, hypothesise } from './index.ts';

const TABLES = `
  CREATE TABLE author (aid INTEGER, name TEXT);
  INSERT INTO author VALUES (1, 'Ana'), (2, 'Bruno'), (3, 'Chloe');
  CREATE TABLE paper (paperid INTEGER, title TEXT, year INTEGER, month TEXT, pay_load INTEGER);
  INSERT INTO paper VALUES (1, 'Tides', 2021, 'June', 5), (2, 'Waves', 2021, 'April', 7), (3, 'Winds', 2020, 'June', 9),
    (4, 'Rain', 2021, 'December', 4), (5, 'Snow', 2022, 'January', 3);
  CREATE TABLE writes (aid INTEGER, paperid INTEGER);
  INSERT INTO writes VALUES (1, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 5);
  CREATE TABLE shop (shop_id TEXT, city TEXT, state TEXT, is_open INTEGER, has_parking TEXT, has_music TEXT,
    round_trip_cost INTEGER);
  INSERT INTO shop VALUES ('a1', 'New York', 'NY', 1, 'Yes', 'No', 3), ('b2', 'Albany', 'NY', 0, 'No', 'Yes', 4),
    ('c3', 'Fresno', 'CA', 1, 'Yes', 'Yes', 5), ('d4', 'Fresno', 'CA', 1, 'No', 'No', 6);`;

let folder: string;
let database: Database;
let knowledge: GroundedKnowledge;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-bare-'));
  const writer = new DatabaseSync(join(folder, 'bare.db'));
  writer.exec(TABLES);
  writer.close();
  database = await connect(`sqlite:${join(folder, 'bare.db')}`);
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

describe('a schema that declares nothing', () => {
  it.each<{ question: string; gold: readonly (readonly (string | number)[])[] }>([
    {
      question: 'How many papers has each author written?',
      gold: [
        ['Ana', 3],
        ['Bruno', 2],
        ['Chloe', 1],
      ],
    },
    { question: 'How many authors have written 2 or more papers?', gold: [[2]] },
    { question: 'How many shops are open?', gold: [[3]] },
    { question: 'How many open shops are in Fresno?', gold: [[2]] },
    { question: 'How many closed shops are there?', gold: [[1]] },
    { question: 'How many shops with parking and music are there?', gold: [[1]] },
    { question: 'How many shops without parking are there?', gold: [[2]] },
    { question: 'What is the ratio of open shops to closed shops?', gold: [[3]] },
    { question: 'How many shops are in California?', gold: [[2]] },
    { question: 'How many shops are in the state of New York?', gold: [[2]] },
    { question: 'What is the total cost of round trips?', gold: [[18]] },
    { question: 'What is the maximum payload?', gold: [[9]] },
    { question: 'What are the titles of the papers of June 2021?', gold: [['Tides']] },
    {
      question: 'What are the titles of the papers between May 2021 and January 2022?',
      gold: [['Rain'], ['Snow'], ['Tides']],
    },
    {
      question: 'How many papers are there for each month of 2021, ordered by month?',
      gold: [
        ['April', 1],
        ['June', 1],
        ['December', 1],
      ],
    },
  ])('answers “$question”', async ({ question, gold }) => {
    const [best] = hypothesise(question, knowledge, new Date('2024-10-01T12:00:00Z')).readings;
    const sql = best?.sql ?? 'no reading';
    const { rows } = await database.query(sql, { rows: 100, bytes: 100_000, timeoutMs: 10_000 });
    const isOrdered = question.includes('ordered');
    const lines = (of: readonly (readonly unknown[])[]): string[] => {
      const text = of.map((row) => row.map((cell) => JSON.stringify(cell)).join('|'));
      return isOrdered ? text : text.sort();
    };
    expect(lines(rows), sql).toEqual(lines(gold));
  });
});
