import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WORDS, readWordList } from './word-list.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-words-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a list of words', () => {
  it('takes classes that it lacks from the one that ships', async () => {
    const path = join(folder, 'words.yml');
    writeFileSync(path, 'place: [Oz]\nsynonyms: {customer: [patron]}\n');
    expect(await readWordList(path)).toEqual({
      ...DEFAULT_WORDS,
      place: ['Oz'],
      synonyms: { customer: ['patron'] },
    });
  });

  it.each([
    ['an unknown class', 'colour: [red]\n', /colour/],
    ['no YAML', 'noun: [red\n', /words\.yml/],
    ['an empty class', 'noun: []\n', /noun/],
    ['a word with signs', 'noun: ["a; DROP"]\n', /letters/],
  ])('with %s is an error', async (_, text, message) => {
    const path = join(folder, 'words.yml');
    writeFileSync(path, text);
    await expect(readWordList(path)).rejects.toMatchObject({ code: 'eval.words-invalid', message });
  });
});
