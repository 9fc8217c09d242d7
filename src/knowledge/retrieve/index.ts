/** What belongs to a question: tables, columns, values, examples. */

export { embedPending } from './documents/embed-pending.ts';
export { syncSearch } from './documents/sync-search.ts';
export { prepareRetrieval } from './prepare-retrieval.ts';
export { retrieve } from './retrieve.ts';
export { RETRIEVAL_DEFAULTS, type RetrievalSettings } from './settings/retrieval-settings.ts';
export type { Found, FoundColumn, FoundTable, Retrieved, Truncation } from './settings/retrieved.ts';
export { membersOfQuestion, namedInQuestion } from './tables/choose-members.ts';
export { expandFamilies } from './tables/table-families.ts';
export { indexTables, type SharedTables, type TableIndex } from './tables/table-index.ts';
export { type AuthoredSources, authoredTables } from './texts/authored-tables.ts';
export { type KnownExample, knownExamples } from './texts/find-examples.ts';
export { findValues } from './values/find-values.ts';
export { similarColumns } from './values/similar-columns.ts';
export { keyName } from './words/key-names.ts';
export { fallbackKeywords } from './words/question-words.ts';
