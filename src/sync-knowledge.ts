/** Keeps the search index true to what it was made of. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Catalog } from './catalog/index.ts';
import type { Config } from './config/index.ts';
import { redactUrl } from './database/index.ts';
import { knownExamples, type SearchStats, type SearchStore, syncSearch } from './knowledge/index.ts';
import type { KnownFacts, KnownSchema } from './known-facts.ts';
import { readIfThere, writeWhole } from './store/index.ts';
import { VERSION } from './version.ts';

export interface SyncedKnowledge {
  readonly known: KnownSchema;
  readonly facts: KnownFacts;
  readonly signal?: AbortSignal | undefined;
}

/** Raised when documents are made in another way. */
const DOCUMENTS_VERSION = 1;
/** Beside the search file: what it was made of, and how much that was. */
export const SEARCH_STAMP = 'search.stamp';

/** Writes what has changed since the last time; true when there was anything to look at. Throws `store.*`. */
export async function syncKnowledge(
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
