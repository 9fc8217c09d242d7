/** Words that no table or column is called by: units, synonyms, abbreviations, names run together. */
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
  CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, title TEXT, dist_km REAL, planned_hrs REAL, wt_kg REAL, cost_cents INTEGER);
  INSERT INTO trip VALUES (1, 'Coast', 120.5, 2, 900, 15000), (2, 'Hills', 80, 1.5, 2400, 9000), (3, 'Lakes', 300, 5, 100, 42000);
  CREATE TABLE show (show_id INTEGER PRIMARY KEY, title TEXT, length INTEGER, seats INTEGER);
  INSERT INTO show VALUES (1, 'Dawn', 46, 100), (2, 'Noon', 90, 250), (3, 'Dusk', 185, 400);
  CREATE TABLE student (student_id INTEGER PRIMARY KEY, last_name TEXT, country TEXT);
  INSERT INTO student VALUES (1, 'Diaz', 'Peru'), (2, 'Berg', 'Norway');
  CREATE TABLE pmt (pmt_id INTEGER PRIMARY KEY, student_id INTEGER REFERENCES student(student_id), amt REAL);
  INSERT INTO pmt VALUES (1, 1, 20), (2, 2, 35.5);`;

let folder: string;
let database: Database;
let knowledge: GroundedKnowledge;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-vocabulary-'));
  const writer = new DatabaseSync(join(folder, 'words.db'));
  writer.exec(TABLES);
  writer.close();
  database = await connect(`sqlite:${join(folder, 'words.db')}`);
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

function read(question: string) {
  return hypothesise(question, knowledge, new Date('2024-05-15T12:00:00Z')).readings;
}

describe('a number with a unit', () => {
  const rows: readonly (readonly [question: string, condition: string])[] = [
    ['trips longer than 50 miles', 'trip.dist_km > 80.4672'],
    ['trips of at least 100 km', 'trip.dist_km >= 100'],
    ['How many trips have planned hours above 90 minutes?', 'trip.planned_hrs > 1.5'],
    ['trips over 2 tonnes', 'trip.wt_kg > 2000'],
    ['trips between 1 and 2 tonnes', 'trip.wt_kg BETWEEN 1000 AND 2000'],
    ['trips of 500 kilograms or more', 'trip.wt_kg >= 500'],
    ['trips that cost more than 100 dollars', 'trip.cost_cents > 10000'],
    ['trips heavier than a ton', 'trip.wt_kg > 1000'],
    ['shows longer than 60 minutes', 'show.length > 60'],
    ['shows longer than 2 hours', 'show.length > 120'],
    ['shows with a length between 1 and 2 hours', 'show.length BETWEEN 60 AND 120'],
    ['shows at least 90 minutes long', 'show.length >= 90'],
  ];
  it.each(rows)('%s: %s', (question, condition) => {
    expect(read(question)[0]?.sql).toContain(`WHERE ${condition}`);
  });

  it('is taken for what a column without a unit is measured in, and that is said', () => {
    const [best] = read('shows longer than 2 hours');
    expect(best?.assumptions.map(({ text }) => text)).toContain(
      'show.length tells no unit; it was taken to be in minutes.',
    );
  });

  const unread = ['shows over 2 kg', 'trips longer than 3 acres', 'shows longer than 3 years'];
  it.each(unread)('that nothing is measured in is not compared: %s', (question) => {
    expect(read(question).filter(({ sql }) => /[<>]/.test(sql))).toEqual([]);
  });
});

describe('a word that names nothing by itself', () => {
  const rows: readonly (readonly [question: string, sql: string, said: string])[] = [
    ['How many pupils are there?', 'SELECT COUNT(*) FROM student', ''],
    ['How many scholars are there?', 'SELECT COUNT(*) FROM student', '“scholars” was read as “student”.'],
    ['How many payments are there?', 'SELECT COUNT(*) FROM pmt', '“payments” was read as “pmt”.'],
  ];
  it.each(rows)('%s', (question, sql, said) => {
    const [best] = read(question);
    expect(best?.sql).toBe(sql);
    if (said !== '') expect(best?.assumptions.map(({ text }) => text)).toContain(said);
  });

  it('is less sure than the name itself', () => {
    const [named] = read('How many students are there?');
    const [related] = read('How many scholars are there?');
    expect(related?.probability ?? 1).toBeLessThan(named?.probability ?? 0);
  });

  it.each(['dogs', 'committee', 'weather'])('stays unknown where nothing means the same: %s', (word) => {
    const { unexplained } = hypothesise(
      `How many ${word} are there?`,
      knowledge,
      new Date('2024-05-15T12:00:00Z'),
    );
    expect(unexplained.map(({ text }) => text)).toEqual([word]);
  });
});
