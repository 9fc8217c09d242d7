/** Opens the search store true to what is known; a file that was damaged is made anew, since all of it is derived. */

import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import { redactUrl } from '../../database/http/index.ts';
import { isDamaged, readIfThere, writeWhole } from '../../store/index.ts';
import { VERSION } from '../../version.ts';
import { syncSearch } from '../retrieve/documents/sync-search.ts';
import { knownExamples } from '../retrieve/texts/find-examples.ts';
import { openSearchFile } from '../search/open-search-file.ts';
import { openSharedSearch } from '../search/open-shared-search.ts';
import type { SearchStats, SearchStore } from '../search/search-store.ts';
import type { KnownFacts, KnownSchema } from './load-facts.ts';

const SEARCH_FILE = 'search.sqlite';

/** Beside the search file: what it was made of, and how much that was. */
const SEARCH_STAMP = 'search.stamp';

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

/** Keeps the search index true to what it was made of. */
interface SyncedKnowledge {
  readonly known: KnownSchema;
  readonly facts: KnownFacts;
  readonly signal?: AbortSignal | undefined;
}

/** Raised when documents are made in another way. */
const DOCUMENTS_VERSION = 1;

/** Writes what has changed since the last time; true when there was anything to look at. Throws `store.*`. */
async function syncKnowledge(
  store: SearchStore,
  config: Config,
  { known, facts, signal }: SyncedKnowledge,
): Promise<boolean> {
  const path = join(config.derivedDirectory, SEARCH_STAMP);
  const stamp = stampOf(config, known);
  const written = await readIfThere(path);
  if (written !== undefined && written === withContents(stamp, await store.stats())) return false;
  const { examples } = knownExamples(known.examples, known.catalog);
  await syncSearch(store, { ...known, ...facts, examples }, signal);
  await writeWhole(path, withContents(stamp, await store.stats()));
  return true;
}

/** A store that was lost, replaced or written by another project has another number of texts, mostly. */
function withContents(stamp: string, { contents }: SearchStats): string {
  return `${stamp} ${contents}`;
}

/** Changes with everything that documents are made of. */
function stampOf({ search }: Config, { catalog, semantics, authored, examples }: KnownSchema): string {
  const store = search.store === undefined ? '' : redactUrl(search.store);
  const parts = [DOCUMENTS_VERSION, VERSION, store, catalog.fingerprint, semantics, authored, examples];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  for (const text of commentsOf(catalog)) hash.update(`${text}\n`);
  return hash.digest('hex');
}

/** The fingerprint of a catalog is of its names, types and keys. */
function* commentsOf({ tables }: Catalog): Generator<string> {
  for (const { id, comment = '', columns } of tables) {
    yield `${id} ${comment}`;
    for (const column of columns) if (column.comment !== undefined) yield column.comment;
  }
}
