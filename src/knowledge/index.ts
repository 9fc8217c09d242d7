/** What Candor knows beside the catalog: business words, verified pairs, values. */

export { addExample, type NewExample } from './authored/add-example.ts';
export { addNote, type NewNote } from './authored/add-note.ts';
export type { Authored, JargonTerm, Note, ProductArea, TableStatus } from './authored/authored.ts';
export { type CatalogNames, catalogNames } from './authored/catalog-names.ts';
export { addEdit, EDITS_FILE, type QueryEdit, readEdits, type StoredEdit } from './authored/edits.ts';
export { isAboutHidden } from './authored/is-about-hidden.ts';
export { isNoteFor } from './authored/is-note-for.ts';
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
export {
  AREAS_FILE,
  checkAuthoredText,
  isNoteFile,
  readAuthored,
  STATUS_FILE,
} from './authored/read-authored.ts';
export { readBoundedText } from './authored/read-bounded-text.ts';
export { EXAMPLE_NAMES, readExample, readExamples, type VerifiedPair } from './authored/read-examples.ts';
export { readTextFiles, type TextFile } from './authored/read-text-files.ts';
export { setArea } from './authored/set-area.ts';
export { type NewStatus, setStatus } from './authored/set-status.ts';
export { type Sight, withoutHidden } from './authored/without-hidden.ts';
export { clusterReview, type ReviewedCluster } from './clusters/cluster-review.ts';
export {
  type ClusterEvent,
  clusterTables,
  DEFAULT_CLUSTER_SETTINGS,
} from './clusters/cluster-tables.ts';
export type { Clustering, ClusterSettings, Scope } from './clusters/clusters.ts';
export { type Folded, MOST_DRIFT } from './clusters/fold-changes.ts';
export { type RenewOptions, renewClustering } from './clusters/renew-clustering.ts';
export { chooseAreas, type KnownTables, type ScopeSources, scopeOf } from './clusters/scope-of.ts';
export {
  type ClusteringManifest,
  type OpenedClusters,
  openClusters,
  type StoredClusters,
} from './clusters/stored-clusters.ts';
export {
  type DerivedData,
  DerivedStore,
  type StoredState,
  type StoreKey,
  type ValueSource,
} from './derived/derived-store.ts';
export { profileTables, type TableCounts } from './derived/profile-tables.ts';
export { type KnownData, restrictKnowledge } from './derived/restrict-knowledge.ts';
export {
  dropGuesses,
  keepDescribed,
  type NewlyDescribed,
  readDescribedFile,
} from './described/change-described.ts';
export {
  type DescribedTable,
  type Guess,
  guessedText,
  guessName,
  SURENESS,
  type Sureness,
} from './described/described.ts';
export { findUndescribed, type Undescribed } from './described/find-undescribed.ts';
export { guessNotes } from './described/guess-notes.ts';
export {
  DESCRIBED_FILE,
  MOST_BECAUSE_CHARACTERS,
  MOST_GUESS_CHARACTERS,
  tableState,
} from './described/read-described.ts';
export { visibleGuesses } from './described/visible-guesses.ts';
export { buildKnowledgeGraph } from './graph/build-knowledge-graph.ts';
export { factText, firstText } from './graph/fact-text.ts';
export { type Drift, type DriftSources, findDrift } from './graph/find-drift.ts';
export type { GraphSources } from './graph/graph-sources.ts';
export type { GraphStats, JoinEdge, KnowledgeGraph } from './graph/knowledge-graph.ts';
export { repairText } from './interchange/bird/repair-text.ts';
export { isCompanion } from './interchange/companion.ts';
export type { Imported, InterchangeFormat, Loss } from './interchange/conversion.ts';
export { type CsvRow, readCsv } from './interchange/csv-text.ts';
export { decodeForeignText } from './interchange/decode-foreign-text.ts';
export { findFormat, INTERCHANGE_FORMATS } from './interchange/formats.ts';
export { exportKnowledge, importKnowledge } from './interchange/import-knowledge.ts';
export { readForeignFiles } from './interchange/read-foreign-files.ts';
export { readModelFiles } from './interchange/read-model-files.ts';
export {
  type ProjectFolders,
  type WriteOptions,
  type WrittenImport,
  writeImported,
} from './interchange/write-imported.ts';
export { databaseSource } from './lake/database-source.ts';
export type { LakeScope } from './lake/lake-scope.ts';
export type { LakeSource, StampedTable, TableMark } from './lake/lake-source.ts';
export { Lake, type LakeStats, openLake } from './lake/open-lake.ts';
export type { LakeCounts } from './lake/refresh-lake.ts';
export type { RetrievalRequest } from './retrieve/asking.ts';
export { type AuthoredSources, authoredTables } from './retrieve/authored-tables.ts';
export { type EmbedOptions, type EmbedProgress, embedPending } from './retrieve/embed-pending.ts';
export { type ExpandOptions, expandFamilies } from './retrieve/expand-families.ts';
export { fallbackKeywords } from './retrieve/fallback-keywords.ts';
export { keyName } from './retrieve/key-names.ts';
export { type KnownExample, type KnownExamples, knownExamples } from './retrieve/known-example.ts';
export { membersOfQuestion, namedInQuestion } from './retrieve/members-of-question.ts';
export {
  type FindValues,
  prepareRetrieval,
  type RetrievalKnowledge,
  type RetrievalSources,
} from './retrieve/prepare-retrieval.ts';
export { isStopWord } from './retrieve/question-words.ts';
export { RETRIEVAL_DEFAULTS, type RetrievalSettings } from './retrieve/retrieval-settings.ts';
export { retrieve } from './retrieve/retrieve.ts';
export type {
  Found,
  FoundColumn,
  FoundExample,
  FoundTable,
  FoundValues,
  Retrieved,
  TableFamilyFound,
  Truncation,
} from './retrieve/retrieved.ts';
export { type LakeSources, searchLake } from './retrieve/search-lake.ts';
export {
  searchTables,
  type TableRequest,
  type TableSources,
  type TablesFound,
} from './retrieve/search-tables.ts';
export { type SearchableKnowledge, type SearchSync, syncSearch } from './retrieve/sync-search.ts';
export { indexTables, type SharedTables, type TableIndex } from './retrieve/table-index.ts';
export { openSearchFile } from './search/open-search-file.ts';
export {
  openSharedSearch,
  type SharedSearch,
  type SharedSearchOptions,
} from './search/open-shared-search.ts';
export {
  DOCUMENT_KINDS,
  type DocumentKind,
  type PendingText,
  type SearchDocument,
  type SearchHit,
  type SearchQuery,
  type SearchStats,
  type SearchStore,
  type SyncCounts,
} from './search/search-store.ts';
export { queryTerms } from './search/search-terms.ts';
export { type VectorHit, VectorIndex } from './search/vector-index.ts';
export { accessPolicyOf } from './semantic/access-policy-of.ts';
export { addDescriptions, type NewDescription } from './semantic/add-descriptions.ts';
export { addSemanticKeys } from './semantic/add-semantic-keys.ts';
export { checkSemanticModel } from './semantic/check-semantic-model.ts';
export { checkSemanticSql } from './semantic/check-semantic-sql.ts';
export { checkSemanticValues } from './semantic/check-semantic-values.ts';
export { columnsInSql } from './semantic/columns-in-sql.ts';
export { findDatasetTable } from './semantic/find-dataset-table.ts';
export { type LearnedAnswer, learnAnswer } from './semantic/learn-answer.ts';
export {
  emptySemanticModel,
  readSemanticModel,
  readSemanticTexts,
  SEMANTIC_NAMES,
} from './semantic/read-semantic-model.ts';
export type {
  Dataset,
  Dimension,
  Metric,
  Relationship,
  SemanticModel,
  TimeRules,
  VagueTerm,
  ValueMapping,
} from './semantic/semantic-model.ts';
export { type SemanticNotes, semanticNotes } from './semantic/semantic-notes.ts';
export type { PlacedProblem } from './semantic/yaml-source.ts';
export { type EngineLog, isOfEngine } from './usage/engine-log/engine-log.ts';
export { groupLog } from './usage/engine-log/group-log.ts';
export { type IngestedDays, ingestEngineLog } from './usage/engine-log/ingest-engine-log.ts';
export type { LogEntry, RejectReason } from './usage/logs/log-entry.ts';
export { isLogFormat, LOG_FORMATS, type LogFormatName } from './usage/logs/log-formats.ts';
export { keepPopularity, readPopularity } from './usage/popularity.ts';
export {
  readUsage,
  type ServiceAccount,
  type UsageOptions,
  type WindowUsage,
} from './usage/read-usage.ts';
export { restrictUsage } from './usage/restrict-usage.ts';
export { ingestLive, type LiveIngested } from './usage/state/ingest-live.ts';
export { type IngestedLog, type IngestProgress, ingestLogs } from './usage/state/ingest-logs.ts';
export { type LogCounts, rejectedIn } from './usage/state/log-counts.ts';
export { writeRejected } from './usage/state/rejected-rows.ts';
export { hasIngested, openUsageFile } from './usage/state/usage-file.ts';
export type { TableLookup } from './usage/statements/table-lookup.ts';
export { TableAccesses } from './usage/table-accesses.ts';
export { type UsageNotes, usageNotes } from './usage/usage-notes.ts';
export { editRatio } from './values/edit-ratio.ts';
export {
  CASCADE_PRESETS,
  type CascadeLimits,
  type FindValuesOptions,
  findValues,
  type ValuesFound,
} from './values/find-values.ts';
export { foldedWords, foldValue } from './values/fold-value.ts';
export type { IndexedColumn, IndexParameters } from './values/index-manifest.ts';
export { keywordsOf } from './values/keywords.ts';
export { type OpenedValueIndex, openValueIndex, type ValueIndexPlace } from './values/open-value-index.ts';
export { similarColumns } from './values/similar-columns.ts';
export {
  type BuildOptions,
  buildValueIndex,
  type SimilarOptions,
  type SimilarValue,
  type ValueHit,
  type ValueIndex,
} from './values/value-index.ts';
