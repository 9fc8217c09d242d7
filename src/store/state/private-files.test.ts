import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdLock } from '../hold-lock.ts';
import { writeWhole } from '../whole-files.ts';
import { closeFolder, isOpenToOthers, makeFolder } from './private-files.ts';
import { openStateFile } from './state-file.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;
let folder: string;
let umask: number;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-private-'));
  chmodSync(folder, 0o755);
  umask = process.umask(0o022);
});
afterAll(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('files of .candor', () => {
  it('are for their owner alone, whoever makes them', async () => {
    const derived = join(folder, 'one', '.candor');
    await writeWhole(join(derived, 'records', 'a.json'), '{}');
    await makeFolder(join(derived, 'a', 'b'));
    await holdLock(join(derived, 'work.lock'), {}, async () => undefined);
    const file = await openStateFile(join(derived, 'state.db'), { migrations: ['CREATE TABLE t (a)'] });
    file.exec('INSERT INTO t VALUES (1)');
    const found = readdirSync(derived, { recursive: true, withFileTypes: true });
    expect(found.map(({ name }) => name)).toContain('state.db-wal');
    for (const entry of found)
      expect(modeOf(join(entry.parentPath, entry.name)), entry.name).toBe(
        entry.isDirectory() ? 0o700 : 0o600,
      );
    expect(modeOf(derived)).toBe(0o700);
    file.close();
  });

  it('beside them are as the umask says', async () => {
    await writeWhole(join(folder, 'two', 'knowledge', 'notes.md'), 'a');
    expect(modeOf(join(folder, 'two', 'knowledge', 'notes.md'))).toBe(0o644);
    expect(modeOf(join(folder, 'two', 'knowledge'))).toBe(0o755);
  });

  it('that were left open are closed, links to elsewhere left alone', async () => {
    const derived = join(folder, 'three', '.candor');
    mkdirSync(join(derived, 'records'), { recursive: true });
    const elsewhere = join(folder, 'elsewhere.txt');
    writeFileSync(elsewhere, 'a');
    writeFileSync(join(derived, 'records', 'a.json'), '{}');
    symlinkSync(elsewhere, join(derived, 'link'));
    expect(await isOpenToOthers(derived)).toBe(true);
    await closeFolder(derived);
    expect(await isOpenToOthers(derived)).toBe(false);
    expect(modeOf(join(derived, 'records'))).toBe(0o700);
    expect(modeOf(join(derived, 'records', 'a.json'))).toBe(0o600);
    expect(modeOf(elsewhere)).toBe(0o644);
  });

  it('that a team shares stay shared', async () => {
    const derived = join(folder, 'four', '.candor');
    mkdirSync(derived, { recursive: true });
    chmodSync(derived, 0o2770);
    process.umask(0o007);
    await writeWhole(join(derived, 'records', 'a.json'), '{}');
    await closeFolder(derived);
    process.umask(0o022);
    expect(await isOpenToOthers(derived)).toBe(false);
    expect(modeOf(join(derived, 'records', 'a.json'))).toBe(0o660);
    expect(modeOf(join(derived, 'records'))).toBe(0o770);
  });
});
