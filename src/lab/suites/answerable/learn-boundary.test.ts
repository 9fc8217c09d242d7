/** A boundary learned from labelled questions, on a project and on its file. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCandor } from '../../../../test/e2e/cli/run-candor.ts';
import { makeCarShop } from '../../../../test/fixtures/synthesis/make-car-shop.ts';
import { maskedWords, readLearnedBoundary, scoreBy, writeLearnedBoundary } from '../../../boundary/index.ts';
import { dealFolds, learnBoundary } from './learn-boundary.ts';
import type { LabelledQuestion } from './read-labelled.ts';

const PEOPLE = ['Ana', 'Bo', 'Cleo', 'Dag', 'Eva', 'Finn', 'Gus', 'Hal', 'Ida', 'Jon', 'Kit', 'Lea'];
/** With so few kinds, each held out whole, the strict share would leave nothing to find. */
const LOOSE = ['--false-refusals', '40'];

/** Every wording has names of its own, so that no name is said as often as a word. */
const fill = (wording: string): string[] =>
  PEOPLE.map((name, at) => wording.replace('X', `${name}${wording.replaceAll(' ', '').slice(-4)} ${at + 3}`));
const of = (isAnswerable: boolean, ...wordings: readonly string[]): LabelledQuestion[] =>
  wordings.flatMap(fill).map((question) => ({ id: question, question, isAnswerable }));
const LABELLED = [
  ...of(true, 'how many deals did X sign', 'what is the revenue of X', 'show the deals of X by city'),
  ...of(true, 'which model does X sell most', 'average price of the deals of X'),
  ...of(false, 'what is the blood type of X', 'who is the cousin of X', 'can X swim well'),
];

describe('learnBoundary', () => {
  it('tells new questions by their kind, whatever the names are', async () => {
    const { learned, answerable, beyond } = await learnBoundary(LABELLED, { falseRefusals: 0.4, seed: 1 });
    expect([answerable, beyond]).toEqual([60, 36]);
    const score = scoreBy(learned);
    const isBeyond = (question: string): boolean => score(question) >= learned.threshold;
    expect(isBeyond('what is the blood type of Zoe 99')).toBe(true);
    expect(isBeyond('how many deals did Zoe 99 sign')).toBe(false);
    expect(JSON.stringify(learned.answerable)).not.toMatch(/cleo/);
  });

  it('gives the same from its file, and refuses another', async () => {
    const { learned } = await learnBoundary(LABELLED, { falseRefusals: 0.4, seed: 1 });
    const provenance = { data: 'test', licence: 'none', seed: 1, trained: LABELLED.length };
    const text = writeLearnedBoundary(learned, provenance);
    const again = readLearnedBoundary(text, 'boundary.json');
    for (const { question } of LABELLED) expect(scoreBy(again)(question)).toBe(scoreBy(learned)(question));
    for (const damaged of ['{}', text.slice(0, -40)])
      expect(() => readLearnedBoundary(damaged, 'boundary.json')).toThrow(/^boundary\.json: /);
  });

  it('needs twenty of each kind', async () => {
    await expect(learnBoundary(LABELLED.slice(0, 30), { falseRefusals: 0.4, seed: 1 })).rejects.toMatchObject(
      {
        code: 'boundary.too-few',
      },
    );
  });

  it('holds near wordings out together', () => {
    const folds = dealFolds(LABELLED, 4, () => true);
    const same = folds.slice(0, 12);
    expect(new Set(same).size).toBeLessThanOrEqual(12);
    expect(folds).toHaveLength(LABELLED.length);
    const masked = dealFolds(
      LABELLED,
      4,
      (word) => !/^\d|^[a-z]{2,4}$/.test(word) || /^(?:how|many|did|is)$/.test(word),
    );
    expect(new Set(masked.slice(0, 12)).size).toBe(1);
  });
});

it.each([
  ['How many deals did “Ana Silva” sign in 2024?', 'how many deals did NAME sign in NUMBER'],
  ["Ana's 3.5 mg, 12:30", 'NAME NUMBER NAME NUMBER'],
  ['', ''],
])('masks names, values and numbers: %s', (question, masked) => {
  const common = new Set('how many deals did sign in'.split(' '));
  expect(maskedWords(question, (word) => common.has(word)).join(' ')).toBe(masked);
});

describe('candor train boundary', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'candor-learned-'));
    makeCarShop(folder);
    mkdirSync(join(folder, 'tests'));
    const rows = LABELLED.map(({ question, isAnswerable }, at) =>
      isAnswerable
        ? { id: `q${at}`, question, sql: 'SELECT 1' }
        : { id: `q${at}`, question, expect: { kind: 'reject' } },
    );
    writeFileSync(join(folder, 'tests', 'labelled.yml'), JSON.stringify(rows));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('refuses afterwards what it learned to refuse, and nothing before or in a dry run', async () => {
    const ask = () =>
      runCandor(['ask', 'who is the cousin of dealers', '--output', 'json', '--quiet'], folder);
    const dry = await runCandor(['train', 'boundary', '--dry-run', '--quiet', ...LOOSE], folder);
    expect(dry.code, dry.stderr).toBe(0);
    expect(dry.stdout).toContain('nothing was written');
    expect((await ask()).stdout).not.toContain('of this kind');
    const { code, stdout, stderr } = await runCandor(
      ['train', 'boundary', '--quiet', '--output', 'json', ...LOOSE],
      folder,
    );
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ answerable: 60, beyond: 36, isWritten: true });
    expect((await ask()).stdout).toContain('of this kind');
    const other = await runCandor(['ask', 'how many deals in 2024', '--output', 'json', '--quiet'], folder);
    expect(JSON.parse(other.stdout)).toMatchObject({ kind: 'answered' });
    expect(readFileSync(join(folder, '.candor', 'boundary.json'), 'utf8')).not.toContain('cleo');
  });
});
