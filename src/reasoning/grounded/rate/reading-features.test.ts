import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCases } from '../../../../test/fixtures/grounded/read-cases.ts';
import { scorerOf } from '../../../../test/fixtures/grounded/scorer-of.ts';
import { smallKnowledge } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { readQuestion } from '../hypothesise.ts';
import { readAsked } from './asked.ts';
import { makeCandidates, type ReadQuestion } from './candidate.ts';
import { openRatingModels } from './open-rating-models.ts';
import { rateCandidates, rateRow } from './rate-candidates.ts';
import { READING_FEATURES, readingFeatures } from './reading-features.ts';

const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-10-01T12:00:00Z');
const QUESTIONS = readCases('pairs.jsonl', z.looseObject({ question: z.string() })).map(
  ({ question }) => question,
);
const WORDS = [
  ...new Set(QUESTIONS.flatMap((question) => question.split(/\s+/))),
  '"Hey"',
  '2024',
  '0',
  '-1e9',
  '🐙',
];
const models = await openRatingModels();

const read = (question: string): ReadQuestion | null => readQuestion(question, KNOWLEDGE, NOW);

function rowsOf(question: ReadQuestion): Float32Array[] {
  return readingFeatures(makeCandidates(question), question, readAsked(question, models.asked));
}

function faultsOf(rows: readonly Float32Array[]): string[] {
  return rows.flatMap((row) =>
    READING_FEATURES.filter((_, place) => !Number.isFinite(row[place])).map(
      (name) => `${name} ${row[READING_FEATURES.indexOf(name)]}`,
    ),
  );
}

/** A feature of every candidate. */
function column(question: string, name: string): number[] {
  const asked = read(question);
  if (asked === null) throw new Error(`cannot be read: ${question}`);
  const place = READING_FEATURES.indexOf(name);
  expect(place, name).toBeGreaterThanOrEqual(0);
  return rowsOf(asked).map((row) => row[place] ?? Number.NaN);
}

describe('readingFeatures', () => {
  it('have names of their own', () => {
    expect(new Set(READING_FEATURES).size).toBe(READING_FEATURES.length);
    expect(READING_FEATURES.filter((name) => name.trim() === '' || name.includes('undefined'))).toEqual([]);
  });

  it.each(QUESTIONS)('of “%s” are a finite number for each name', (question) => {
    const asked = read(question);
    if (asked === null) return;
    const rows = rowsOf(asked);
    expect(rows).toHaveLength(makeCandidates(asked).length);
    for (const row of rows) expect(row).toHaveLength(READING_FEATURES.length);
    expect(faultsOf(rows)).toEqual([]);
    expect(rowsOf(asked)).toEqual(rows);
  });

  it('are finite whatever words are asked', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 }), (words) => {
        const asked = read(words.join(' '));
        if (asked !== null) expect(faultsOf(rowsOf(asked))).toEqual([]);
      }),
      { seed: 4, numRuns: 120 },
    ));

  it('are finite where nearly a hundred words mean nothing; more are left to the rules', () => {
    const letters = [...'abcdefghijklmnopqrst'];
    const unknown = letters.flatMap((one) => letters.map((two) => `zq${one}${two}`));
    const asked = read(`${unknown.slice(0, 95).join(' ')} singers`);
    expect(asked).not.toBeNull();
    if (asked !== null) expect(faultsOf(rowsOf(asked))).toEqual([]);
    expect(read(`${unknown.join(' ')} singers`)).toBeNull();
  });

  it.each<[name: string, question: string, first: number]>([
    ['projections', 'Show the name and age of all singers.', 2],
    ['filters', 'Which singers from France are older than 35?', 2],
    ['orders', 'List the names of singers ordered by age.', 1],
    ['limit', 'Which stadium has the largest capacity?', 1],
    ['havings', 'Which countries have more than 1 singer?', 1],
    ['absences', 'How many students do not have pets?', 1],
    ['tables', 'How many songs do singers from Portugal have?', 2],
    ['joins', 'How many songs do singers from Portugal have?', 1],
    ['revisions', 'How many singers are there?', 0],
    ['rank', 'How many singers are there?', 0],
    ['variant 0', 'How many singers are there?', 1],
    ['superlatives', 'What is the name of the youngest singer?', 1],
    ['negations', 'Which singers are not from France?', 1],
    ['rules beside first', 'How many singers are there?', 0],
    ['invented', 'Show the name and age of all singers.', 0],
  ])('say %s of the first reading of “%s”', (name, question, first) =>
    expect(column(question, name)[0]).toBe(first),
  );

  it('mark each revision', () => {
    const question = 'Which singers are older than 30?';
    const dropped = column(question, 'drop a condition');
    expect(dropped[0]).toBe(0);
    expect(dropped).toContain(1);
    const counts = column(question, 'revisions');
    for (const [at, mark] of dropped.entries()) if (mark === 1) expect(counts[at]).toBe(1);
  });

  it('are never above the best beside it', () => {
    for (const question of QUESTIONS.slice(0, 10)) {
      const beside = column(question, 'shape beside best');
      expect(Math.max(...beside)).toBe(0);
    }
  });
});

describe('rateCandidates', () => {
  const asked = QUESTIONS.flatMap((question) => read(question) ?? []);

  it('gives every candidate once, the likeliest first, the same every time', () => {
    for (const question of asked.slice(0, 40)) {
      const rated = rateCandidates(question, models);
      const odds = rated.map((each) => each.odds);
      expect(odds).toEqual(odds.toSorted((a, b) => b - a));
      expect(odds.every(Number.isFinite)).toBe(true);
      expect(rated.map(({ sql }) => sql).sort()).toEqual(
        makeCandidates(question)
          .map(({ sql }) => sql)
          .sort(),
      );
      expect(rateCandidates(question, models).map(({ sql }) => sql)).toEqual(rated.map(({ sql }) => sql));
    }
  });

  it('keeps equals in the order they were made, and listens to the own forest as much', () => {
    const [question] = asked;
    if (question === undefined) throw new Error('nothing was read');
    const made = makeCandidates(question).map(({ sql }) => sql);
    const even = { asked: models.asked, readings: scorerOf(() => 0) };
    expect(rateCandidates(question, even).map(({ sql }) => sql)).toEqual(made);
    const place = READING_FEATURES.indexOf('projections');
    const own = scorerOf((row) => row[place] ?? 0);
    const rated = rateCandidates(question, { ...even, own });
    expect(rated.map(({ odds }) => odds)).toEqual(
      rated.map(({ draft }) => draft.bound.projections.length / 2),
    );
    expect(rateRow([0], { readings: scorerOf(() => 3) })).toBe(3);
    expect(rateRow([0], { readings: scorerOf(() => 3), own: scorerOf(() => -1) })).toBe(1);
  });
});
