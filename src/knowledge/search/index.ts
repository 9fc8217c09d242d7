/** Stores of texts and vectors that are searched. */

export { openSearchFile } from './open-search-file.ts';
export { DOCUMENT_KINDS, type SearchStats, type SearchStore } from './search-store.ts';
export { queryTerms } from './search-terms.ts';
