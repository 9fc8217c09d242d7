/** What the names in query logs mean: tables of the last onboarding or, without one, of the schema; of a lake, its own. */
import type { Catalog } from './catalog/index.ts';
import type { Config } from './config/index.ts';
import { connectProject } from './connect-project.ts';
import type { TableLookup } from './knowledge/index.ts';
import { openKnownLake } from './open-lake-session.ts';
import { closeReader, openReader } from './session.ts';

export interface LogCatalog {
  readonly catalog: Catalog | TableLookup;
  close(): void;
}

/** Throws `catalog.stale` for a lake that was never read, and what opening a database does. `close` it. */
export async function openLogCatalog(
  config: Config,
  { signal }: { readonly signal?: AbortSignal },
): Promise<LogCatalog> {
  if (config.catalog === 'lake') return openLakeLookup(config);
  const reader = await openReader(config, { signal });
  await closeReader(reader);
  return { catalog: reader.catalog, close: () => undefined };
}

async function openLakeLookup(config: Config): Promise<LogCatalog> {
  const engine = await connectProject(config);
  await engine.close();
  const lake = await openKnownLake(config);
  const { dialect, name: database } = engine;
  return { catalog: lake.lookup({ dialect, database }), close: () => lake.close() };
}
