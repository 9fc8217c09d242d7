import { openSharedState, type SharedRow, type SharedState } from '../../store/index.ts';
import { boundLimit, boundQuery } from './bound-query.ts';
import { bestHits } from './collect-hits.ts';
import { LEAST_SIMILARITY, nameTrigrams } from './name-trigrams.ts';
import {
  documentsOf,
  RANKED_BEFORE,
  RANKED_BY_NAMES,
  RANKED_BY_WORDS,
  rankedByVectors,
} from './rank-in-postgres.ts';
import { readSharedPending, readSharedStats } from './read-shared-search.ts';
import { readTableIds } from './search-content.ts';
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
import { queryTerms } from './search-terms.ts';
import { type SharedScope, SharedScopes } from './shared-scopes.ts';
import { SHARED_SEARCH_MIGRATIONS } from './shared-search-schema.ts';
import {
  findModel,
  preparePgvector,
  putSharedVectors,
  type SharedModel,
  SharedVectorCache,
  vectorText,
} from './shared-vectors.ts';
import { syncSharedSearch } from './sync-shared-search.ts';
import { checkVector } from './vector-cache.ts';

export interface SharedSearchOptions {
  /** Whose documents: each workspace sees its own only. */
  readonly workspace: string;
}

export interface SharedSearch extends SearchStore {
  /** Where nearest vectors are found: `memory` when the server lacks pgvector or does not let us use it. */
  readonly vectorsIn: 'pgvector' | 'memory';
}

interface KindOptions {
  readonly query: SearchQuery;
  readonly scope: SharedScope | undefined;
}

/**
 * The search store in PostgreSQL, in a schema `candor` that is made when it is absent. Ranks as a search file does.
 * Throws `database.*` when the server cannot be used, and `store.unusable`; a message never has the password.
 * With pgvector the server compares every vector in the scope: exact, and linear in the number of different texts.
 */
export async function openSharedSearch(
  url: string,
  { workspace }: SharedSearchOptions,
): Promise<SharedSearch> {
  const state = await openSharedState(url, { part: 'search', migrations: SHARED_SEARCH_MIGRATIONS });
  try {
    const hasPgvector = await preparePgvector(state);
    const [row] = await state.run(
      `INSERT INTO candor.search_workspaces (name) VALUES ($1)
       ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING key`,
      [workspace],
    );
    return new PostgresSearch(state, Number(row?.key), hasPgvector);
  } catch (error) {
    await state.close();
    throw error;
  }
}

class PostgresSearch implements SharedSearch {
  readonly vectorsIn: SharedSearch['vectorsIn'];
  readonly #state: SharedState;
  readonly #workspace: number;
  readonly #scopes: SharedScopes;
  readonly #vectors: SharedVectorCache;

  constructor(state: SharedState, workspace: number, hasPgvector: boolean) {
    this.vectorsIn = hasPgvector ? 'pgvector' : 'memory';
    this.#state = state;
    this.#workspace = workspace;
    this.#scopes = new SharedScopes(state.run, workspace);
    this.#vectors = new SharedVectorCache(state.run, workspace);
  }

  sync(
    kinds: readonly DocumentKind[],
    documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
    signal?: AbortSignal,
  ): Promise<SyncCounts> {
    const options = { kinds, documents, signal, hasPgvector: this.vectorsIn === 'pgvector' };
    return this.#state.session((run) => syncSharedSearch(run, this.#workspace, options));
  }

  apply(kinds: readonly DocumentKind[], change: SearchChange, signal?: AbortSignal): Promise<SyncCounts> {
    const options = { kinds, ...change, signal, hasPgvector: this.vectorsIn === 'pgvector' };
    return this.#state.session((run) => syncSharedSearch(run, this.#workspace, options));
  }

  async searchWords(text: string, query: SearchQuery): Promise<readonly SearchHit[]> {
    const terms = queryTerms(text);
    if (terms.length === 0) return [];
    // The fourth parameter belongs to other rankings.
    const sql = `${RANKED_BY_WORDS} HAVING $4::int IS NULL`;
    return this.#search(query, (kind, options) => this.#hits(sql, [terms, null], { kind, ...options }));
  }

