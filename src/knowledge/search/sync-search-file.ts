/** Brings the documents of a search file up to date: staged aside first, then changed in one transaction. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { StateFile } from '../../store/index.ts';
import { changeDocuments } from './change-documents.ts';
import { indexEntries } from './index-entries.ts';
import { type PreparedDocument, prepareDocument, twiceGiven } from './search-content.ts';
import type { SyncCounts } from './search-store.ts';
import type { SyncOptions } from './sync-options.ts';

const DOCUMENTS_AT_ONCE = 2_000;
/** Indexes of 350,000 documents are written all over: with the usual 2 MB most pages would be read again. */
const CACHE_KB = 64_000;

/** On a connection that nothing else uses. Staging takes as long as the documents take to come and locks nothing. */
export async function syncSearchFile(file: StateFile, options: SyncOptions): Promise<SyncCounts> {
  file.exec(`PRAGMA cache_size = -${CACHE_KB}`);
  try {
    const staged = await stage(file, options);
    return await change(file, options, staged);
  } finally {
    file.exec(DROP_STAGED);
  }
}

/** The connection stays: what was staged must not. */
const DROP_STAGED = `
  DROP TABLE IF EXISTS temp.staged_contents; DROP TABLE IF EXISTS temp.staged;
  DROP TABLE IF EXISTS temp.differing; DROP TABLE IF EXISTS temp.gone;
  DROP TABLE IF EXISTS temp.touched; DROP TABLE IF EXISTS temp.left_tables;
  PRAGMA cache_size = -2000; PRAGMA shrink_memory`;

function change(file: StateFile, options: SyncOptions, staged: number): Promise<SyncCounts> {
  return file.longTransaction(async () => {
    compare(file, options);
    const count = (table: string, where = '1') =>
      Number(file.statement(`SELECT COUNT(*) AS n FROM temp.${table} WHERE ${where}`).get()?.n);
    const added = count('differing', 'key IS NULL');
    const changed = count('differing') - added;
    const removed = count('gone');
    if (added + changed + removed > 0) {
      await changeDocuments(file, options.signal);
      await indexEntries(file, options);
      file.exec('UPDATE generation SET documents = documents + 1');
    }
    return { added, changed, removed, kept: staged - added - changed };
  }, options.signal);
}

/** Puts the documents into tables that belong to this connection and end with it; returns how many there are. */
async function stage(file: StateFile, { kinds, documents, signal }: SyncOptions): Promise<number> {
  file.exec(`
    CREATE TEMP TABLE staged_contents (hash TEXT PRIMARY KEY, title TEXT, body TEXT) STRICT, WITHOUT ROWID;
    CREATE TEMP TABLE staged (kind TEXT, id TEXT, hash TEXT, tables TEXT, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID;
  `);
  const putContent = file.statement(
    'INSERT INTO temp.staged_contents VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const putDocument = file.statement('INSERT INTO temp.staged VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  let count = 0;
  const put = (batch: readonly PreparedDocument[]): void => {
    // Of temporary tables only: this locks nobody out.
    file.snapshot(() => {
      for (const { kind, id, tables, content } of batch) {
        putContent.run(content.hash, content.title, content.body);
        if (Number(putDocument.run(kind, id, content.hash, tables).changes) === 0) throw twiceGiven(kind, id);
      }
    });
    count += batch.length;
  };
  let batch: PreparedDocument[] = [];
  for await (const document of documents) {
    batch.push(prepareDocument(document, kinds));
    if (batch.length < DOCUMENTS_AT_ONCE) continue;
    put(batch);
    batch = [];
    await breathe();
    signal?.throwIfAborted();
  }
  put(batch);
  return count;
}

/** What is new or differs, and what is no longer there. */
function compare(file: StateFile, { kinds, tables }: SyncOptions): void {
  file.exec(`
    CREATE TEMP TABLE differing AS
    SELECT s.kind AS kind, s.id AS id, s.hash AS hash, s.tables AS tables, d.key AS key
    FROM temp.staged AS s LEFT JOIN documents AS d ON d.kind = s.kind AND d.id = s.id
    LEFT JOIN contents AS c ON c.key = d.content
    WHERE d.key IS NULL OR c.hash <> s.hash OR d.tables <> s.tables`);
  const before =
    tables === undefined
      ? 'documents AS d WHERE true'
      : `documents AS d WHERE d.key IN (
           SELECT p.document FROM json_each(?2) AS j JOIN tables AS t ON t.id = j.value
           JOIN placements AS p ON p.table_key = t.key)`;
  file
    .statement(
      `CREATE TEMP TABLE gone AS SELECT d.key AS key FROM ${before}
       AND d.kind IN (SELECT value FROM json_each(?1)) AND NOT EXISTS (
         SELECT 1 FROM temp.staged AS s WHERE s.kind = d.kind AND s.id = d.id)`,
    )
    .run(JSON.stringify(kinds), ...(tables === undefined ? [] : [JSON.stringify(tables)]));
}
