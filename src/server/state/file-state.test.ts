import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FileState } from './open-server-state.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-state-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sql(path: string, statement: string): void {
  const file = new DatabaseSync(path);
  file.exec(statement);
  file.close();
}

function replaced(path: string, statement: string): void {
  rmSync(path);
  sql(path, statement);
}

const DAMAGE: readonly [string, (path: string) => void][] = [
  ['emptied', (path) => truncateSync(path, 0)],
  ['cut off', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['cut within its first page', (path) => truncateSync(path, 1_000)],
  [
    'with bytes that have changed',
    (path) => {
      const bytes = readFileSync(path);
      for (let at = 4_096; at < bytes.length; at += 4_096) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      writeFileSync(path, bytes);
    },
  ],
  [
    'with a header that has changed',
    (path) => writeFileSync(path, `x${readFileSync(path, 'latin1').slice(1)}`, 'latin1'),
  ],
  ['that is a text', (path) => writeFileSync(path, 'server: []\n')],
  ['of something else', (path) => replaced(path, 'CREATE TABLE orders (id INTEGER)')],
  [
    'of something else with a version',
    (path) => replaced(path, 'CREATE TABLE orders (id INTEGER); PRAGMA user_version = 1'),
  ],
  ['without one of its tables', (path) => sql(path, 'DROP TABLE chats')],
  ['of a newer Candor', (path) => sql(path, 'PRAGMA user_version = 1000')],
];

it.each(DAMAGE)(
  'refuses a file %s, and leaves it as it is',
  async (_, damage) => {
    const path = join(folder, 'server.db');
    rmSync(path, { force: true });
    await (await FileState.open(path)).close();
    damage(path);
    const before = readFileSync(path);
    await expect(FileState.open(path)).rejects.toMatchObject({
      code: 'store.unusable',
      message: expect.stringContaining('bring it back from a backup'),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  },
  20_000,
);

it('opens one that is whole again and again', async () => {
  const path = join(folder, 'whole.db');
  for (let times = 0; times < 3; times += 1) {
    const state = await FileState.open(path);
    expect(await state.run('SELECT count(*) AS chats FROM candor.chats')).toEqual([{ chats: 0 }]);
    await state.close();
  }
});
