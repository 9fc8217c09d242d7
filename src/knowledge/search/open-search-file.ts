import { openStateFile, orUnusable, type StateFile } from '../../store/index.ts';
import { lookUp } from '../../tracing/index.ts';
import { bestHits, boundLimit, boundQuery, collectHits, type RankedContent } from './collect-hits.ts';
import { contentText, noDocuments, readKind } from './search-content.ts';
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
import { LEAST_SIMILARITY, nameTrigrams, queryTerms, TITLE_WEIGHT } from './search-terms.ts';
import { syncSearchFile } from './sync-search-file.ts';
import { checkVector, VectorCache } from './vector-cache.ts';

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
    return lookUp('search_vectors', () => this.#nearest(modelId, vector, asked));
  }

  #nearest(modelId: string, vector: Float32Array, asked: SearchQuery): Promise<readonly SearchHit[]> {
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

/** Keeps vectors by the hash of their text, all or none. Throws `store.vector-invalid`. */
async function putVectors(
  file: StateFile,
  modelId: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  const [first] = vectors.values();
  if (first === undefined) return;
  await file.longTransaction(async () => {
    file
      .statement('INSERT INTO models (id, dimensions, generation) VALUES (?, ?, 0) ON CONFLICT DO NOTHING')
      .run(modelId, first.length);
    const model = file.statement('SELECT key, dimensions FROM models WHERE id = ?').get(modelId);
    const put = file.statement(
      `INSERT INTO vectors (model, hash, vector) VALUES (?, ?, ?)
       ON CONFLICT (model, hash) DO UPDATE SET vector = excluded.vector`,
    );
    for (const [hash, vector] of vectors) {
      checkVector(modelId, vector, Number(model?.dimensions));
      put.run(Number(model?.key), hash, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    }
    file.statement('UPDATE models SET generation = generation + 1 WHERE id = ?').run(modelId);
  });
}

// The contents of a search file that match a text, best first.

/** Contents of which any word is in the text, by BM25 as FTS5 defines it. */
function* rankWords(file: StateFile, kind: DocumentKind, text: string): Generator<RankedContent> {
  // Terms are letters and digits only: none of them is an operator of FTS5.
  const match = queryTerms(text).map((term) => `"${term}"`);
  if (match.length === 0) return;
  const words = `words_${kind}`;
  const rows = file
    .statement(
      `SELECT rowid AS content, -bm25(${words}, ${TITLE_WEIGHT}.0, 1.0) AS score
       FROM ${words} WHERE ${words} MATCH ? ORDER BY score DESC, rowid`,
    )
    .iterate(match.join(' OR '));
  for (const row of rows) yield toRanked(row);
}

/** Contents whose title shares trigrams with the text: common ones over all different ones. */
function* rankNames(file: StateFile, kind: DocumentKind, text: string): Generator<RankedContent> {
  const trigrams = nameTrigrams(text);
  if (trigrams.length === 0) return;
  const rows = file
    .statement(
      `SELECT s.content AS content, s.shared * 1.0 / (?1 + e.trigrams - s.shared) AS score
       FROM (
         SELECT content, COUNT(*) AS shared FROM name_trigrams
         WHERE kind = ?2 AND trigram IN (SELECT value FROM json_each(?3)) GROUP BY content
         HAVING COUNT(*) >= ?1 * ?4
       ) AS s JOIN entries AS e ON e.kind = ?2 AND e.content = s.content
       WHERE s.shared >= (?1 + e.trigrams - s.shared) * ?4 ORDER BY score DESC, s.content`,
    )
    .iterate(trigrams.length, kind, JSON.stringify(trigrams), LEAST_SIMILARITY);
  for (const row of rows) yield toRanked(row);
}

function toRanked(row: Record<string, unknown>): RankedContent {
  return { content: Number(row.content), score: Number(row.score) };
}

/** What a search file holds: texts that wait for their vectors, and counts. */
function readPendingTexts(
  file: StateFile,
  modelId: string,
  { kinds, limit }: { readonly kinds: readonly DocumentKind[]; readonly limit: number },
): PendingText[] {
  return file
    .statement(
      `SELECT c.hash AS hash, c.title AS title, c.body AS body FROM contents AS c
       WHERE EXISTS (SELECT 1 FROM entries AS e WHERE e.content = c.key AND e.kind IN (SELECT value FROM json_each(?1)))
         AND NOT EXISTS (
           SELECT 1 FROM vectors AS v JOIN models AS m ON m.key = v.model WHERE m.id = ?2 AND v.hash = c.hash)
       ORDER BY c.key LIMIT ?3`,
    )
    .all(JSON.stringify(kinds), modelId, limit)
    .map(({ hash, title, body }) => ({
      hash: String(hash),
      text: contentText({ title: String(title), body: String(body) }),
    }));
}

function readStats(file: StateFile): SearchStats {
  const documents = noDocuments();
  for (const { kind, n } of file.statement('SELECT kind, COUNT(*) AS n FROM documents GROUP BY kind').all())
    documents[readKind(kind)] = Number(n);
  const counts = file
    .statement(
      `SELECT (SELECT COUNT(*) FROM contents) AS contents,
         (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS bytes`,
    )
    .get();
  const vectors = file
    .statement(
      `SELECT m.id AS id, COUNT(c.key) AS n FROM models AS m LEFT JOIN vectors AS v ON v.model = m.key
       LEFT JOIN contents AS c ON c.hash = v.hash GROUP BY m.id ORDER BY m.id`,
    )
    .all();
  return {
    documents,
    contents: Number(counts?.contents),
    vectors: Object.fromEntries(vectors.map(({ id, n }) => [String(id), Number(n)])),
    bytes: Number(counts?.bytes),
  };
}

// The tables of a search file. A content is a text that documents share; an entry is a content under a kind.

/** Kinds of version 1: a kind that is added later is a migration of its own. */
const FIRST_KINDS: readonly DocumentKind[] = [
  ...(['table', 'column', 'note', 'example', 'metric', 'dimension', 'jargon'] as const),
];

/**
 * Words are indexed apart for every kind: how rare a word is, and how long a text usually is, is not the same among
 * tables and among columns. The texts are split and stemmed before (`search-terms.ts`), hence the plain tokenizer.
 * Words that are taken out leave the file at once.
 */
const wordsTable = (kind: DocumentKind): string =>
  `CREATE VIRTUAL TABLE words_${kind} USING fts5(title, body, tokenize = 'ascii');
   INSERT INTO words_${kind} (words_${kind}, rank) VALUES ('secure-delete', 1);`;

const VERSION_1 = `
CREATE TABLE contents (
  key INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE tables (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE documents (
  key INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  content INTEGER NOT NULL,
  tables TEXT NOT NULL,
  UNIQUE (kind, id)
) STRICT;
CREATE INDEX documents_by_content ON documents (kind, content, id);
-- A document of no table has one row with table_key 0.
CREATE TABLE placements (
  table_key INTEGER NOT NULL,
  kind TEXT NOT NULL,
  content INTEGER NOT NULL,
  document INTEGER NOT NULL,
  PRIMARY KEY (table_key, kind, content, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX placements_by_document ON placements (document);
CREATE TABLE entries (
  kind TEXT NOT NULL,
  content INTEGER NOT NULL,
  trigrams INTEGER NOT NULL,
  PRIMARY KEY (kind, content)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_by_content ON entries (content);
CREATE TABLE name_trigrams (
  kind TEXT NOT NULL,
  trigram TEXT NOT NULL,
  content INTEGER NOT NULL,
  PRIMARY KEY (kind, trigram, content)
) STRICT, WITHOUT ROWID;
CREATE TABLE models (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  generation INTEGER NOT NULL
) STRICT;
CREATE TABLE vectors (
  key INTEGER PRIMARY KEY,
  model INTEGER NOT NULL,
  hash TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (model, hash)
) STRICT;
-- Counts the changes of documents: what was read into memory holds as long as it is the same.
CREATE TABLE generation (documents INTEGER NOT NULL) STRICT;
INSERT INTO generation VALUES (0);
${FIRST_KINDS.map(wordsTable).join('\n')}
`;

const SEARCH_FILE_MIGRATIONS: readonly string[] = [VERSION_1];
