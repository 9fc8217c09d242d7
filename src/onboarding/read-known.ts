import { type Catalog, outlineCatalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import { addSemanticKeys, type SemanticModel } from '../knowledge/semantic/index.ts';
import type { ValueIndex } from '../knowledge/values/index.ts';
import { connectProject } from './connect-project.ts';
import { readOnboarded } from './onboard.ts';

/** What the last onboarding stored. Throws `catalog.stale` when there is none or the database has changed since. */
export async function readKnown(config: Config): Promise<{ catalog: Catalog; values: ValueIndex }> {
  const database = await connectProject(config);
  try {
    const known = await readOnboarded(config.derivedDirectory, database);
    if (known !== undefined) return known;
    throw new CandorError('catalog.stale', `Nothing up to date lies in ${config.derivedDirectory}.`);
  } finally {
    await database.close();
  }
}

/** The catalog of the last onboarding or, without one, of the schema alone, with the keys that the semantic model adds. */
export async function readCatalog(
  engine: Database,
  { derivedDirectory }: Pick<Config, 'derivedDirectory'>,
  semantics: SemanticModel,
  signal?: AbortSignal,
): Promise<Catalog> {
  const known = await readOnboarded(derivedDirectory, engine);
  return addSemanticKeys(known?.catalog ?? (await outlineCatalog(engine, signal)), semantics);
}
