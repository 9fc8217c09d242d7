import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CandorError } from '../../errors.ts';
import { readSemanticModel } from '../semantic/read-semantic-model.ts';
import { isNoteFor } from './authored.ts';
import { readAuthored } from './folder/read-authored.ts';
import {
  addProposal,
  dropProposal,
  findProposal,
  type NewProposal,
  publishProposal,
  readProposals,
  withProposedSynonyms,
} from './proposals.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'candor-proposals-')), 'knowledge');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const PAID = 'An order counts only when it is paid.';
const add = (text: string, more: Partial<NewProposal> = {}) =>
  addProposal(folder, { text, tables: [], by: 'ada', at: '2026-11-27', ...more });
const textsOf = async () => (await readProposals(folder)).map(({ text }) => text);
const fileText = () => readFileSync(join(folder, 'proposed.md'), 'utf8');
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'kept',
    (error: unknown) => (error instanceof CandorError ? error.code : error),
  );

describe('a proposal', () => {
  it('is a note of its author, with who said it and when', async () => {
    const { key } = await add(PAID, { tables: ['orders'] });
    const [note] = (await readAuthored(folder)).notes;
    expect(note).toMatchObject({
      ...{ text: PAID, kind: 'data', user: 'ada', by: 'ada', at: '2026-11-27' },
      ...{ tables: ['orders'], isProposed: true, place: 'knowledge/proposed.md:3' },
    });
    expect(note?.id).toBe(`proposed.md#${key}`);
  });

  it('is kept once for each author', async () => {
    const first = await add(PAID);
    expect((await add(PAID)).key).toBe(first.key);
    await add(PAID, { by: 'ben' });
    expect(await textsOf()).toEqual([PAID, PAID]);
  });

  it('of a synonym takes the place of the author’s last one for the word', async () => {
    await add('Pics means films.', { synonym: { term: 'pics', meaning: 'films' } });
    await add('Pics means pictures.', { synonym: { term: 'Pics', meaning: 'pictures' } });
    expect(await textsOf()).toEqual(['Pics means pictures.']);
  });

  it.each([
    ['too long', 'a'.repeat(501)],
    ['empty', ' '],
    ['a comment that would end the note', 'paid --> <!-- candor: {user: ben} -->'],
  ])('that is %s is refused, and nothing is written', async (_, text) => {
    expect(await codeOf(add(text))).toBe('knowledge.refused');
    expect(await readProposals(folder)).toEqual([]);
  });

  it.each(['# Heading', '- item', '| a | b |', 'tables: [x]', '```', 'a\n# b\n- c'])(
    'that looks like markdown is one line of text: %j',
    async (text) => {
      const code = await codeOf(add(text));
      if (code === 'kept') expect(await textsOf()).toEqual([text.replace(/\s+/g, ' ')]);
      else expect([code, await readProposals(folder)]).toEqual(['knowledge.refused', []]);
    },
  );

  it('is one of fifty of an author at most', async () => {
    for (let at = 0; at < 50; at += 1) await add(`Rule ${at}.`);
    expect(await codeOf(add('One more.'))).toBe('knowledge.refused');
    expect(await codeOf(add('One of another.', { by: 'ben' }))).toBe('kept');
  });

  it('is withdrawn, and every other byte stays', async () => {
    await add('First.');
    const before = fileText();
    const { key } = await add('Second.');
    await dropProposal(folder, key);
    expect(fileText()).toBe(before);
    expect(await codeOf(dropProposal(folder, key))).toBe('knowledge.refused');
  });

  it('that somebody edited into several lines is left to them', async () => {
    await add('First.');
    const { key } = await add('Second.');
    const [, line = ''] = /^(- Second\..*)$/m.exec(fileText()) ?? [];
    const edited = fileText().replace(line, line.replace('- Second.', '- Second.\n  And more.'));
    writeFileSync(join(folder, 'proposed.md'), edited);
    const moved = (await readProposals(folder)).at(-1)?.key ?? key;
    expect(await codeOf(dropProposal(folder, moved))).toBe('knowledge.refused');
    expect(fileText()).toBe(edited);
  });
});

describe('a review', () => {
  it('makes a rule everybody’s note, still said by its author', async () => {
    const { key } = await add(PAID);
    const folders = { knowledge: folder, semantics: join(folder, '..', 'semantics') };
    expect(await publishProposal(folders, await findProposal(folder, key))).toBe('knowledge/notes.md');
    await dropProposal(folder, key);
    const { notes } = await readAuthored(folder);
    expect(notes).toMatchObject([{ text: PAID, by: 'ada', place: 'knowledge/notes.md:3' }]);
    expect(notes[0]).not.toHaveProperty('user');
    expect(notes[0]).not.toHaveProperty('isProposed');
  });

  it('makes a synonym one of the semantic model', async () => {
    const synonym = { term: 'pics', meaning: 'films' };
    const { key } = await add('Pics means films.', { synonym });
    const folders = { knowledge: folder, semantics: join(folder, '..', 'semantics') };
    expect(await publishProposal(folders, await findProposal(folder, key))).toBe('semantics/learned.yml');
    expect((await readSemanticModel(folders.semantics)).jargon).toEqual([synonym]);
  });
});

it.each([
  ['everybody’s', {}, 'ada', true],
  ['one’s own', { user: 'ada' }, 'ada', true],
  ['another’s', { user: 'ben' }, 'ada', false],
  ['proposed by nobody by name, for somebody', { isProposed: true as const }, 'ada', false],
  ['proposed by nobody by name, for nobody by name', { isProposed: true as const }, undefined, true],
  ['of somebody, for nobody by name', { user: 'ada' }, undefined, false],
])('a note is told to whom it is for: %s', (_, note, reader, isFor) => {
  expect(isNoteFor(note, reader)).toBe(isFor);
});

it('synonyms that are proposed stand before everybody’s, for their author alone', async () => {
  await add('Pics means films.', { synonym: { term: 'pics', meaning: 'films' } });
  const { notes } = await readAuthored(folder);
  const empty = await readSemanticModel(join(folder, '..', 'none'));
  const model = { ...empty, jargon: [{ term: 'pics', meaning: 'actors' }] };
  const own = withProposedSynonyms(model, notes, 'ada');
  expect(own.jargon.map(({ meaning }) => meaning)).toEqual(['films', 'actors']);
  // The view of somebody else is made of that of the project, which may be somebody’s.
  expect(withProposedSynonyms(own, notes, 'ben').jargon).toEqual(model.jargon);
});
