/** The tables of a search file. A content is a text that documents share; an entry is a content under a kind. */
import type { DocumentKind } from './search-store.ts';

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

export const SEARCH_FILE_MIGRATIONS: readonly string[] = [VERSION_1];
