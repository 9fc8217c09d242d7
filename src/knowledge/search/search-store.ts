/**
 * Where searchable knowledge lies: words, names and vectors of tables, columns, notes, examples, metrics. Documents
 * with equal text share one content, which is indexed and embedded once (a warehouse has 350,000 columns of 10,000
 * different names). Two stores implement this: one SQLite file, and PostgreSQL for shared installations.
 */

export const DOCUMENT_KINDS = [
  'table',
  'column',
  'note',
  'example',
  'metric',
  'dimension',
  'jargon',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface SearchDocument {
  readonly kind: DocumentKind;
  /** Unique in its kind: a canonical table or column id, the id of a note, the file of an example. */
  readonly id: string;
  /** The name, in words; weighs more than the body. */
  readonly title: string;
  /** Descriptions, synonyms, what else it may be found by. */
  readonly body: string;
  /** Canonical ids of the tables it belongs to, by which a scope filters; none: it belongs to all. */
  readonly tableIds: readonly string[];
}

export interface SearchQuery {
  readonly kinds: readonly DocumentKind[];
  readonly limit: number;
  /**
   * Documents of other tables are left out before the limit counts; a document of several tables is in when any of them
   * is, one of none always. Absent: all are searched.
   */
  readonly scope?: ReadonlySet<string>;
  /**
   * Documents of one content at most, least ids first: `state` of 300 tables would fill every list. Counted within the
   * scope; absent: all.
   */
  readonly perContent?: number;
}

export interface SearchHit {
  readonly kind: DocumentKind;
  readonly id: string;
  readonly tableIds: readonly string[];
  /** Higher is better. Words: BM25; names: share of equal trigrams in [0, 1]; vectors: cosine in [-1, 1]. */
  readonly score: number;
}

export interface SearchChange {
  /** Canonical ids of tables that came, changed or are gone. */
  readonly tables: readonly string[];
  /** All documents of those of them that are there; each belongs to one of the tables. */
  readonly documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>;
}

export interface SyncCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly kept: number;
}

/** A text that has no vector of a model yet. */
export interface PendingText {
  /** Hash of the text, the key of its vector. */
  readonly hash: string;
  readonly text: string;
}

export interface SearchStats {
  readonly documents: Readonly<Record<DocumentKind, number>>;
  /** Different texts among them. */
  readonly contents: number;
  /** Of the contents in use, by model id. */
  readonly vectors: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export interface SearchStore {
  /**
   * Makes the documents of the given kinds those given: adds, changes, removes; all of it or, when it fails or is
   * cancelled, nothing. Vectors of texts that stay are kept.
   */
  sync(
    kinds: readonly DocumentKind[],
    documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
    signal?: AbortSignal,
  ): Promise<SyncCounts>;
  /**
   * The same for the documents of some tables: those of the given kinds that belong to any of `tables` become those
   * given, and all others stay. Costs as much as what is told, not as much as the store holds. `kept` counts among
   * those given.
   */
  apply(kinds: readonly DocumentKind[], change: SearchChange, signal?: AbortSignal): Promise<SyncCounts>;
  /** Any word of the text may match; BM25 with the title weighing more; best first, ties by id. */
  searchWords(text: string, query: SearchQuery): Promise<readonly SearchHit[]>;
  /** Titles that are spelt like the text, which is a name or a phrase: a share of .3 at least. */
  searchNames(text: string, query: SearchQuery): Promise<readonly SearchHit[]>;
  /** Nearest by cosine among the texts that have a vector of the model; `vector` has unit length. */
  searchVectors(modelId: string, vector: Float32Array, query: SearchQuery): Promise<readonly SearchHit[]>;
  /** Texts without a vector of the model, `limit` at most. */
  pendingTexts(
    modelId: string,
    kinds: readonly DocumentKind[],
    limit: number,
  ): Promise<readonly PendingText[]>;
  /** Keeps vectors by the hash of their text; what is there already is replaced. */
  putVectors(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  stats(): Promise<SearchStats>;
  close(): Promise<void>;
}

/** What a sync of a search store is told. */
export interface SyncOptions {
  readonly kinds: readonly DocumentKind[];
  /** Only documents of these tables change; absent: all do. */
  readonly tables?: readonly string[];
  readonly documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>;
  readonly signal: AbortSignal | undefined;
}
