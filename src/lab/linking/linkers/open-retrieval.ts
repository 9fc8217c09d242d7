/** Retrieval over one catalog, by words and names, with an index that lives as long as it is open. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../../catalog/index.ts';
import {
  findValues,
  prepareRetrieval,
  RETRIEVAL_DEFAULTS,
  type RetrievalSettings,
  type Retrieved,
  retrieve,
  syncSearch,
} from '../../../knowledge/retrieve/index.ts';
import { openSearchFile } from '../../../knowledge/search/index.ts';
import { emptySemanticModel } from '../../../knowledge/semantic/index.ts';
import type { ValueIndex } from '../../../knowledge/values/index.ts';
import type { AskedCase } from './case-linker.ts';

export interface OpenRetrieval {
  find(asked: AskedCase, options?: FindOptions): Promise<Retrieved>;
  close(): Promise<void>;
}

export interface FindOptions {
  /** Tables wanted; absent: as many as the defaults say. */
  readonly mostTables?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Characters of a hint that are searched with: a manual of a hundred pages names everything. */
const HINT_CHARACTERS = 4_000;

export async function openRetrieval(
  catalog: Catalog,
  values?: ValueIndex,
  settings: Partial<RetrievalSettings> = {},
): Promise<OpenRetrieval> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-linking-'));
  const store = await openSearchFile(join(folder, 'search.sqlite'));
  const authored = { notes: [], jargon: [], statuses: [], areas: [] };
  const knowledge = { catalog, semantics: emptySemanticModel, authored, examples: [], store };
  await syncSearch(store, knowledge);
  const sources = prepareRetrieval({
    ...knowledge,
    ...(values && { findValues: (keywords, options) => findValues(keywords, values, options) }),
  });
  return {
    find({ question, hint }, { mostTables, signal } = {}) {
      const told = hint === '' ? {} : { hint: hint.slice(0, HINT_CHARACTERS) };
      const request = { question, ...told, ...(signal && { signal }), mostTables };
      return retrieve(request, sources, { ...RETRIEVAL_DEFAULTS, ...settings });
    },
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
