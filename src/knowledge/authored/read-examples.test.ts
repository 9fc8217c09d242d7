import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExamples } from './examples.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-pairs-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readOne(name: string, text: string): Promise<unknown> {
  const directory = join(folder, name, 'examples');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'pair.sql'), text);
  return readExamples(directory);
}

describe('readExamples', () => {
  it('reads front matter and statement', async () => {
    const text = [
      '-- question: How many orders: open or closed?',
      '-- verified_by: Ada',
      '-- verified_at: 2025-01-31',
      '',
      'SELECT COUNT(*) -- all of them',
      'FROM orders;',
    ].join('\r\n');
    expect(await readOne('whole', text)).toEqual([
      {
        question: 'How many orders: open or closed?',
        verifiedBy: 'Ada',
        verifiedAt: '2025-01-31',
        sql: 'SELECT COUNT(*) -- all of them\nFROM orders',
        file: 'pair.sql',
      },
    ]);
  });

  it('keeps a comment that is no front matter with the statement', async () => {
    expect(await readOne('comment', '-- question: Why?\n-- the rest is SQL\nSELECT 1')).toEqual([
      { question: 'Why?', sql: '-- the rest is SQL\nSELECT 1', file: 'pair.sql' },
    ]);
  });

  it('has no pairs in a missing folder', async () => {
    expect(await readExamples(join(folder, 'missing'))).toEqual([]);
  });

  it.each([
    ['no question', 'SELECT 1', 'examples/pair.sql:1:1: expected a first line'],
    ['no statement', '-- question: Why?\n\n', 'examples/pair.sql:4:1: expected a statement'],
    [
      'misspelt key',
      '-- question: Why?\n-- verifed_by: Ada\nSELECT 1',
      ':2:1: unknown key `verifed_by`; did you mean `verified_by`?',
    ],
    ['key twice', '-- question: Why?\n-- question: How?\nSELECT 1', ':2:1: `question` stands twice'],
    [
      'no day',
      '-- question: Why?\n-- verified_at: yesterday\nSELECT 1',
      ':2:1: verified_at: expected YYYY-MM-DD',
    ],
  ])('refuses a file with %s', async (name, text, message) => {
    await expect(readOne(name, text)).rejects.toMatchObject({
      code: 'examples.invalid',
      message: expect.stringContaining(message),
    });
  });
});
