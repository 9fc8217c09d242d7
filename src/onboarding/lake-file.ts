/** The file in which the tables of a lake are kept, read anew when the lake is onboarded. */
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { redactUrl } from '../database/http/index.ts';
import type { Database } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import { databaseSource, type Lake, type LakeCounts, openLake } from '../knowledge/lake/index.ts';
import type { OnboardEvent } from './onboard.ts';

const LAKE_FILE = 'lake.sqlite';
/** Raised when tables are kept or found in another way. */
const LAKE_VERSION = 2;

/** The lake file of a project; of another database, or of another version of Candor's, it is begun anew. */
export function openLakeOf(config: Config): Promise<Lake> {
  const origin = `${LAKE_VERSION} ${redactUrl(config.databaseUrl)}`;
  return openLake(join(config.derivedDirectory, LAKE_FILE), origin);
}

/** The same for who reads no database: throws `catalog.stale` where nothing was read yet. */
export async function openKnownLake(config: Config): Promise<Lake> {
  const lake = await openLakeOf(config);
  if ((await lake.stats()).tables > 0) return lake;
  lake.close();
  throw new CandorError('catalog.stale', `No table of ${redactUrl(config.databaseUrl)} was read yet.`);
}

export interface RefreshLakeOptions {
  readonly onProgress?: (progress: OnboardEvent) => void;
  readonly signal?: AbortSignal;
}

/** Brings the lake to what the database has; `database.empty-schema` where that is nothing. */
export async function refreshLake(
  lake: Lake,
  engine: Database,
  { onProgress, signal }: RefreshLakeOptions,
): Promise<LakeCounts> {
  const counts = await lake.refresh(databaseSource(engine), {
    database: engine.name,
    signal,
    onProgress: ({ listed }) => onProgress?.({ stage: 'schema', done: listed, total: 0 }),
  });
  if (counts.listed > 0) return counts;
  throw new CandorError('database.empty-schema', `the database ${engine.name} has no tables or views`, {
    data: { url: engine.url },
  });
}
