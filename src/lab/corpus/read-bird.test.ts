import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSuite } from './read-suite.ts';

let folder = '';

const question = (id: number, database: string, evidence: string) => ({
  question_id: id,
  db_id: database,
  question: `Question ${id}?`,
  evidence,
  SQL: `SELECT ${id}`,
  difficulty: 'simple',
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-bird-'));
  const questions = [
    question(0, 'gone', ''),
    question(1, 'superhero', 'blue refers to colour = 7'),
    question(2, 'financial', ''),
    question(3, 'financial', ''),
  ];
  const files: Record<string, string> = {
    'dev/dev.json': JSON.stringify(questions),
    'databases_proxy/qids_validated_ge95pct_agreement.json': '[3]',
  };
  for (const database of ['superhero', 'student_club', 'toxicology'])
    files[`databases/${database}/${database}.sqlite`] = 'only looked for, not opened';
  for (const database of ['financial', 'formula_1'])
    files[`databases_proxy/${database}/${database}.sqlite`] = 'only looked for, not opened';
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'bird', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
});

afterAll(() => rm(folder, { recursive: true }));

describe('the suites of BIRD', () => {
  it('ask what has rows, with its hint, at the place in the whole set', async () => {
    const suite = await readSuite('bird', { dataDirectory: folder });
    expect(suite).toMatchObject({ policy: 'bird', excluded: { cases: 3 } });
    expect(suite.cases).toEqual([
      expect.objectContaining({
        id: 'bird-1',
        index: 1,
        database: 'bird-superhero',
        hint: 'blue refers to colour = 7',
        hardness: 'simple',
        expect: { kind: 'answered', sql: 'SELECT 1', orderMatters: false },
      }),
    ]);
  });

  it('ask rebuilt databases only what is known to give the published result', async () => {
    const suite = await readSuite('bird-proxy', { dataDirectory: folder });
    expect(suite.cases.map(({ id }) => id)).toEqual(['bird-3']);
    expect(suite.cases[0]).not.toHaveProperty('hint');
  });

  it('name a file of another shape', async () => {
    const other = await mkdtemp(join(folder, 'other-'));
    await mkdir(join(other, 'bird', 'dev'), { recursive: true });
    await writeFile(join(other, 'bird', 'dev', 'dev.json'), '[{"question": 1}]');
    await expect(readSuite('bird', { dataDirectory: other })).rejects.toMatchObject({
      code: 'eval.data-missing',
      message: expect.stringContaining('dev.json'),
    });
  });
});
