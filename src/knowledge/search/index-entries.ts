import type { StateFile } from '../../store/index.ts';
import { inParts } from './in-parts.ts';
import { nameTrigrams } from './name-trigrams.ts';
import type { DocumentKind } from './search-store.ts';
import { indexTerms } from './search-terms.ts';
import type { SyncOptions } from './sync-options.ts';

/**
 * Indexes the contents that documents of the kinds have got, takes out those that none has any more, and drops texts
 * and vectors that nothing uses; looks at nothing but what `changeDocuments` has touched. Within a transaction.
 */
export async function indexEntries(
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
