import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { smallStatements } from '../test/fixtures/grounded/small-tables.ts';
import * as library from './index.ts';
import { type Answer, type Candor, CandorError, open } from './index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-library-'));
  const writer = new DatabaseSync(join(folder, 'music.db'));
  for (const statement of smallStatements()) writer.exec(statement);
  writer.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('open', () => {
  it('answers questions over a database and nothing else', async () => {
    const stages = new Set<string>();
    const candor = await open({
      database: 'music.db',
      cwd: folder,
      onProgress: ({ stage }) => stages.add(stage),
    });
    const answer = await candor.ask('How many singers are there?');
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    expect(answer.rows).toEqual([[6]]);
    expect(stages).toContain('profiles');
    await candor.close();
    expect((await readdir(folder)).sort()).toEqual(['.candor', 'music.db']);
  });

  it('does not read the database again the second time', async () => {
    await (await open({ database: 'music.db', cwd: folder })).close();
    const stages: string[] = [];
    const again = await open({
      database: 'music.db',
      cwd: folder,
      onProgress: ({ stage }) => stages.push(stage),
    });
    expect(stages).not.toContain('profiles');
    expect((await again.ask('How many songs are there?')).kind).toBe('answered');
    await again.close();
  });

  it('finds the project above the folder, with its settings', async () => {
    await writeFile(join(folder, 'candor.yml'), 'database: sqlite:music.db\ntoday: 2024-06-01\n');
    const candor = await open({ cwd: folder });
    const answer = await candor.ask('How many concerts took place last year?');
    expect(answer).toMatchObject({ kind: 'answered', rows: [[2]] });
    await candor.close();
  });

  it('passes options on', async () => {
    const candor = await open({ database: 'music.db', cwd: folder });
    expect(await candor.ask('How many singers are there?', { execute: false })).toMatchObject({ rows: [] });
    await candor.close();
  });

  it('keeps two databases apart', async () => {
    const writer = new DatabaseSync(join(folder, 'zoo.db'));
    writer.exec(
      'CREATE TABLE zebras (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO zebras VALUES (1, $$)'.replace(
        '$$',
        "'Zita'",
      ),
    );
    writer.close();
    const [music, zoo] = await Promise.all([
      open({ database: 'music.db', cwd: folder }),
      open({ database: 'zoo.db', cwd: folder }),
    ]);
    expect(await zoo.ask('How many zebras are there?')).toMatchObject({ kind: 'answered', rows: [[1]] });
    expect((await music.ask('How many zebras are there?')).kind).toBe('reject');
    await Promise.all([music.close(), zoo.close()]);
  });

  const refused: readonly (readonly [what: string, request: Parameters<typeof open>[0], code: string])[] = [
    ['a file that is not there', { database: 'none.db' }, 'database.not-found'],
    ['a file that is no database', { database: 'notes.db' }, 'database.not-a-database'],
    ['a database with no table', { database: 'empty.db' }, 'database.empty-schema'],
    ['no project and no database', {}, 'config.not-found'],
    ['an engine nobody knows', { database: 'oracle:x' }, 'database.unknown-engine'],
  ];
  it.each(refused)('refuses %s, and leaves nothing half made', async (_what, request, code) => {
    await writeFile(join(folder, 'notes.db'), 'these are only notes, long enough to be no header at all');
    const empty = new DatabaseSync(join(folder, 'empty.db'));
    empty.exec('CREATE TABLE t (a); DROP TABLE t');
    empty.close();
    const run = open({ ...request, cwd: folder });
    await expect(run).rejects.toSatisfy((error) => error instanceof CandorError && error.code === code);
    const left = await readdir(folder, { recursive: true });
    expect(left.filter((name) => /catalog|values|manifest|records/.test(name))).toEqual([]);
  });

  it('stops onboarding on a signal', async () => {
    const run = open({ database: 'music.db', cwd: folder, signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: 'database.cancelled' });
  });
});

describe('the library', () => {
  it('exports what is promised, no more', () => {
    expect(Object.keys(library).sort()).toEqual(['CandorError', 'open', 'parseTalk']);
    expectTypeOf(open).returns.resolves.toEqualTypeOf<Candor>();
    expectTypeOf<Candor['ask']>().returns.resolves.toEqualTypeOf<Answer>();
    expectTypeOf<Answer['kind']>().toEqualTypeOf<
      'answered' | 'clarify' | 'follow_up' | 'reject' | 'abstain'
    >();
  });

  it('gives failures a code, a sentence and what to do next', async () => {
    const candor = await open({ database: 'music.db', cwd: folder });
    const error = await candor.ask('').catch((thrown: unknown) => thrown);
    await candor.close();
    if (!(error instanceof CandorError)) throw new Error(String(error));
    expect(error).toMatchObject({ code: 'question.empty', stage: 'question', kind: 'caller' });
    expect(error.message).not.toBe('');
    expect(error.next).not.toBe('');
  });
});
