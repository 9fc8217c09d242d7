/** OFFLINE, second half of onboarding: usage → clusters → graph → search index → vectors. */
import type { Config } from '../config/index.ts';
import {
  type KnownSchema,
  openModel,
  openSyncedStore,
  readFacts,
  readUsageOf,
} from '../knowledge/base/index.ts';
import { renewClustering } from '../knowledge/clusters/index.ts';
import type { GraphStats } from '../knowledge/graph/index.ts';
import { embedPending } from '../knowledge/retrieve/index.ts';
import { DOCUMENT_KINDS, type SearchStats, type SearchStore } from '../knowledge/search/index.ts';
import type { OnboardEvent } from './onboard.ts';

export interface IndexOptions {
  /** The present: usage counts up to its day. */
  readonly now: Date;
  readonly onProgress?: (event: OnboardEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface IndexedKnowledge {
  readonly graph: GraphStats;
  readonly search: SearchStats;
  /** Made in this run. */
  readonly newVectors: number;
}

/**
 * Brings everything derived beside schema and values up to date: what is unchanged is not made again, and a run that
 * was stopped goes on where it was. Throws `knowledge.*`, `store.*`, `model.*`, `usage.*`.
 */
export async function indexKnowledge(
  config: Config,
  known: KnownSchema,
  options: IndexOptions,
): Promise<IndexedKnowledge> {
  await refreshClusters(config, known.catalog.fingerprint, options);
  const { now, signal, onProgress } = options;
  const facts = await readFacts(config, known, { now });
  onProgress?.({ stage: 'search', done: 0, total: 1 });
  const store = await openSyncedStore(config, { known, facts, signal }, (message) =>
    onProgress?.({ stage: 'notice', done: 0, total: 0, message }),
  );
  try {
    const newVectors = await makeVectors(store, config, options);
    return { graph: facts.graph.stats(), search: await store.stats(), newVectors };
  } finally {
    await store.close();
    facts.clustering?.close();
  }
}

async function makeVectors(
  store: SearchStore,
  config: Config,
  { onProgress, signal }: IndexOptions,
): Promise<number> {
  const model = await openModel(config, signal);
  if (model === undefined) return 0;
  try {
    return await embedPending(store, model, {
      kinds: DOCUMENT_KINDS,
      onProgress: ({ done, total, secondsLeft: etaSeconds }) =>
        onProgress?.({ stage: 'vectors', done, total, ...(etaSeconds === undefined ? {} : { etaSeconds }) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    await model.close();
  }
}

/** Makes the clusters anew when the usage they were made of, or the tables, are others. */
export async function refreshClusters(
  config: Config,
  catalogFingerprint: string,
  { now, onProgress, signal }: IndexOptions,
): Promise<void> {
  const usage = await readUsageOf(config, now);
  if (usage === undefined || usage.accesses.length === 0) return;
  const clusters = await renewClustering(config.derivedDirectory, usage, {
    catalogFingerprint,
    onProgress: ({ done, total }) => onProgress?.({ stage: 'clusters', done, total }),
    onNotice: (message) => onProgress?.({ stage: 'notice', done: 0, total: 0, message }),
    signal,
  });
  clusters.close();
}
