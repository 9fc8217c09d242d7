/** The tables of a shared search store: those of a search file, with a workspace, and postings in place of FTS5. */

const VERSION_1 = `
CREATE TABLE candor.search_workspaces (
  key int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  generation bigint NOT NULL DEFAULT 0
);
CREATE TABLE candor.search_contents (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace int NOT NULL,
  hash text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  tokens int,
  UNIQUE (workspace, hash)
);
CREATE TABLE candor.search_documents (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace int NOT NULL,
  kind text NOT NULL,
  id text COLLATE "C" NOT NULL,
  content bigint NOT NULL,
  tables text NOT NULL,
  UNIQUE (workspace, kind, id)
);
CREATE INDEX ON candor.search_documents (workspace, kind, content, id);
CREATE TABLE candor.search_placements (
  workspace int NOT NULL,
  table_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  content bigint NOT NULL,
  document bigint NOT NULL,
  PRIMARY KEY (workspace, table_id, kind, content, document)
);
CREATE INDEX ON candor.search_placements (document);
CREATE TABLE candor.search_entries (
  workspace int NOT NULL,
  kind text NOT NULL,
  content bigint NOT NULL,
  trigrams int NOT NULL,
  PRIMARY KEY (workspace, kind, content)
);
CREATE INDEX ON candor.search_entries (content);
CREATE TABLE candor.search_kinds (
  workspace int NOT NULL,
  kind text NOT NULL,
  entries bigint NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (workspace, kind)
);
CREATE TABLE candor.search_words (
  workspace int NOT NULL,
  kind text NOT NULL,
  term text COLLATE "C" NOT NULL,
  content bigint NOT NULL,
  weight int NOT NULL,
  PRIMARY KEY (workspace, kind, term, content) INCLUDE (weight)
);
CREATE INDEX ON candor.search_words (content);
CREATE TABLE candor.search_trigrams (
  workspace int NOT NULL,
  kind text NOT NULL,
  trigram text COLLATE "C" NOT NULL,
  content bigint NOT NULL,
  PRIMARY KEY (workspace, kind, trigram, content)
);
CREATE INDEX ON candor.search_trigrams (content);
CREATE TABLE candor.search_models (
  key int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace int NOT NULL,
  id text NOT NULL,
  dimensions int NOT NULL,
  generation bigint NOT NULL DEFAULT 0,
  UNIQUE (workspace, id)
);
CREATE TABLE candor.search_vectors (
  model int NOT NULL,
  hash text NOT NULL,
  vector bytea NOT NULL,
  PRIMARY KEY (model, hash)
);
`;

export const SHARED_SEARCH_MIGRATIONS: readonly string[] = [VERSION_1];

/** Vectors where the server has pgvector; the type fixes no length, as every model has its own. */
export const PGVECTOR_TABLE = `CREATE TABLE IF NOT EXISTS candor.search_embeddings (
  model int NOT NULL,
  hash text NOT NULL,
  embedding vector NOT NULL,
  PRIMARY KEY (model, hash)
)`;
