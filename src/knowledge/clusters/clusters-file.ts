/** `.candor/clusters.sqlite`: clusters, whose they are, and what they were made of. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDamaged, openStateFile, type StateFile } from '../../store/index.ts';

const FIRST = `
-- One row of what the clusters as a whole are.
CREATE TABLE clustering (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- JSON.
  settings TEXT NOT NULL,
  at TEXT NOT NULL,
  skipped TEXT,
  is_unsettled INTEGER NOT NULL,
  window_from TEXT NOT NULL,
  window_to TEXT NOT NULL,
  catalog_fingerprint TEXT NOT NULL,
  cluster_count INTEGER NOT NULL,
  -- Of the last full run, and what came, went or moved since then.
  table_count INTEGER NOT NULL,
  drifted INTEGER NOT NULL,
  -- Single precision, one number for each component.
  centre BLOB
) STRICT;

-- is_best: the table scores best in this cluster; else it is there as one of its best tables.
CREATE TABLE cluster_tables (
  cluster INTEGER NOT NULL, score REAL NOT NULL, table_id TEXT NOT NULL, is_best INTEGER NOT NULL,
  PRIMARY KEY (cluster, score DESC, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX clusters_by_table ON cluster_tables (table_id);

CREATE TABLE user_clusters (
  user TEXT NOT NULL, place INTEGER NOT NULL, cluster INTEGER NOT NULL, weight REAL NOT NULL,
  PRIMARY KEY (user, place)
) STRICT, WITHOUT ROWID;

-- What the runs of a user weigh in each component: single precision.
CREATE TABLE user_weights (user TEXT PRIMARY KEY, weights BLOB NOT NULL) STRICT;

-- Sums of the cells that something was made of: other cells have another sum.
CREATE TABLE marks (
  kind TEXT NOT NULL CHECK (kind IN ('table', 'user')), name TEXT NOT NULL, mark INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
`;

const FILE = 'clusters.sqlite';

export type OpenedFile =
  | { readonly kind: 'absent' }
  /** The file is not what was written; it may be made anew. */
  | { readonly kind: 'damaged'; readonly file: string }
  | { readonly kind: 'open'; readonly state: StateFile };

/** Opens the file where there is one. Throws `store.unusable` for what is no damage. */
export async function openClustersFile(directory: string): Promise<OpenedFile> {
  const file = join(directory, FILE);
  if (!existsSync(file)) return { kind: 'absent' };
  try {
    return { kind: 'open', state: await openClustersAt(file) };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { kind: 'damaged', file };
  }
}

/** Opens the file, made when it is absent or damaged. */
export async function makeClustersFile(directory: string): Promise<StateFile> {
  const opened = await openClustersFile(directory);
  if (opened.kind === 'open') return opened.state;
  const file = join(directory, FILE);
  if (opened.kind === 'damaged')
    for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
  return openClustersAt(file);
}

/** The file, or clusters that live as long as the connection with `:memory:`. */
export function openClustersAt(path: string): Promise<StateFile> {
  return openStateFile(path, { migrations: [FIRST] });
}
