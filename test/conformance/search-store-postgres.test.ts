import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CandorError } from '../../src/errors.ts';
import { openSharedSearch } from '../../src/knowledge/search/open-shared-search.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';
import { expectNoSecret } from './expect-no-secret.ts';
import { behavesLikeSearchStore } from './search-store.ts';

describeWithServer('postgres', 'PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('search');
  });
  afterAll(() => database.drop());

  let workspaces = 0;
  behavesLikeSearchStore('PostgreSQL', async () => {
    const workspace = `shop ${workspaces++}`;
    const store = await openSharedSearch(database.adminUrl, { workspace });
    expect(store.vectorsIn).toBe('memory');
    return {
      store,
      openAgain: () => openSharedSearch(database.adminUrl, { workspace }),
      place: [database.adminUrl, workspace],
      remove: async () => undefined,
    };
  });

  describe('a shared store', () => {
    const note = (title: string) => ({ kind: 'note' as const, id: 'n', title, body: '', tableIds: [] });

    it('keeps workspaces apart', async () => {
      const [left, right] = await Promise.all(
        ['left', 'right'].map((workspace) => openSharedSearch(database.adminUrl, { workspace })),
      );
      await left!.sync(['note'], [note('apples')]);
      await right!.sync(['note'], [note('pears')]);
      await right!.putVectors('m', new Map([['hash', Float32Array.of(1, 0)]]));
      expect(await left!.searchWords('pears', { kinds: ['note'], limit: 5 })).toEqual([]);
      expect(await right!.searchWords('pears', { kinds: ['note'], limit: 5 })).toHaveLength(1);
      expect(await left!.stats()).toMatchObject({ contents: 1, documents: { note: 1 }, vectors: {} });
      await left!.sync(['note'], []);
      expect((await right!.stats()).documents.note).toBe(1);
      await Promise.all([left!.close(), right!.close()]);
    });

    it('is made by one of several programs that start at once', async () => {
      const fresh = await (await postgresServer()).createDatabase('search');
      const stores = await Promise.all(
        Array.from({ length: 4 }, () => openSharedSearch(fresh.adminUrl, { workspace: 'shop' })),
      );
      for (const store of stores) await store.close();
      expect(await fresh.run('SELECT count(*)::int AS n FROM candor.search_workspaces')).toEqual([{ n: 1 }]);
      await fresh.run("UPDATE candor.versions SET version = 99 WHERE part = 'search'");
      expect(await codeOf(openSharedSearch(fresh.adminUrl, { workspace: 'shop' }))).toBe('store.unusable');
      await fresh.drop();
    });

    it('says who may not write, and shows no password', async () => {
      const url = new URL(database.url);
      expect(await codeOf(openSharedSearch(url.href, { workspace: 'shop' }))).toBe('database.access-denied');
      url.password = 's3cret/word';
      const failure = await openSharedSearch(url.href, { workspace: 'shop' }).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(CandorError);
      expectNoSecret(failure, 's3cret/word');
      url.port = '1';
      const unreachable = await openSharedSearch(url.href, { workspace: 'shop' }).catch(
        (error: unknown) => error,
      );
      expect(unreachable).toMatchObject({ code: 'database.unreachable' });
      expectNoSecret(unreachable, 's3cret/word');
    });
  });
});
