import { join } from 'node:path';
import { projectConfig } from '../../../config/index.ts';
import type { ValueIndex } from '../../../knowledge/values/index.ts';
import { openSession } from '../../../session/index.ts';
import type { LinkDatabase } from '../sets/link-set.ts';

export interface OpenValuesOptions {
  /** Where what onboarding derives is kept. */
  readonly cacheDirectory: string;
  readonly signal?: AbortSignal;
}

/** The stored values of a database of a linking set, onboarded when it is new; undefined where the set has no rows. */
export async function openValues(
  { name, databaseUrl }: LinkDatabase,
  { cacheDirectory, signal }: OpenValuesOptions,
): Promise<ValueIndex | undefined> {
  if (databaseUrl === undefined) return undefined;
  const config = projectConfig(join(cacheDirectory, 'linking', name), databaseUrl);
  const session = await openSession(config, signal === undefined ? {} : { signal });
  try {
    return session.values;
  } finally {
    await session.close();
  }
}
