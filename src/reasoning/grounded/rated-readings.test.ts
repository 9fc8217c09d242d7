import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCases } from '../../../test/fixtures/grounded/read-cases.ts';
import { scorerOf } from '../../../test/fixtures/grounded/scorer-of.ts';
import { smallKnowledge } from '../../../test/fixtures/grounded/small-catalog.ts';
import { hypothesise, ratedReadings } from './hypothesise.ts';
import { REVISIONS } from './query/revise/revise.ts';
import { openRatingModels } from './rate/open-rating-models.ts';
import type { RatingModels } from './rate/rate-candidates.ts';
import { READING_FEATURES } from './rate/reading-features.ts';
import { readByRules } from './read-by-rules.ts';

const KNOWLEDGE = smallKnowledge();
const NOW = new Date('2024-10-01T12:00:00Z');
const QUESTIONS = readCases('pairs.jsonl', z.looseObject({ question: z.string() })).map(
  ({ question }) => question,
);
const shipped = await openRatingModels();

/** Models that like one feature and nothing else. */
function fondOf(name: string, factor = 1): RatingModels {
  const place = READING_FEATURES.indexOf(name);
  return { asked: shipped.asked, readings: scorerOf((row) => factor * (row[place] ?? 0)) };
}

const readings = (question: string, models: RatingModels) =>
  ratedReadings(readByRules(question, KNOWLEDGE, NOW), KNOWLEDGE, models);

describe('ratedReadings', () => {
  it('are up to eight different ones, the likeliest first, each with its causes in place', () => {
    for (const question of QUESTIONS.slice(0, 40)) {
      const found = readings(question, shipped);
      expect(found.length).toBeLessThanOrEqual(8);
      expect(new Set(found.map(({ sql }) => sql)).size).toBe(found.length);
      const probabilities = found.map(({ probability }) => probability);
      expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
      for (const { sql, parts, probability, explanation } of found) {
        expect(probability > 0 && probability < 1).toBe(true);
        expect(explanation).not.toBe('');
        for (const { span, text } of parts) expect(sql.slice(span.start, span.end)).toBe(text);
      }
    }
  });

  it('are the first of the rules where the models go by the rules', () => {
    for (const question of QUESTIONS.slice(0, 20)) {
      const ruled = readByRules(question, KNOWLEDGE, NOW).readings;
      const [best] = readings(question, fondOf('revisions', -10));
      expect(ruled.map(({ sql }) => sql)).toContain(best?.sql);
    }
  });

  it('name the change that made them, and explain what they say', () => {
    const [best] = readings('Which singers are older than 30?', fondOf('drop a condition', 9));
    expect(best?.sql).not.toContain('30');
    expect(best?.explanation).not.toContain('30');
    expect(best?.rules.at(-1)).toBe('drop a condition');
    const [first] = readings('List the names of singers ordered by age.', fondOf('show only the first', 9));
    expect(first?.sql).toMatch(/LIMIT 1$/);
    const names = REVISIONS.map(({ name }) => name);
    const [plain] = readings('How many singers are there?', fondOf('revisions', -10));
    expect(plain?.rules.filter((rule) => names.includes(rule))).toEqual([]);
  });

  it('are those of the rules where nothing is revised', () => {
    for (const question of ['What percentage of singers are from France?', '?']) {
      const ruled = readByRules(question, KNOWLEDGE, NOW);
      expect(ratedReadings(ruled, KNOWLEDGE, shipped)).toBe(ruled.readings);
    }
  });

  it('say what was read as something else', () => {
    const [best] = readings('How many singrs are there?', shipped);
    expect(best?.assumptions.map(({ text }) => text)).toContain('“singrs” was read as “singers”.');
  });

  it('are what a question gets where the models are known', () => {
    const question = 'Which singers are older than 30?';
    const models = fondOf('drop a condition', 9);
    const rated = hypothesise(question, { ...KNOWLEDGE, rating: models }, NOW);
    expect(rated.readings).toEqual(readings(question, models));
    expect(hypothesise(question, KNOWLEDGE, NOW).readings[0]?.sql).toContain('30');
  });
});
