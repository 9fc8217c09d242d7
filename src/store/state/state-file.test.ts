import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
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

  it('waits for another connection that writes, without stopping the program', async () => {
    const path = join(folder, 'state.sqlite');
    const [left, right] = [
      await openStateFile(path, { migrations: [FIRST] }),
      await openStateFile(path, { migrations: [FIRST] }),
    ];
    const order: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = left.longTransaction(async () => {
      await held;
      left.exec("INSERT INTO things VALUES ('first')");
      order.push('first');
    });
    const second = right.longTransaction(async () => {
      order.push(`second sees ${right.prepare('SELECT COUNT(*) AS n FROM things').get()?.n}`);
    });
    setTimeout(release, 60);
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second sees 1']);
    left.close();
    right.close();
  });

  it('keeps nothing of a long transaction that fails or is stopped, also while it waits', async () => {
    const path = join(folder, 'state.sqlite');
    const file = await openStateFile(path, { migrations: [FIRST] });
    const insert = async (): Promise<void> => file.exec("INSERT INTO things VALUES ('car')");
    await expect(
      file.longTransaction(async () => {
        await insert();
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(file.longTransaction(insert, stopped)).rejects.toThrow('stopped');
    const control = new AbortController();
    const other = await openStateFile(path, { migrations: [FIRST] });
    other.exec('BEGIN IMMEDIATE');
    const waiting = file.longTransaction(insert, control.signal);
    control.abort(new Error('stopped too'));
    await expect(waiting).rejects.toThrow('stopped too');
    other.exec('ROLLBACK');
    expect(file.prepare('SELECT COUNT(*) AS n FROM things').get()).toEqual({ n: 0 });
    await file.longTransaction(insert);
    expect(file.prepare('SELECT COUNT(*) AS n FROM things').get()).toEqual({ n: 1 });
    other.close();
    file.close();
  });

  it('reads one state within a snapshot, and notices that another connection has written', async () => {
    const path = join(folder, 'state.sqlite');
    const [reader, writer] = [
      await openStateFile(path, { migrations: [FIRST] }),
      await openStateFile(path, { migrations: [FIRST] }),
    ];
    const count = () => Number(reader.statement('SELECT COUNT(*) AS n FROM things').get()?.n);
    const before = reader.dataVersion();
    const seen = reader.snapshot(() => {
      const first = count();
      writer.exec("INSERT INTO things VALUES ('car')");
      return [first, count()];
    });
    expect(seen).toEqual([0, 0]);
    expect(count()).toBe(1);
    expect(reader.dataVersion()).not.toBe(before);
    reader.close();
    writer.close();
  });

  it('leaves no log beside a file that is closed', async () => {
    const path = join(folder, 'state.sqlite');
    const file = await openStateFile(path, { migrations: [FIRST] });
    file.prepare("INSERT INTO things VALUES ('car')").run();
    file.close();
    expect((await stat(`${path}-wal`).catch(() => ({ size: 0 }))).size).toBe(0);
  });
});
