/** What is written down of a database, beside what its last onboarding found. */
import { type Catalog, tableIds } from '../catalog/index.ts';
import { type Config, presentOf } from '../config/index.ts';
import { readAuthored } from '../knowledge/authored/folder/index.ts';
import { type Authored, readExamples, type VerifiedPair } from '../knowledge/authored/index.ts';
import { readLakeAuthored, readUsageOf } from '../knowledge/base/index.ts';
import { addSemanticKeys, readSemanticModel, type SemanticModel } from '../knowledge/semantic/index.ts';
import type { WindowUsage } from '../knowledge/usage/index.ts';
import { openKnownLake } from './lake-file.ts';
import { readKnown } from './read-known.ts';

export interface KnowledgeSources {
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly VerifiedPair[];
  /** Of the last 90 days; absent where no log was read yet. */
  readonly usage?: WindowUsage;
}

/** Throws `catalog.stale` before the first onboarding, and the faults of the files. */
export async function readKnowledgeSources(config: Config): Promise<KnowledgeSources> {
  const known = await readKnown(config);
  const semantics = await readSemanticModel(config.semanticsDirectory);
  const catalog = addSemanticKeys(known.catalog, semantics);
  const usage = await readUsageOf(config, presentOf(config));
  return {
    catalog,
    semantics,
    authored: await readAuthored(config.knowledgeDirectory, catalog),
    examples: await readExamples(config.examplesDirectory),
    ...(usage === undefined ? {} : { usage }),
  };
}

// What clusters are made of and looked at with, of a catalog or of a lake.

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
