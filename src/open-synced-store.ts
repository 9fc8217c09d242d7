/** Opens the search store true to what is known; a file that was damaged is made anew, since all of it is derived. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config/index.ts';
import { redactUrl } from './database/index.ts';
import { openSearchFile, openSharedSearch, type SearchStore } from './knowledge/index.ts';
import { isDamaged } from './store/index.ts';
import { SEARCH_STAMP, type SyncedKnowledge, syncKnowledge } from './sync-knowledge.ts';

const SEARCH_FILE = 'search.sqlite';
/** SQLite's log and its index would be played into the new file. */
const MADE_ANEW = [`${SEARCH_FILE}-wal`, `${SEARCH_FILE}-shm`, SEARCH_FILE, SEARCH_STAMP];

/** `close` it. Throws `store.*`. */
export async function openSyncedStore(
  config: Config,
  synced: SyncedKnowledge,
  onNotice?: (message: string) => void,
): Promise<SearchStore> {
  try {
    return await openAndSync(config, synced);
  } catch (error) {
    if (config.search.store !== undefined || !isDamaged(error)) throw error;
    onNotice?.(`${SEARCH_FILE} was damaged; it is built again, its vectors by \`candor onboard\``);
    for (const name of MADE_ANEW) await rm(join(config.derivedDirectory, name), { force: true });
    return openAndSync(config, synced);
  }
}

async function openAndSync(config: Config, synced: SyncedKnowledge): Promise<SearchStore> {
  const store = await openSearchStore(config);
  try {
    await syncKnowledge(store, config, synced);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A file beside the other derived ones or, where the settings name a server, a workspace of its own there. */
function openSearchStore({ search, derivedDirectory, databaseUrl }: Config): Promise<SearchStore> {
  return search.store === undefined
    ? openSearchFile(join(derivedDirectory, SEARCH_FILE))
    : openSharedSearch(search.store, { workspace: search.workspace ?? redactUrl(databaseUrl) });
}
