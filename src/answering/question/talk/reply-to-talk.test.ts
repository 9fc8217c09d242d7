import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { smallKnowledge } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { isInOtherLanguage } from './reply-to-talk.ts';

const ROW = z.strictObject({ language: z.string(), question: z.string() });
const FOREIGN = readFileSync(
  new URL('../../../../test/fixtures/questions/other-languages.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => ROW.parse(JSON.parse(line)));

const KNOWLEDGE = smallKnowledge();

describe('a question in another language', () => {
  it('is told for what it is in nine of ten short ones, in each language for most', () => {
    const missed = FOREIGN.filter(({ question }) => !isInOtherLanguage(question, KNOWLEDGE));
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(FOREIGN.length / 10);
    for (const language of new Set(FOREIGN.map((one) => one.language)))
      expect(missed.filter((one) => one.language === language).length, language).toBeLessThanOrEqual(2);
  });

  it.each([
    'oldest order',
    'data on films',
    'singers from São Paulo',
    'media clients of Los Angeles',
    'no visa',
    'stadium capacity',
    'How many singers are from France?',
    'singer von Trapp',
  ])('is none for a name or a word that others have too: %s', (question) =>
    expect(isInOtherLanguage(question, KNOWLEDGE)).toBe(false),
  );

  it('is read where its words are names here', () => {
    expect(isInOtherLanguage('singer pro stadium', KNOWLEDGE)).toBe(false);
  });
});
