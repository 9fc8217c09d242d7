/** What is said of a word that nothing could be made of, over the music shop. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askAboutWord } from '../../src/boundary/index.ts';
import { type OpenSuite, openSuite } from './open-suite.ts';

const CASE = z.strictObject({
  phrase: z.string(),
  question: z.string(),
  kind: z.enum(['clarify', 'reject', 'abstain']),
  options: z.array(z.string()).optional(),
  /** A part of the sentence. */
  said: z.string().optional(),
  /** Some of what is near. */
  near: z.array(z.string()).optional(),
  why: z.string(),
});

const file = new URL('../fixtures/questions/unknown-words.jsonl', import.meta.url);
const CASES = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => CASE.parse(JSON.parse(line)));

const folder = mkdtempSync(join(tmpdir(), 'candor-unknown-words-'));
let suite: OpenSuite | null = null;
beforeAll(async () => {
  suite = await openSuite('chinook', folder);
});
afterAll(async () => {
  if (suite !== null) await suite.session.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a word that nothing could be made of', () => {
  for (const { phrase, question, why, ...due } of CASES)
    it(`“${phrase}”: ${due.kind}, ${why}`, ({ skip }) => {
      if (suite === null) return skip('the data of the music shop is not here');
      const told = askAboutWord(phrase, question, suite.session);
      const said = JSON.stringify(told);
      expect(told.kind, said).toBe(due.kind);
      if (told.kind === 'clarify') expect(told.options.map((option) => option.question)).toEqual(due.options);
      if (told.kind === 'reject') expect(told.message).toContain(due.said);
      if (told.kind === 'abstain') expect(told.reason).toContain(due.said);
      if ('nearest' in told) expect(told.nearest, said).toEqual(expect.arrayContaining(due.near ?? []));
    });
});
