/** What is known beside schema and values, opened for one person to find what belongs to a question. */
import { tableIds } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import { OpenAtNeed } from '../../lib/index.ts';
import { cached, type EmbeddingModel, openEmbeddingModel } from '../../model/index.ts';
import type { Scope } from '../clusters/accesses/access-matrix.ts';
import { scopeOf } from '../clusters/starting-tables.ts';
import type { RetrievalRequest } from '../retrieve/prepare-retrieval.ts';
import { prepareRetrieval } from '../retrieve/prepare-retrieval.ts';
import { retrieve } from '../retrieve/retrieve.ts';
import { RETRIEVAL_DEFAULTS } from '../retrieve/settings/retrieval-settings.ts';
import type { Retrieved } from '../retrieve/settings/retrieved.ts';
import { findValues } from '../retrieve/values/find-values.ts';
import type { SearchStore } from '../search/search-store.ts';
import { type KnownFacts, type KnownSchema, readFacts } from './load-facts.ts';
import { openSyncedStore } from './open-synced-store.ts';

export interface KnowledgeOptions {
  /** The present: usage counts up to its day. */
  readonly now: Date;
  /** False: words and names only; no model is opened. */
  readonly useVectors: boolean;
  readonly signal?: AbortSignal | undefined;
  /**
   * An open base of the same project whose index and encoder are used: `known` is what one reader may see of it, and
   * nothing is brought up to date for that.
   */
  readonly over?: KnowledgeBase;
  /** Hears of a damaged search index that is built again. */
  readonly onNotice?: (message: string) => void;
}

/** `close` it. */
export interface KnowledgeBase extends KnownFacts {
  /** The tables this person starts from. */
  readonly scope: Scope;
  readonly store: SearchStore;
  /** Absent where the settings want none, or no vectors were made yet. */
  readonly model: EmbeddingModel | undefined;
  /** Finds what belongs to a question, within the scope; `scope` in the request takes its place. */
  retrieve(request: Omit<RetrievalRequest, 'user' | 'areas'>): Promise<Retrieved>;
  close(): Promise<void>;
}

/** Texts of questions whose vectors stay in memory. */
const CACHED_TEXTS = 1_000;

/**
 * Opens what retrieval needs; the search index is brought up to date first where what it holds has changed. Vectors are
 * used where `candor onboard` has made some. Throws `knowledge.*`, `store.*`, `model.*`.
 */
export async function openKnowledgeBase(
  config: Config,
  known: KnownSchema,
  { now, useVectors, signal, over, onNotice }: KnowledgeOptions,
): Promise<KnowledgeBase> {
  const facts = await readFacts(config, known, { now, over });
  const { user, areas } = config;
  const scope = scopeOf(user, areas, {
    ...facts,
    authored: known.authored,
    tableIds: tableIds(known.catalog),
  });
  const store =
    over?.store ??
    (await openSyncedStore(config, { known, facts, signal }, onNotice).catch((error: unknown) => {
      facts.clustering?.close();
      throw error;
    }));
  let model = over?.model;
  const close = async (): Promise<void> => {
    if (over !== undefined) return;
    await model?.close();
    await store.close();
    facts.clustering?.close();
  };
  try {
    if (over === undefined && useVectors && (await hasVectors(store)))
      model = await openModel(config, signal);
    const sources = prepareRetrieval({
      ...known,
      ...facts,
      store,
      ...(model === undefined ? {} : { model }),
      findValues: (keywords, options) => findValues(keywords, known.values, options),
    });
    const settings = { ...RETRIEVAL_DEFAULTS, useVectors: model !== undefined };
    const asker = {
      ...(user === undefined ? {} : { user }),
      areas,
      ...(scope.tables === undefined ? {} : { scope: scope.tables }),
    };
    return {
      ...facts,
      scope,
      store,
      model,
      retrieve: (request) => retrieve({ ...asker, ...request }, sources, settings),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A knowledge base that many may ask for and nobody may need. */
export class LazyKnowledge extends OpenAtNeed<KnowledgeBase> {}

/** Opens the encoder that the settings name; undefined where they want none. Throws `model.*`. */
export async function openModel(
  { search, root, derivedDirectory }: Config,
  signal?: AbortSignal,
): Promise<EmbeddingModel | undefined> {
  if (search.embedding === 'none') return undefined;
  const settings = { ...search, cacheDirectory: derivedDirectory, projectDirectory: root };
  return cached(await openEmbeddingModel(settings, signal), CACHED_TEXTS);
}

async function hasVectors(store: SearchStore): Promise<boolean> {
  const { vectors } = await store.stats();
  return Object.values(vectors).some((count) => count > 0);
}
