/** Brings the documents of a search file up to date: staged aside first, then changed in one transaction. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { StateFile } from '../../store/index.ts';
import { type PreparedDocument, prepareDocument, twiceGiven } from './search-content.ts';
import type { DocumentKind, SyncCounts, SyncOptions } from './search-store.ts';
import { indexTerms, nameTrigrams } from './search-terms.ts';

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

/**
 * Makes the documents those of the temporary tables `differing` and `gone`; leaves what `indexEntries` has to look at in
 * `touched`, contents by kind, and `left_tables`. Within a transaction; in SQL alone,
 * because 350,000 documents by way of the program take four times as long.
 */
async function changeDocuments(file: StateFile, signal: AbortSignal | undefined): Promise<void> {
  file.exec(BEFORE);
  const unplace = file.statement(
    'DELETE FROM placements WHERE document IN (SELECT key FROM temp.gone WHERE rowid BETWEEN ? AND ?)',
  );
  const remove = file.statement(
    'DELETE FROM documents WHERE key IN (SELECT key FROM temp.gone WHERE rowid BETWEEN ? AND ?)',
  );
  await inParts(file, 'gone', {
    signal,
    work(first, last) {
      unplace.run(first, last);
      remove.run(first, last);
    },
  });

  const steps = STEPS.map((sql) => file.statement(sql));
  await inParts(file, 'differing', {
    signal,
    work(first, last) {
      for (const step of steps) step.run(first, last);
    },
  });
  file.exec(AFTER);
}

/** What may be left by all documents: the contents that some had, and the tables they belonged to. */
const BEFORE = `
  CREATE TEMP TABLE touched AS SELECT DISTINCT d.kind AS kind, d.content AS content FROM documents AS d
  WHERE d.key IN (SELECT key FROM temp.gone UNION ALL SELECT key FROM temp.differing WHERE key IS NOT NULL);
  CREATE TEMP TABLE left_tables AS SELECT DISTINCT p.table_key AS key FROM placements AS p
  WHERE p.document IN (SELECT key FROM temp.gone UNION ALL SELECT key FROM temp.differing WHERE key IS NOT NULL)`;

/** The contents that documents have got. */
const AFTER = `
  INSERT INTO temp.touched SELECT DISTINCT s.kind, c.key FROM temp.differing AS s JOIN contents AS c ON c.hash = s.hash`;

/** What is done with one part of `differing`, in this order. */
const STEPS: readonly string[] = [
  `INSERT INTO contents (hash, title, body)
   SELECT s.hash, s.title, s.body FROM temp.staged_contents AS s
   WHERE s.hash IN (SELECT hash FROM temp.differing WHERE rowid BETWEEN ?1 AND ?2) ON CONFLICT DO NOTHING`,
  `INSERT INTO documents (kind, id, content, tables)
   SELECT s.kind, s.id, c.key, s.tables FROM temp.differing AS s JOIN contents AS c ON c.hash = s.hash
   WHERE s.rowid BETWEEN ?1 AND ?2
   ON CONFLICT (kind, id) DO UPDATE SET content = excluded.content, tables = excluded.tables`,
  `INSERT INTO tables (id)
   SELECT j.value FROM temp.differing AS s, json_each(s.tables) AS j
   WHERE s.rowid BETWEEN ?1 AND ?2 ON CONFLICT DO NOTHING`,
  `DELETE FROM placements WHERE document IN (SELECT key FROM temp.differing WHERE rowid BETWEEN ?1 AND ?2)`,
  `INSERT INTO placements (table_key, kind, content, document)
   SELECT coalesce(t.key, 0), d.kind, d.content, d.key
   FROM temp.differing AS s JOIN documents AS d ON d.kind = s.kind AND d.id = s.id
   LEFT JOIN json_each(s.tables) AS j LEFT JOIN tables AS t ON t.id = j.value
   WHERE s.rowid BETWEEN ?1 AND ?2`,
];

/**
 * Indexes the contents that documents of the kinds have got, takes out those that none has any more, and drops texts
 * and vectors that nothing uses; looks at nothing but what `changeDocuments` has touched. Within a transaction.
 */
