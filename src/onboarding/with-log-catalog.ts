/** What the names in query logs mean: tables of the last onboarding or, without one, of the schema; of a lake, its own. */
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import { readSemanticModel } from '../knowledge/semantic/index.ts';
import type { LogCatalog } from '../knowledge/usage/index.ts';
import { connectProject } from './connect-project.ts';
import { openKnownLake } from './lake-file.ts';
import { readCatalog } from './read-known.ts';

/** Works with it while it is open. Throws `catalog.stale` for a lake that was never read, and what opening a database does. */
export async function withLogCatalog<Result>(
  config: Config,
  signal: AbortSignal,
  work: (catalog: LogCatalog) => Promise<Result>,
): Promise<Result> {
  if (config.catalog === 'lake') return withLake(config, work);
  return work(await readCatalogOnce(config, signal));
}

async function readCatalogOnce(config: Config, signal: AbortSignal): Promise<Catalog> {
  const semantics = await readSemanticModel(config.semanticsDirectory);
  const engine = await connectProject(config);
  try {
    return await readCatalog(engine, config, semantics, signal);
  } finally {
    await engine.close();
  }
}

async function withLake<Result>(
  config: Config,
  work: (catalog: LogCatalog) => Promise<Result>,
): Promise<Result> {
  const engine = await connectProject(config);
  await engine.close();
  const lake = await openKnownLake(config);
  try {
    const { dialect, name: database } = engine;
    return await work(lake.lookup({ dialect, database }));
  } finally {
    lake.close();
  }
}
