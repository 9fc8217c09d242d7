import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSearchFile } from '../../src/knowledge/search/index.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { behavesLikeSearchStore } from './search-store.ts';

behavesLikeSearchStore('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'candor-search-'));
  const path = join(folder, 'search.sqlite');
  return {
    store: await openSearchFile(path),
    openAgain: () => openSearchFile(path),
    place: [path],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('a search file that is damaged', () => {
  const inFolder = async (work: (path: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'candor-search-'));
    try {
      await work(join(folder, 'search.sqlite'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  it('is refused when it is no database', () =>
    inFolder(async (path) => {
      await writeFile(path, 'nothing that SQLite would take for one of its own files, and long enough');
      expect(await codeOf(openSearchFile(path))).toBe('store.unusable');
      await expect(openSearchFile(path)).rejects.toThrow(path);
    }));

  it('is unusable, and says so, when its pages were overwritten', () =>
    inFolder(async (path) => {
      const store = await openSearchFile(path);
      await store.sync(
        ['table'],
        Array.from({ length: 2_000 }, (_, index) => ({
          ...{ kind: 'table' as const, id: `t${index}`, title: `table ${index}`, body: '', tableIds: [] },
        })),
      );
      await store.close();
      const file = await open(path, 'r+');
      const { size } = await stat(path);
      // The header stays: the file opens, and breaks when it is read.
      await file.write(Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
      await file.close();
      const work = async (): Promise<void> => {
        const damaged = await openSearchFile(path);
        try {
          await damaged.searchWords('table 7', { kinds: ['table'], limit: 5 });
        } finally {
          await damaged.close();
        }
      };
      expect(await codeOf(work())).toBe('store.unusable');
    }));

  it('is refused by an older version of the program', () =>
    inFolder(async (path) => {
      await (await openSearchFile(path)).close();
      const { openStateFile } = await import('../../src/store/index.ts');
      expect(await codeOf(openStateFile(path, { migrations: [] }))).toBe('store.unusable');
    }));
});
