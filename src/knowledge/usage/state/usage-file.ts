/** `.candor/usage.sqlite`: what was read of query logs, and how far. */
import { openStateFile, type StateFile } from '../../../store/index.ts';

const FIRST = `
-- A log, known again by the hash of its first bytes whatever its path.
CREATE TABLE logs (
  id INTEGER PRIMARY KEY,
  head_bytes INTEGER NOT NULL,
  head_hash TEXT NOT NULL,
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  container TEXT NOT NULL,
  -- Where reading goes on: bytes before it, its line, and what the reader must remember.
  offset INTEGER NOT NULL,
  line INTEGER NOT NULL,
  reader_state TEXT NOT NULL,
  counts TEXT NOT NULL
) STRICT;
CREATE INDEX logs_by_head ON logs (head_hash);

CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

-- Statements that differ in constants only.
CREATE TABLE shapes (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  is_example INTEGER NOT NULL,
  -- 1 when so many constants were seen that they are taken for parameters: its statements have become one.
  is_parameterised INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE shape_tables (
  shape_id INTEGER NOT NULL REFERENCES shapes (id), table_id TEXT NOT NULL, PRIMARY KEY (shape_id, table_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE shape_columns (
  shape_id INTEGER NOT NULL REFERENCES shapes (id), column_id TEXT NOT NULL, PRIMARY KEY (shape_id, column_id)
) STRICT, WITHOUT ROWID;
-- pairs: JSON, [[left column, right column], …].
CREATE TABLE shape_joins (
  shape_id INTEGER NOT NULL REFERENCES shapes (id),
  left_table TEXT NOT NULL, right_table TEXT NOT NULL, pairs TEXT NOT NULL,
  PRIMARY KEY (shape_id, left_table, right_table, pairs)
) STRICT, WITHOUT ROWID;

CREATE TABLE statements (
  id INTEGER PRIMARY KEY,
  shape_id INTEGER NOT NULL REFERENCES shapes (id),
  key TEXT NOT NULL UNIQUE,
  -- Empty where it can be no example; of the newest run.
  sql TEXT NOT NULL,
  sql_day TEXT NOT NULL,
  -- File or title it was saved under.
  name TEXT
) STRICT;
CREATE INDEX statements_by_shape ON statements (shape_id);

CREATE TABLE runs (
  statement_id INTEGER NOT NULL REFERENCES statements (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  day TEXT NOT NULL,
  runs INTEGER NOT NULL,
  PRIMARY KEY (statement_id, user_id, day)
) STRICT, WITHOUT ROWID;

-- Hashes of runs that logs have ids for.
CREATE TABLE seen_runs (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL, day TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE unknown_tables (name TEXT PRIMARY KEY, runs INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE rejected (
  id INTEGER PRIMARY KEY,
  place TEXT NOT NULL,
  reason TEXT NOT NULL,
  text TEXT
) STRICT;
`;

const SECOND = `
-- Days of logs that engines hold and that were read whole.
CREATE TABLE log_days (log TEXT NOT NULL, day TEXT NOT NULL, PRIMARY KEY (log, day)) STRICT, WITHOUT ROWID;
`;

const THIRD = `
-- Of tables, as it was when logs of a lake were last read.
CREATE TABLE popularity (table_id TEXT PRIMARY KEY, popularity REAL NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Opens the file, made when it is absent. Throws `store.unusable`. */
export function openUsageFile(path: string): Promise<StateFile> {
  return openStateFile(path, { migrations: [FIRST, SECOND, THIRD] });
}

/** Whether any run was ever counted. */
export function hasIngested(file: StateFile): boolean {
  return file.prepare('SELECT 1 FROM runs LIMIT 1').get() !== undefined;
}
