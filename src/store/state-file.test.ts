import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../test/fixtures/code-of.ts';
import { openStateFile } from './state-file.ts';

const FIRST = 'CREATE TABLE things (name TEXT PRIMARY KEY) STRICT';
const SECOND = 'ALTER TABLE things ADD COLUMN colour TEXT';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-state-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('openStateFile', () => {
  it('makes the file and its folder, and migrates an older one', async () => {
    const path = join(folder, 'deep', 'state.sqlite');
    const old = await openStateFile(path, { migrations: [FIRST] });
    old.exec("INSERT INTO things VALUES ('car')");
    old.close();
    const file = await openStateFile(path, { migrations: [FIRST, SECOND] });
    expect(file.prepare('SELECT * FROM things').all()).toEqual([{ name: 'car', colour: null }]);
    file.close();
  });

  it('keeps nothing of a transaction that fails', async () => {
    const file = await openStateFile(join(folder, 'state.sqlite'), { migrations: [FIRST] });
    expect(() =>
      file.transaction(() => {
        file.exec("INSERT INTO things VALUES ('car')");
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(file.prepare('SELECT COUNT(*) AS n FROM things').get()).toEqual({ n: 0 });
    file.close();
  });

  it('keeps nothing of a migration that fails', async () => {
    const path = join(folder, 'state.sqlite');
    expect(await codeOf(openStateFile(path, { migrations: [FIRST, 'nonsense'] }))).toBe('store.unusable');
    const file = await openStateFile(path, { migrations: [FIRST] });
    expect(file.prepare('SELECT COUNT(*) AS n FROM things').get()).toEqual({ n: 0 });
    file.close();
  });

  it('refuses the file of a newer version, and one that is no database', async () => {
    const path = join(folder, 'state.sqlite');
    (await openStateFile(path, { migrations: [FIRST, SECOND] })).close();
    expect(await codeOf(openStateFile(path, { migrations: [FIRST] }))).toBe('store.unusable');
    const other = join(folder, 'other.sqlite');
    await writeFile(
      other,
      'not a database, certainly not one of SQLite, and long enough to have a header of it',
    );
    expect(await codeOf(openStateFile(other, { migrations: [FIRST] }))).toBe('store.unusable');
  });
});
