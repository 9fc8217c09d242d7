import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseSetups, readPredictions, type Setup } from './replay-set.ts';

const setup = (name: string, more: Partial<Setup> = {}): Setup => ({
  name,
  questions: 1534,
  accuracy: 0.8,
  labelled: 300,
  ...more,
});

const STRONGEST_FIRST = [
  setup('DeepEye-SQL|qwen3'),
  setup('DeepEye-SQL|gemma3'),
  setup('CSC-SQL|Csc-32b'),
  setup('Small (100-q subset)|see paper', { questions: 100 }),
  setup('Unjudged|other', { labelled: 40 }),
  setup('Alpha-SQL|qwen3(?)'),
  setup('Odd|unknown'),
  setup('RSL-SQL final_sql|gpt-4o'),
  setup('RSL-SQL step_3|deepseek'),
  setup('artessay:HeroD/Linker|openai/gpt-4o'),
  setup('artessay:Base/Linker|Qwen/plus'),
];

describe('the choice of set-ups', () => {
  it.each([
    [1, ['DeepEye-SQL|qwen3']],
    [3, ['DeepEye-SQL|qwen3', 'CSC-SQL|Csc-32b', 'RSL-SQL final_sql|gpt-4o']],
    [
      4,
      ['DeepEye-SQL|qwen3', 'CSC-SQL|Csc-32b', 'RSL-SQL final_sql|gpt-4o', 'artessay:Base/Linker|Qwen/plus'],
    ],
  ])('takes the strongest of different systems and models: %i', (count, chosen) => {
    expect(chooseSetups(STRONGEST_FIRST, count)).toEqual(chosen);
  });

  it('says when there are too few', () => {
    expect(() => chooseSetups(STRONGEST_FIRST, 5)).toThrow(
      '4 set-ups of different systems and models, 5 are asked for',
    );
  });
});

describe('predictions', () => {
  it('are read by set-up: the first of a question, none that saw the gold schema, no label of a test database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'candor-preds-'));
    const rows = [
      { qid: 1, db_id: 'superhero', pred: 'SELECT 1', label: 1, models: ['A|m', 'A/GoldFilter|m'] },
      { qid: 1, db_id: 'superhero', pred: 'SELECT 2', label: 0, models: ['A|m'] },
      { qid: 2, db_id: 'toxicology', pred: 'SELECT 3', label: 0, models: ['A|m', 'B|n'] },
      { qid: 3, db_id: 'superhero', pred: 'SELECT 4', label: null, models: ['B|n'] },
    ];
    await mkdir(join(folder, 'preds'));
    await writeFile(
      join(folder, 'preds', 'bird_dev.jsonl.gz'),
      gzipSync(rows.map((row) => JSON.stringify(row)).join('\n')),
    );
    const { sqlOf, setups } = await readPredictions(folder);
    expect([...sqlOf.keys()]).toEqual(['A|m', 'B|n']);
    expect([...(sqlOf.get('A|m') ?? [])]).toEqual([
      ['1', 'SELECT 1'],
      ['2', 'SELECT 3'],
    ]);
    expect(setups).toEqual([
      { name: 'A|m', questions: 2, accuracy: 0.5, labelled: 2 },
      { name: 'B|n', questions: 2, accuracy: 0, labelled: 0 },
    ]);
    await rm(folder, { recursive: true });
  });
});
