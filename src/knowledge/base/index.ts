/** What is known, opened for one person. */

export { type KnowledgeBase, LazyKnowledge, openKnowledgeBase, openModel } from './knowledge-base.ts';
export {
  type KnownSchema,
  openStoredClusters,
  readableExamples,
  readFacts,
  readPopularityOf,
  readUsageOf,
  readVisibleAuthored,
  restrictSchema,
  usagePath,
} from './load-facts.ts';
export { openSyncedStore } from './open-synced-store.ts';
export { readLakeAuthored } from './read-lake-authored.ts';
export { type KnownData, restrictKnowledge } from './restrict-knowledge.ts';
