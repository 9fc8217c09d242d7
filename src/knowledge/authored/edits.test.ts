import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { addEdit, type QueryEdit, readEdits } from './edits.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-edits-'));
});
afterEach(() => rm(folder, { recursive: true }));

const EDIT: QueryEdit = {
  question: 'How many customers?',
  sql: 'SELECT COUNT(*) FROM orders',
  corrected: 'SELECT COUNT(*)\nFROM customers',
  at: '2026-01-31T12:00:00.000Z',
};

describe('addEdit', () => {
  it('adds a line that reads back with its place', async () => {
    expect(await addEdit(folder, EDIT)).toBe(true);
    expect(await addEdit(folder, { ...EDIT, hint: 'active ones' })).toBe(true);
    expect(await readEdits(folder)).toEqual([
      { ...EDIT, place: expect.stringMatching(/edits\.jsonl:1$/) },
      { ...EDIT, hint: 'active ones', place: expect.stringMatching(/edits\.jsonl:2$/) },
    ]);
  });

  it('does not store the same correction twice, whenever it is given', async () => {
    await addEdit(folder, EDIT);
    expect(await addEdit(folder, { ...EDIT, at: '2026-02-01T12:00:00.000Z' })).toBe(false);
    expect(await readEdits(folder)).toHaveLength(1);
  });

  it('keeps what a person left without a line end', async () => {
    await writeFile(join(folder, 'edits.jsonl'), JSON.stringify(EDIT));
    await addEdit(folder, { ...EDIT, question: 'Another?' });
    expect(await readEdits(folder)).toHaveLength(2);
  });

  it('writes whatever text it is given on one line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== ''),
        async (question) => {
          await rm(join(folder, 'edits.jsonl'), { force: true });
          await addEdit(folder, { ...EDIT, question });
          const text = await readFile(join(folder, 'edits.jsonl'), 'utf8');
          expect(text.split('\n')).toHaveLength(2);
          expect((await readEdits(folder))[0]?.question).toBe(question.trim());
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each<[string, Partial<QueryEdit>]>([
    ['an empty question', { question: '  ' }],
    ['SQL beyond any that people write', { sql: 'x'.repeat(20_001) }],
    ['no day', { at: 'yesterday' }],
  ])('refuses %s', async (_, wrong) => {
    expect(await codeOf(addEdit(folder, { ...EDIT, ...wrong }))).toBe('knowledge.refused');
    expect(await readEdits(folder)).toEqual([]);
  });
});

describe('readEdits', () => {
  it('has none in a missing folder', async () => {
    expect(await readEdits(join(folder, 'missing'))).toEqual([]);
  });

  it('reads all files of that name', async () => {
    await addEdit(folder, EDIT);
    await writeFile(
      join(folder, 'edits-2025.jsonl'),
      `${JSON.stringify({ ...EDIT, question: 'Old?' })}\r\n\r\n`,
    );
    expect((await readEdits(folder)).map(({ question }) => question)).toEqual(['Old?', EDIT.question]);
  });

  it.each([
    ['no JSON', '{', ':1:1: expected one JSON object'],
    ['a field that is missing', JSON.stringify({ ...EDIT, corrected: undefined }), ':1:1: corrected:'],
    ['a field that nobody knows', JSON.stringify({ ...EDIT, rows: [] }), ':1:1:'],
  ])('names the place of %s', async (_, line, message) => {
    await writeFile(join(folder, 'edits.jsonl'), `${line}\n`);
    await expect(readEdits(folder)).rejects.toMatchObject({
      code: 'knowledge.invalid',
      message: expect.stringContaining(message),
    });
  });
});
