/** What clusters are made of and looked at with, of a catalog or of a lake. */

import { tableIds } from '../catalog/index.ts';
import { type Config, presentOf } from '../config/index.ts';
import { type Authored, readLakeAuthored, readUsageOf, type WindowUsage } from '../knowledge/index.ts';
import { readKnowledgeSources } from './knowledge-sources.ts';
import { openKnownLake } from './lake-file.ts';
import { readKnown } from './read-known.ts';

/** Tables of a lake come and go all the time: what changes clusters is who reads them. */
const LAKE_FINGERPRINT = 'lake';

export interface ClusterSources {
  readonly catalogFingerprint: string;
  readonly tableIds: ReadonlySet<string>;
  readonly authored: Pick<Authored, 'areas' | 'statuses'>;
  /** Absent: no log was read yet. */
  readonly usage?: WindowUsage;
}

/** Throws `catalog.stale` before the first onboarding, and the faults of the files. */
export async function readClusterSources(config: Config): Promise<ClusterSources> {
  if (config.catalog === 'lake') return readLakeSources(config);
  const { catalog, authored, usage } = await readKnowledgeSources(config);
  const { fingerprint: catalogFingerprint } = catalog;
  return { catalogFingerprint, tableIds: tableIds(catalog), authored, ...(usage && { usage }) };
}

async function readLakeSources(config: Config): Promise<ClusterSources> {
  const usage = await readUsageOf(config, presentOf(config));
  const lake = await openKnownLake(config);
  try {
    return {
      catalogFingerprint: LAKE_FINGERPRINT,
      tableIds: await lake.ids(),
      authored: await readLakeAuthored(lake, config),
      ...(usage && { usage }),
    };
  } finally {
    lake.close();
  }
}

/** Of the tables that clusters were made of, for telling whether they still are. Throws `catalog.stale`. */
export async function catalogFingerprintOf(config: Config): Promise<string> {
  return config.catalog === 'lake' ? LAKE_FINGERPRINT : (await readKnown(config)).catalog.fingerprint;
}
