import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { changeFile } from '../files/authored-files.ts';
import { addNote } from './add-note.ts';
import { readAuthored } from './folder/read-authored.ts';
import { setStatus } from './folder/set-status.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'candor-write-')), 'knowledge');
  await mkdir(folder);
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const read = (name: string) => readFile(join(folder, name), 'utf8');
const write = (name: string, text: string) => writeFile(join(folder, name), text);
const notes = async () => (await readAuthored(folder)).notes;

describe('addNote', () => {
  it('makes folder and file, and adds to them', async () => {
    await rm(folder, { recursive: true });
    expect(await addNote(folder, { text: 'a' })).toBe('notes.md');
    await addNote(folder, { text: 'b  over\nlines', by: 'ada', at: '2025-01-31', tables: ['orders'] });
    expect(await read('notes.md')).toBe(
      '# Notes\n\n- a\n- b over lines <!-- candor: {tables: ["orders"], by: "ada", at: "2025-01-31"} -->\n',
    );
    expect(await notes()).toMatchObject([
      { text: 'a', topic: ['Notes'] },
      { text: 'b over lines', by: 'ada', at: '2025-01-31', tables: ['orders'] },
    ]);
    expect(await readdir(folder)).toEqual(['notes.md']);
  });

  it.each([
    [
      'at the end of the section of its topic',
      '# Places\n\n- a\n\n## Other\n\n- b\n',
      '# Places\n\n- a\n- new\n\n## Other\n\n- b\n',
    ],
    [
      'under a new heading where the topic has none',
      '# Old\n\n- a\n',
      '# Old\n\n- a\n\n## Places\n\n- new\n',
    ],
    ['after a paragraph, apart from it', '# Places\n\ntext', '# Places\n\ntext\n\n- new\n'],
    ['into an empty section', '# places\n# Next\n', '# places\n\n- new\n# Next\n'],
    ['after an item without a last line end', '# Places\n- a', '# Places\n- a\n- new\n'],
    ['with the line ends of the file', '# Places\r\n- a\r\n', '# Places\r\n- a\r\n- new\r\n'],
  ])('puts a note %s', async (_, before, after) => {
    await write('places.md', before);
    await addNote(folder, { text: 'new', topic: 'Places' });
    expect(await read('places.md')).toBe(after);
  });

  it('writes every text so that it reads back, and leaves every other line as it was', async () => {
    const word = fc.constantFrom(
      'a',
      '`orders`',
      '#',
      '- b',
      '1.',
      '|',
      '---',
      '```',
      '>',
      '**x**',
      ':',
      'é',
      '"',
      "'",
      '{',
      '}',
      '\\',
      '\n',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
    const person = fc.constantFrom(undefined, 'ada', 'a: b', '-->', 'x" }', '\\');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, person), { minLength: 1, maxLength: 4 }), async (drawn) => {
        await rm(folder, { recursive: true, force: true });
        const texts: string[] = [];
        for (const [one, by] of drawn) {
          const before = texts.length === 0 ? [] : (await read('notes.md')).split('\n');
          const code = await codeOf(addNote(folder, { text: one, ...(by === undefined ? {} : { by }) }));
          if (code === 'knowledge.refused') continue;
          expect(code).toBe('no error');
          texts.push(one.replaceAll(/\s+/g, ' ').trim());
          const after = (await read('notes.md')).split('\n');
          expect(after.filter((line) => before.includes(line)).length).toBeGreaterThanOrEqual(before.length);
          expect((await notes()).at(-1)?.by).toBe(by);
        }
        expect((await notes()).map((note) => note.text)).toEqual(texts);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [{ text: ' ' }, 'knowledge.refused'],
    [{ text: 'x'.repeat(2_001) }, 'knowledge.refused'],
    [{ text: 'a <!-- b' }, 'knowledge.refused'],
    [{ text: 'a', topic: '---' }, 'knowledge.refused'],
    [{ text: 'a', topic: 'Readme' }, 'knowledge.refused'],
  ])('refuses %j', async (note, code) => {
    expect(await codeOf(addNote(folder, note))).toBe(code);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves a faulty file as it is', async () => {
    await write('notes.md', '# Notes\n```\n');
    expect(await codeOf(addNote(folder, { text: 'a' }))).toBe('knowledge.invalid');
    expect(await read('notes.md')).toBe('# Notes\n```\n');
  });
});

