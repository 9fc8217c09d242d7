/** What Candor knows beside the catalog: business words, verified pairs, values. */

export { addNote } from './authored/add-note.ts';
export {
  type Authored,
  isAboutHidden,
  isNoteFor,
  type Note,
  type ProductArea,
  withoutHidden,
} from './authored/authored.ts';
export { catalogNames } from './authored/catalog-names.ts';
export {
  type DescribedTable,
  type Guess,
  guessName,
} from './authored/described.ts';
export { addEdit, EDITS_FILE, readEdits } from './authored/edits.ts';
export {
  addExample,
  EXAMPLE_NAMES,
  readExample,
  readExamples,
  type VerifiedPair,
} from './authored/examples.ts';
export {
  AREAS_FILE,
  checkAuthoredText,
  isNoteFile,
  readAuthored,
  STATUS_FILE,
} from './authored/folder/read-authored.ts';
export { setArea } from './authored/folder/set-area.ts';
export { type NewStatus, setStatus } from './authored/folder/set-status.ts';
export {
  addProposal,
  dropProposal,
  findProposal,
  type KnowledgeFolders,
  type NewProposal,
  PROPOSED_FILE,
  type Proposal,
  publishProposal,
  readProposals,
  reviewedFile,
  withProposedSynonyms,
} from './authored/proposals.ts';
export { type KnowledgeBase, LazyKnowledge, openKnowledgeBase, openModel } from './base/knowledge-base.ts';
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
} from './base/load-facts.ts';
export { openSyncedStore } from './base/open-synced-store.ts';
export { readLakeAuthored } from './base/read-lake-authored.ts';
export { type KnownData, restrictKnowledge } from './base/restrict-knowledge.ts';
export { clusterReview, type ReviewedCluster } from './clusters/cluster-review.ts';
export { DEFAULT_CLUSTER_SETTINGS } from './clusters/cluster-tables.ts';
export { renewClustering } from './clusters/renew-clustering.ts';
export { chooseAreas, scopeOf } from './clusters/starting-tables.ts';
export type { StoredClusters } from './clusters/stored-clusters.ts';
export {
  type DerivedData,
  DerivedStore,
} from './derived/derived-store.ts';
export { profileTables, type TableCounts } from './derived/profile-tables.ts';
export {
  dropGuesses,
  keepDescribed,
  type NewlyDescribed,
  readDescribedFile,
} from './described/change-described.ts';
export { findUndescribed, type Undescribed } from './described/find-undescribed.ts';
export { guessNotes } from './described/guess-notes.ts';
export {
  DESCRIBED_FILE,
  tableState,
  visibleGuesses,
} from './described/read-described.ts';
export { readBoundedText, readTextFiles } from './files/authored-files.ts';
export type { PlacedProblem } from './files/yaml-source.ts';
export { buildKnowledgeGraph } from './graph/build-knowledge-graph.ts';
export { findDrift } from './graph/find-drift.ts';
export {
  factText,
  firstText,
  type GraphStats,
  type JoinEdge,
  type KnowledgeGraph,
} from './graph/knowledge-graph.ts';
export { repairText } from './interchange/bird/repair-text.ts';
export { isCompanion } from './interchange/conversion/companion.ts';
export type { Imported, Loss } from './interchange/foreign/conversion.ts';
export { type CsvRow, readCsv } from './interchange/foreign/csv-text.ts';
export { findFormat, INTERCHANGE_FORMATS } from './interchange/formats.ts';
export { exportKnowledge, importKnowledge } from './interchange/import-knowledge.ts';
export { decodeForeignText, readForeignFiles } from './interchange/read-foreign-files.ts';
export { readModelFiles } from './interchange/read-model-files.ts';
export {
  type WrittenImport,
  writeImported,
} from './interchange/write-imported.ts';
export type { LakeScope } from './lake/lake-scope.ts';
export { databaseSource } from './lake/lake-source.ts';
export { Lake, openLake } from './lake/open-lake.ts';
export type { LakeCounts } from './lake/refresh-lake.ts';
export { type LakeSources, searchLake } from './lake/search-lake.ts';
export { embedPending } from './retrieve/documents/embed-pending.ts';
export { syncSearch } from './retrieve/documents/sync-search.ts';
export { prepareRetrieval } from './retrieve/prepare-retrieval.ts';
export { retrieve } from './retrieve/retrieve.ts';
export { RETRIEVAL_DEFAULTS, type RetrievalSettings } from './retrieve/settings/retrieval-settings.ts';
export type {
  Found,
  FoundColumn,
  FoundTable,
  FoundValues,
  Retrieved,
  Truncation,
} from './retrieve/settings/retrieved.ts';
export { membersOfQuestion, namedInQuestion } from './retrieve/tables/choose-members.ts';
export { expandFamilies } from './retrieve/tables/table-families.ts';
export { indexTables, type SharedTables, type TableIndex } from './retrieve/tables/table-index.ts';
export { type AuthoredSources, authoredTables } from './retrieve/texts/authored-tables.ts';
export { type KnownExample, knownExamples } from './retrieve/texts/find-examples.ts';
export { findValues } from './retrieve/values/find-values.ts';
export { similarColumns } from './retrieve/values/similar-columns.ts';
export { keyName } from './retrieve/words/key-names.ts';
export { fallbackKeywords, isStopWord } from './retrieve/words/question-words.ts';
export { openSearchFile } from './search/open-search-file.ts';
export { openSharedSearch } from './search/open-shared-search.ts';
export {
  DOCUMENT_KINDS,
  type SearchStats,
  type SearchStore,
} from './search/search-store.ts';
export { queryTerms } from './search/search-terms.ts';
export { type VectorHit, VectorIndex } from './search/vector-index.ts';
export { addDescriptions } from './semantic/add-descriptions.ts';
export { addSemanticKeys } from './semantic/add-semantic-keys.ts';
export { checkSemanticModel } from './semantic/check-semantic-model.ts';
export { checkSemanticSql, columnsInSql } from './semantic/check-semantic-sql.ts';
export { checkSemanticValues } from './semantic/check-semantic-values.ts';
export { findDatasetTable } from './semantic/find-dataset-table.ts';
export { learnAnswer } from './semantic/learn-answer.ts';
export {
  emptySemanticModel,
  readSemanticModel,
  readSemanticTexts,
  SEMANTIC_NAMES,
} from './semantic/read-semantic-model.ts';
export { accessPolicyOf } from './semantic/semantic-access-policy.ts';
export type {
  Dataset,
  Dimension,
  Metric,
  Relationship,
  SemanticModel,
  TimeRules,
  ValueMapping,
} from './semantic/semantic-model.ts';
export { type SemanticNotes, semanticNotes } from './semantic/semantic-notes.ts';
export { isOfEngine } from './usage/engine-log/engine-log.ts';
export { type IngestedDays, ingestEngineLog } from './usage/engine-log/ingest-engine-log.ts';
export { LOG_FORMATS, type LogFormatName } from './usage/logs/log-formats.ts';
export {
  keepPopularity,
  readPopularity,
  readUsage,
  type WindowUsage,
} from './usage/read-usage.ts';
export { ingestLive, type LiveIngested } from './usage/state/ingest-live.ts';
export { type IngestedLog, ingestLogs } from './usage/state/ingest-logs.ts';
export { type LogCounts, rejectedIn } from './usage/state/log-counts.ts';
export { writeRejected } from './usage/state/rejected-rows.ts';
export { hasIngested, openUsageFile } from './usage/state/usage-file.ts';
export type { TableLookup } from './usage/statements/table-lookup.ts';
export { TableAccesses } from './usage/table-accesses.ts';
export { usageNotes } from './usage/usage-notes.ts';
export { foldedWords, foldValue } from './values/fold-value.ts';
export { keywordsOf } from './values/keywords.ts';
export { openValueIndex } from './values/open-value-index.ts';
export {
  buildValueIndex,
  type ValueIndex,
} from './values/value-index.ts';
