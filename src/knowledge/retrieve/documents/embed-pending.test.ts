import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddingModel, openEmbeddingModel } from '../../../model/index.ts';
import { openSearchFile } from '../../search/open-search-file.ts';
import type { SearchStore } from '../../search/search-store.ts';
import { embedPending } from './embed-pending.ts';

const NOTES = Array.from({ length: 1_200 }, (_, at) => ({
  kind: 'note' as const,
  id: `n${at}`,
  title: '',
  body: `rule number ${at}`,
  tableIds: [],
}));
let folder = '';
let store: SearchStore;
let hashed: EmbeddingModel;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-embed-'));
  hashed = await openEmbeddingModel({ embedding: 'hashed', cacheDirectory: folder });
  store = await openSearchFile(join(folder, 'search.sqlite'));
  await store.sync(['note'], NOTES);
});
afterAll(async () => {
  await store.close();
  await hashed.close();
  await rm(folder, { recursive: true, force: true });
});

describe('vectors of what is pending', () => {
  it('are kept as they are made, so that a stopped run goes on where it was', async () => {
    let calls = 0;
    const failing: EmbeddingModel = {
      ...hashed,
      id: hashed.id,
      dimensions: hashed.dimensions,
      batchSize: 256,
      embed: (texts, signal) => {
        calls += 1;
        return calls > 2 ? Promise.reject(new Error('stopped')) : hashed.embed(texts, signal);
      },
      close: async () => undefined,
    };
    await expect(embedPending(store, failing, { kinds: ['note'] })).rejects.toThrow('stopped');
    expect(Object.values((await store.stats()).vectors)).toEqual([512]);
    const progress: number[] = [];
    const made = await embedPending(store, hashed, {
      kinds: ['note'],
      onProgress: ({ done }) => progress.push(done),
    });
    expect(made).toBe(1_200 - 512);
    expect(progress).toEqual([0, 512, 688]);
    expect(await embedPending(store, hashed, { kinds: ['note'] })).toBe(0);
  });

  it('stop when told to', async () => {
    await store.sync(['note'], [...NOTES, { ...NOTES[0]!, id: 'new', body: 'a new rule' }]);
    const signal = AbortSignal.abort();
    await expect(embedPending(store, hashed, { kinds: ['note'], signal })).rejects.toThrow();
  });
});
