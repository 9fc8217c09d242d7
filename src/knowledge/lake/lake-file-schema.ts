/**
 * The tables of a lake file. A text is what a table is found by; tables of equal text share one, and it is indexed once.
 * Texts have numbers in the order they came, and a segment holds the postings of a run of them. A segment is never
 * changed but for what of it has died, so that a change of some tables costs as much as they are.
 */
const VERSION_1 = `
CREATE TABLE marks (
  id TEXT PRIMARY KEY,
  stamp TEXT NOT NULL,
  key INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Schemas, as far as tables stand in them.
CREATE TABLE schemas (
  key INTEGER PRIMARY KEY,
  names TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE tables (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  -- Lower case, without what stands before it; and as the engine spells it, where that differs.
  name TEXT NOT NULL,
  spelt TEXT,
  schema INTEGER NOT NULL,
  text INTEGER NOT NULL,
  -- Hashes of the schema with the pattern of the name, and of the schema with the columns: families are found by them.
  pattern INTEGER NOT NULL,
  shape INTEGER NOT NULL,
  declaration BLOB NOT NULL
) STRICT;
CREATE INDEX tables_by_name ON tables (name);
CREATE INDEX tables_by_text ON tables (text);
CREATE INDEX tables_by_pattern ON tables (pattern);
CREATE INDEX tables_by_shape ON tables (shape);
CREATE TABLE texts (
  number INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  -- Its terms, as postings of their keys.
  terms BLOB NOT NULL
) STRICT;
CREATE TABLE terms (
  key INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE,
  -- Living texts that have it, and that have it in the title.
  texts INTEGER NOT NULL,
  titles INTEGER NOT NULL
) STRICT;
CREATE TABLE segments (
  key INTEGER PRIMARY KEY,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  living INTEGER NOT NULL,
  -- Of each text its tokens and the terms of its title; 0: it has died.
  facts BLOB NOT NULL,
  generation INTEGER NOT NULL
) STRICT;
CREATE TABLE postings (
  key INTEGER PRIMARY KEY,
  segment INTEGER NOT NULL,
  term INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX postings_by_term ON postings (term, segment);
CREATE INDEX postings_by_segment ON postings (segment);
-- The text of every table key, in pieces.
CREATE TABLE places (
  piece INTEGER PRIMARY KEY,
  texts BLOB NOT NULL,
  generation INTEGER NOT NULL
) STRICT;
-- Sets of tables that scopes are made of.
CREATE TABLE parts (
  name TEXT PRIMARY KEY,
  stamp TEXT NOT NULL,
  keys BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE totals (
  generation INTEGER NOT NULL,
  texts INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  next_text INTEGER NOT NULL,
  -- What the tables were read from; another source begins anew.
  source TEXT NOT NULL
) STRICT;
INSERT INTO totals VALUES (0, 0, 0, 1, '');
`;

export const LAKE_FILE_MIGRATIONS: readonly string[] = [VERSION_1];