  async searchNames(text: string, query: SearchQuery): Promise<readonly SearchHit[]> {
    const trigrams = nameTrigrams(text);
    if (trigrams.length === 0) return [];
    return this.#search(query, (kind, options) =>
      this.#hits(RANKED_BY_NAMES, [trigrams, LEAST_SIMILARITY], { kind, ...options }),
    );
  }

  async searchVectors(
    modelId: string,
    vector: Float32Array,
    query: SearchQuery,
  ): Promise<readonly SearchHit[]> {
    const model = await findModel(this.#state.run, this.#workspace, modelId);
    if (model === undefined) return [];
    checkVector(modelId, vector, model.dimensions);
    if (this.vectorsIn === 'memory') return this.#searchMemory({ ...model, id: modelId }, vector, query);
    const sql = rankedByVectors(model.dimensions);
    return this.#search(query, (kind, options) =>
      this.#hits(sql, [model.key, vectorText(vector)], { kind, ...options }),
    );
  }

  pendingTexts(
    modelId: string,
    kinds: readonly DocumentKind[],
    limit: number,
  ): Promise<readonly PendingText[]> {
    return readSharedPending(this.#state.run, this.#workspace, {
      ...{ modelId, kinds, limit: boundLimit(limit) },
      hasPgvector: this.vectorsIn === 'pgvector',
    });
  }

  putVectors(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    const options = { workspace: this.#workspace, modelId, hasPgvector: this.vectorsIn === 'pgvector' };
    return this.#state.session((run) => putSharedVectors(run, vectors, options));
  }

  stats(): Promise<SearchStats> {
    return readSharedStats(this.#state.run, this.#workspace, this.vectorsIn === 'pgvector');
  }

  close(): Promise<void> {
    return this.#state.close();
  }

  /** Each kind is ranked apart, the best of all are the hits. */
  async #search(
    asked: SearchQuery,
    searchKind: (kind: DocumentKind, options: KindOptions) => Promise<readonly SearchHit[]>,
  ): Promise<readonly SearchHit[]> {
    const query = boundQuery(asked);
    if (query === undefined) return [];
    const scope = await this.#scopes.find(query.scope);
    const hits: SearchHit[] = [];
    for (const kind of new Set(query.kinds)) hits.push(...(await searchKind(kind, { query, scope })));
    return bestHits(hits, query.limit);
  }

  async #searchMemory(
    model: SharedModel & { readonly id: string },
    vector: Float32Array,
    query: SearchQuery,
  ): Promise<readonly SearchHit[]> {
    return this.#search(query, async (kind, options) => {
      const contents = await this.#scopes.contents(kind, options.scope);
      const ranked = await this.#vectors.nearest(model, vector, {
        limit: options.query.limit,
        isAccepted: (content) => contents.has(content),
      });
      const values = [ranked.map(({ content }) => content), ranked.map(({ score }) => score)];
      return this.#hits(RANKED_BEFORE, values, { kind, ...options });
    });
  }

  async #hits(
    ranked: string,
    values: readonly unknown[],
    { kind, query, scope }: KindOptions & { readonly kind: DocumentKind },
  ): Promise<SearchHit[]> {
    const accepted = scope === undefined ? null : [...(await this.#scopes.contents(kind, scope))];
    const rows = await this.#state.run(documentsOf(ranked), [
      ...[this.#workspace, kind, ...values, accepted],
      scope === undefined ? null : ['', ...scope.tableIds],
      Math.min(query.limit, query.perContent ?? query.limit),
      query.limit,
    ]);
    return rows.map((row) => toHit(kind, row));
  }
}

function toHit(kind: DocumentKind, { id, tables, score }: SharedRow): SearchHit {
  return { kind, id: String(id), tableIds: readTableIds(String(tables)), score: Number(score) };
}
