/** What a sync of a search store is told. */
import type { DocumentKind, SearchDocument } from './search-store.ts';

export interface SyncOptions {
  readonly kinds: readonly DocumentKind[];
  /** Only documents of these tables change; absent: all do. */
  readonly tables?: readonly string[];
  readonly documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>;
  readonly signal: AbortSignal | undefined;
}