async function indexEntries(
  file: StateFile,
  { kinds, tables, signal }: Pick<SyncOptions, 'kinds' | 'tables' | 'signal'>,
): Promise<void> {
  for (const kind of kinds) {
    collect(file, kind);
    await inParts(file, 'left_entries', { work: takingOut(file, kind), signal });
    await inParts(file, 'new_entries', { work: puttingIn(file, kind), signal });
    file.exec('DROP TABLE temp.left_entries; DROP TABLE temp.new_entries');
  }
  file.exec(DROP_UNUSED);
  // Vectors may have come for a text that was just taken out.
  if (tables === undefined)
    file.exec(
      'DELETE FROM vectors WHERE NOT EXISTS (SELECT 1 FROM contents AS c WHERE c.hash = vectors.hash)',
    );
}

const UNUSED = `
  key IN (SELECT content FROM temp.touched) AND NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.content = contents.key)`;
const DROP_UNUSED = `
  DELETE FROM vectors WHERE model IN (SELECT key FROM models)
    AND hash IN (SELECT hash FROM contents WHERE ${UNUSED});
  DELETE FROM contents WHERE ${UNUSED};
  DELETE FROM tables WHERE key IN (SELECT key FROM temp.left_tables)
    AND NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.table_key = tables.key)`;

function collect(file: StateFile, kind: DocumentKind): void {
  file
    .statement(
      `CREATE TEMP TABLE left_entries AS
       SELECT c.key AS content, c.title AS title FROM contents AS c
       WHERE c.key IN (SELECT content FROM temp.touched WHERE kind = ?1)
         AND EXISTS (SELECT 1 FROM entries AS e WHERE e.kind = ?1 AND e.content = c.key)
         AND NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.kind = ?1 AND d.content = c.key)`,
    )
    .run(kind);
  file
    .statement(
      `CREATE TEMP TABLE new_entries AS
       SELECT c.key AS content, c.title AS title, c.body AS body FROM contents AS c
       WHERE c.key IN (SELECT content FROM temp.touched WHERE kind = ?1)
         AND EXISTS (SELECT 1 FROM documents AS d WHERE d.kind = ?1 AND d.content = c.key)
         AND NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.kind = ?1 AND e.content = c.key)`,
    )
    .run(kind);
}

function puttingIn(file: StateFile, kind: DocumentKind): (first: number, last: number) => void {
  const read = file.statement(
    'SELECT content, title, body FROM temp.new_entries WHERE rowid BETWEEN ? AND ?',
  );
  const putWords = file.statement(`INSERT INTO words_${kind} (rowid, title, body) VALUES (?, ?, ?)`);
  const putEntry = file.statement('INSERT INTO entries (kind, content, trigrams) VALUES (?, ?, ?)');
  const putTrigram = file.statement('INSERT INTO name_trigrams (kind, trigram, content) VALUES (?, ?, ?)');
  return (first, last) => {
    for (const { content, title, body } of read.all(first, last)) {
      const key = Number(content);
      const trigrams = nameTrigrams(String(title));
      putWords.run(key, indexTerms(String(title)).join(' '), indexTerms(String(body)).join(' '));
      putEntry.run(kind, key, trigrams.length);
      for (const trigram of trigrams) putTrigram.run(kind, trigram, key);
    }
  };
}

function takingOut(file: StateFile, kind: DocumentKind): (first: number, last: number) => void {
  const read = file.statement('SELECT content, title FROM temp.left_entries WHERE rowid BETWEEN ? AND ?');
  const removeWords = file.statement(`DELETE FROM words_${kind} WHERE rowid = ?`);
  const removeEntry = file.statement('DELETE FROM entries WHERE kind = ? AND content = ?');
  const removeTrigram = file.statement(
    'DELETE FROM name_trigrams WHERE kind = ? AND trigram = ? AND content = ?',
  );
  return (first, last) => {
    for (const { content, title } of read.all(first, last)) {
      const key = Number(content);
      removeWords.run(key);
      removeEntry.run(kind, key);
      for (const trigram of nameTrigrams(String(title))) removeTrigram.run(kind, trigram, key);
    }
  };
}

// Long work in parts: between two of them the program does other things, and notices that it was stopped.

const ROWS_AT_ONCE = 2_000;

/**
 * Walks over a temporary table that was made by `CREATE TABLE … AS`, whose rows are numbered from 1: `work` gets the
 * first and the last row number of each part. Throws what the signal was aborted with.
 */
async function inParts(
  file: StateFile,
  table: string,
  options: { readonly work: (first: number, last: number) => void; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const count = Number(file.statement(`SELECT COUNT(*) AS n FROM temp.${table}`).get()?.n);
  for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
    options.work(first, first + ROWS_AT_ONCE - 1);
    await breathe();
    options.signal?.throwIfAborted();
  }
}
