import { openStateFile, orUnusable, type StateFile } from '../../store/index.ts';
import { boundLimit, boundQuery } from './bound-query.ts';
import { bestHits, collectHits, type RankedContent } from './collect-hits.ts';
import { putVectors } from './put-vectors.ts';
import { rankNames, rankWords } from './rank-in-file.ts';
import { readPendingTexts, readStats } from './read-search-file.ts';
import { SEARCH_FILE_MIGRATIONS } from './search-file-schema.ts';
import { SearchScopes } from './search-scope.ts';
import type {
  DocumentKind,
  PendingText,
  SearchChange,
  SearchDocument,
  SearchHit,
  SearchQuery,
  SearchStats,
  SearchStore,
  SyncCounts,
} from './search-store.ts';
import { syncSearchFile } from './sync-search-file.ts';
import { VectorCache } from './vector-cache.ts';

/**
 * The search store in one SQLite file, made when it is absent: FTS5 for words, trigrams for names, vectors in memory.
 * Several processes may use it at once. Throws `store.unusable`, and its methods do when the file breaks.
 */
export async function openSearchFile(path: string): Promise<SearchStore> {
  const open = (): Promise<StateFile> => openStateFile(path, { migrations: SEARCH_FILE_MIGRATIONS });
  return new SearchFile(path, await open(), await open());
}

class SearchFile implements SearchStore {
  readonly #path: string;
  /** Only reads: changes have a connection of their own, so that a search never sees half of one. */
  readonly #file: StateFile;
  readonly #writer: StateFile;
  readonly #scopes: SearchScopes;
  readonly #vectors: VectorCache;
  #dataVersion = -1;
  #generation = -1;
  /** Settles when the last change that was asked for has ended, well or not. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(path: string, file: StateFile, writer: StateFile) {
    this.#path = path;
    this.#file = file;
    this.#writer = writer;
    this.#scopes = new SearchScopes(file);
    this.#vectors = new VectorCache(file);
  }

  sync(
    kinds: readonly DocumentKind[],
    documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
    signal?: AbortSignal,
  ): Promise<SyncCounts> {
    return this.#change(() => syncSearchFile(this.#writer, { kinds, documents, signal }));
  }

  apply(kinds: readonly DocumentKind[], change: SearchChange, signal?: AbortSignal): Promise<SyncCounts> {
    return this.#change(() => syncSearchFile(this.#writer, { kinds, ...change, signal }));
  }

  searchWords(text: string, query: SearchQuery): Promise<readonly SearchHit[]> {
    return this.#searchKinds(query, (kind) => rankWords(this.#file, kind, text));
  }

  searchNames(text: string, query: SearchQuery): Promise<readonly SearchHit[]> {
    return this.#searchKinds(query, (kind) => rankNames(this.#file, kind, text));
  }

  searchVectors(modelId: string, vector: Float32Array, asked: SearchQuery): Promise<readonly SearchHit[]> {
    return this.#read(() => {
      const query = boundQuery(asked);
      if (query === undefined) return [];
      const scope = this.#scopes.find(query.scope);
      const kinds = [...new Set(query.kinds)].map((kind) => ({
        kind,
        contents: this.#scopes.contents(kind, scope),
      }));
      const ranked = this.#vectors.nearest(modelId, vector, {
        limit: query.limit,
        isAccepted: (content) => kinds.some(({ contents }) => contents.has(content)),
      });
      const hits = kinds.flatMap(({ kind, contents }) => {
        const own = ranked.filter(({ content }) => contents.has(content));
        return collectHits(this.#file, own, { kind, query, scope });
      });
      return bestHits(hits, query.limit);
    });
  }

  pendingTexts(
    modelId: string,
    kinds: readonly DocumentKind[],
    limit: number,
  ): Promise<readonly PendingText[]> {
    return this.#read(() => readPendingTexts(this.#file, modelId, { kinds, limit: boundLimit(limit) }));
  }

  putVectors(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    return this.#change(() => putVectors(this.#writer, modelId, vectors));
  }

  stats(): Promise<SearchStats> {
    return this.#read(() => readStats(this.#file));
  }

  async close(): Promise<void> {
    await this.#lastChange;
    this.#writer.close();
    this.#file.close();
  }

  #searchKinds(
    asked: SearchQuery,
    rank: (kind: DocumentKind) => Iterable<RankedContent>,
  ): Promise<readonly SearchHit[]> {
    return this.#read(() => {
      const query = boundQuery(asked);
      if (query === undefined) return [];
      const scope = this.#scopes.find(query.scope);
      const hits = [...new Set(query.kinds)].flatMap((kind) => {
        const accepted = scope && this.#scopes.contents(kind, scope);
        return collectHits(this.#file, within(rank(kind), accepted), { kind, query, scope });
      });
      return bestHits(hits, query.limit);
    });
  }

  /** One state of the file; what memory holds of an older one is forgotten first. */
  #read<Result>(read: () => Result): Promise<Result> {
    return orUnusable(this.#path, () =>
      this.#file.snapshot(() => {
        this.#forgetOld();
        return read();
      }),
    );
  }

  /** One change after the other: they share a connection. */
  #change<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#lastChange.then(() => orUnusable(this.#path, change));
    this.#lastChange = result.catch(() => undefined);
    return result;
  }

  #forgetOld(): void {
    const dataVersion = this.#file.dataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    const generation = Number(this.#file.statement('SELECT documents FROM generation').get()?.documents);
    if (generation !== this.#generation) this.#scopes.forget();
    this.#generation = generation;
  }
}

function* within(
  ranked: Iterable<RankedContent>,
  accepted: ReadonlySet<number> | undefined,
): Generator<RankedContent> {
  for (const found of ranked) if (accepted === undefined || accepted.has(found.content)) yield found;
}
