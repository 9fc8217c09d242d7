/** What is written down of a database, beside what its last onboarding found. */
import type { Catalog } from '../catalog/index.ts';
import { type Config, presentOf } from '../config/index.ts';
import {
  type Authored,
  addSemanticKeys,
  readAuthored,
  readExamples,
  readSemanticModel,
  readUsageOf,
  type SemanticModel,
  type VerifiedPair,
  type WindowUsage,
} from '../knowledge/index.ts';
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