describe('setStatus', () => {
  const certified = { table: 'orders', status: 'certified', by: 'ada', at: '2025-01-31' } as const;

  it.each([
    ['makes the file', undefined, 'tables:\n  orders: {status: certified, by: ada, at: 2025-01-31}\n'],
    [
      'adds below what is there, comments and all',
      '# top\ntables:  # mine\n    a:   {status: deprecated, by: "x", at: 2024-01-01}  # old\n\n# end',
      '# top\ntables:  # mine\n    a:   {status: deprecated, by: "x", at: 2024-01-01}  # old\n    orders: {status: certified, by: ada, at: 2025-01-31}\n\n# end',
    ],
    [
      'replaces an earlier word in its place',
      'tables:\n  ORDERS:\n    status: deprecated\n    by: ben\n    at: 2024-01-01\n  b: {status: certified, by: x, at: 2024-01-01} # keep\n',
      'tables:\n  ORDERS: {status: certified, by: ada, at: 2025-01-31}\n  b: {status: certified, by: x, at: 2024-01-01} # keep\n',
    ],
    [
      'fills an empty map',
      '# top\ntables:\n',
      '# top\ntables:\n  orders:\n    status: certified\n    by: ada\n    at: 2025-01-31\n',
    ],
  ])('%s', async (_, before, after) => {
    if (before !== undefined) await write('status.yml', before);
    await setStatus(folder, certified);
    expect(await read('status.yml')).toBe(after);
  });

  it('keeps line ends and what a map in braces holds', async () => {
    await write('status.yml', 'tables:\r\n  a: {status: certified, by: x, at: 2024-01-01}\r\n');
    await setStatus(folder, certified);
    expect(await read('status.yml')).toBe(
      'tables:\r\n  a: {status: certified, by: x, at: 2024-01-01}\r\n  orders: {status: certified, by: ada, at: 2025-01-31}\r\n',
    );
    await write('status.yml', '# top\ntables: {a: {status: certified, by: x, at: 2024-01-01}}\n');
    await setStatus(folder, certified);
    expect(await read('status.yml')).toContain('# top');
    expect((await readAuthored(folder)).statuses).toHaveLength(2);
  });

  it('reads back whatever was said, the last word on each table', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((one) => one.trim() === one);
    const status = fc.record({
      table: fc.constantFrom('orders', 'sales.orders', 'a b', 'true', '2024', 'x: y', '#c', 'null'),
      status: fc.constantFrom('certified' as const, 'deprecated' as const),
      by: text,
      at: fc.constantFrom('2025-01-31', '2024-12-01'),
      why: text,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(status, { minLength: 1, maxLength: 5 }), async (drawn) => {
        await write('status.yml', '# mine\n');
        const last = new Map<string, unknown>();
        for (const one of drawn) {
          await setStatus(folder, one);
          last.set(one.table, one);
        }
        expect(await read('status.yml')).toMatch(/^# mine\n/);
        const found = (await readAuthored(folder)).statuses.map(({ place: _, ...one }) => one);
        expect(new Map(found.map((one) => [one.table, one]))).toEqual(last);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves a faulty file as it is', async () => {
    await write('status.yml', 'tables:\n  a: {statsu: x}\n');
    expect(await codeOf(setStatus(folder, certified))).toBe('knowledge.invalid');
    expect(await read('status.yml')).toBe('tables:\n  a: {statsu: x}\n');
  });
});

describe('changeFile', () => {
  it.each([
    ['takes what another program wrote meanwhile', 1, undefined, 'theirs 1 ours'],
    ['gives way to one that never stops', Number.POSITIVE_INFINITY, 'knowledge.locked', 'theirs 5'],
  ])('%s', async (_, most, code, text) => {
    const path = join(folder, 'notes.md');
    let written = 0;
    const change = changeFile(path, 'notes.md', (before) => {
      if (written < most) {
        written += 1;
        writeFileSync(path, `theirs ${written}`);
      }
      return `${before} ours`;
    });
    if (code === undefined) await change;
    else expect(await codeOf(change)).toBe(code);
    expect(await read('notes.md')).toBe(text);
  });
});
