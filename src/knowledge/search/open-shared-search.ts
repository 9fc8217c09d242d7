import { openSharedState, type RunSql, type SharedRow, type SharedState } from '../../store/index.ts';
import { lookUp } from '../../tracing/index.ts';
import { bestHits, boundLimit, boundQuery } from './collect-hits.ts';
import { readSharedPending, readSharedStats } from './read-shared-search.ts';
import { readTableIds } from './search-content.ts';
import { isSameScope } from './search-scope.ts';
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
import { BM25, LEAST_SIMILARITY, nameTrigrams, queryTerms } from './search-terms.ts';
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

  searchVectors(modelId: string, vector: Float32Array, query: SearchQuery): Promise<readonly SearchHit[]> {
    return lookUp('search_vectors', () => this.#nearest(modelId, vector, query));
  }

  async #nearest(modelId: string, vector: Float32Array, query: SearchQuery): Promise<readonly SearchHit[]> {
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

// SQL that gives the contents of a workspace which match, as `content` and `score`, and the documents that have them.

/**
 * BM25 with the formula and the constants of FTS5, over postings of our own: the same scores as a search file has, which
 * `ts_rank` has not. `$1` workspace, `$2` kind, `$3` terms.
 */
const RANKED_BY_WORDS = `
  SELECT f.content, sum(i.idf * f.weight * ${BM25.k1 + 1}
    / (f.weight + ${BM25.k1} * (${1 - BM25.b} + ${BM25.b} * c.tokens / i.average)) ORDER BY f.term) AS score
  FROM candor.search_words f
  JOIN (
    SELECT w.term, k.tokens::float8 / k.entries AS average,
      CASE WHEN k.entries > 2 * count(*) THEN ln((k.entries - count(*) + 0.5::float8) / (count(*) + 0.5::float8))
        ELSE ${BM25.leastIdf} END AS idf
    FROM candor.search_words w JOIN candor.search_kinds k ON k.workspace = $1 AND k.kind = $2
    WHERE w.workspace = $1 AND w.kind = $2 AND w.term = ANY($3::text[]) GROUP BY w.term, k.tokens, k.entries
  ) i ON i.term = f.term
  JOIN candor.search_contents c ON c.key = f.content
  WHERE f.workspace = $1 AND f.kind = $2 AND f.term = ANY($3::text[]) GROUP BY f.content`;

/** Equal trigrams over all different ones. `$1` workspace, `$2` kind, `$3` trigrams, `$4` the least score. */
const RANKED_BY_NAMES = `
  SELECT * FROM (
    SELECT e.content, s.shared::float8 / (cardinality($3::text[]) + e.trigrams - s.shared) AS score
    FROM (
      SELECT content, count(*) AS shared FROM candor.search_trigrams
      WHERE workspace = $1 AND kind = $2 AND trigram = ANY($3::text[]) GROUP BY content
    ) s JOIN candor.search_entries e ON e.workspace = $1 AND e.kind = $2 AND e.content = s.content
  ) alike WHERE score >= $4::float8`;

/** Contents that were ranked elsewhere. `$3` contents, `$4` scores. */
const RANKED_BEFORE = 'SELECT content, score FROM unnest($3::bigint[], $4::float8[]) AS r (content, score)';

/** Every content of the kind that has a vector. `$3` key of the model, `$4` the vector, whose length is `dimensions`. */
function rankedByVectors(dimensions: number): string {
  // The inner product: for vectors of unit length it is the cosine, and it knows no answer "not a number".
  return `
    SELECT c.key AS content, -(v.embedding::vector(${dimensions}) <#> $4::text::vector(${dimensions})) AS score
    FROM candor.search_embeddings v
    JOIN candor.search_contents c ON c.workspace = $1 AND c.hash = v.hash
    JOIN candor.search_entries e ON e.workspace = $1 AND e.kind = $2 AND e.content = c.key
    WHERE v.model = $3`;
}

/**
 * The documents of ranked contents, best first. Parameters after those of `ranked`, which has two of its own: `$5` the
 * contents with a document in the scope or null, `$6` the tables of the scope, `$7` documents per content, `$8` limit.
 */
function documentsOf(ranked: string): string {
  return `
    SELECT d.id, d.tables, s.score FROM (
      SELECT content, score FROM (${ranked}) r
      WHERE $5::bigint[] IS NULL OR content = ANY($5::bigint[])
      ORDER BY score DESC FETCH FIRST ($8::int) ROWS WITH TIES
    ) s CROSS JOIN LATERAL (
      SELECT id, tables FROM candor.search_documents d
      WHERE d.workspace = $1 AND d.kind = $2 AND d.content = s.content AND ($6::text[] IS NULL OR EXISTS (
        SELECT 1 FROM candor.search_placements p
        WHERE p.document = d.key AND p.table_id = ANY($6::text[])))
      ORDER BY d.id LIMIT $7::int
    ) d
    ORDER BY s.score DESC, d.id LIMIT $8::int`;
}

// Which contents of a workspace a scope lets through; remembered until the documents change.

/** Scopes that were used last and are remembered. */
const KEPT_SCOPES = 8;

interface SharedScope {
  readonly tableIds: ReadonlySet<string>;
  /** It has every table: nothing is left out. */
  readonly isAll: boolean;
  readonly contents: Map<DocumentKind, ReadonlySet<number>>;
}

class SharedScopes {
  readonly #run: RunSql;
  readonly #workspace: number;
  #generation = '';
  #known: readonly SharedScope[] = [];
  readonly #contents = new Map<DocumentKind, ReadonlySet<number>>();

  constructor(run: RunSql, workspace: number) {
    this.#run = run;
    this.#workspace = workspace;
  }

  /** `undefined` where the scope leaves nothing out. */
  async find(tableIds: ReadonlySet<string> | undefined): Promise<SharedScope | undefined> {
    await this.#forgetOld();
    if (tableIds === undefined) return undefined;
    const known =
      this.#known.find((scope) => isSameScope(scope.tableIds, tableIds)) ?? (await this.#read(tableIds));
    this.#known = [known, ...this.#known.filter((scope) => scope !== known)].slice(0, KEPT_SCOPES);
    return known.isAll ? undefined : known;
  }

  /** The contents of a kind that have a document in the scope. */
  async contents(kind: DocumentKind, scope: SharedScope | undefined): Promise<ReadonlySet<number>> {
    const remembered = scope === undefined ? this.#contents : scope.contents;
    const known = remembered.get(kind);
    if (known !== undefined) return known;
    const rows =
      scope === undefined
        ? await this.#run('SELECT content FROM candor.search_entries WHERE workspace = $1 AND kind = $2', [
            this.#workspace,
            kind,
          ])
        : await this.#run(
            `SELECT DISTINCT content FROM candor.search_placements
             WHERE workspace = $1 AND kind = $2 AND table_id = ANY($3::text[])`,
            [this.#workspace, kind, ['', ...scope.tableIds]],
          );
    const contents = new Set(rows.map(({ content }) => Number(content)));
    remembered.set(kind, contents);
    return contents;
  }

  async #forgetOld(): Promise<void> {
    const [row] = await this.#run('SELECT generation FROM candor.search_workspaces WHERE key = $1', [
      this.#workspace,
    ]);
    const generation = String(row?.generation);
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#known = [];
    this.#contents.clear();
  }

  async #read(tableIds: ReadonlySet<string>): Promise<SharedScope> {
    const [row] = await this.#run(
      `SELECT NOT EXISTS (SELECT 1 FROM candor.search_placements
         WHERE workspace = $1 AND table_id <> ALL($2::text[])) AS is_all`,
      [this.#workspace, ['', ...tableIds]],
    );
    // A copy: the caller may go on to change its own.
    return { tableIds: new Set(tableIds), isAll: row?.is_all === true, contents: new Map() };
  }
}
