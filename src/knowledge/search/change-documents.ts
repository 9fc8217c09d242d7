import type { StateFile } from '../../store/index.ts';
import { inParts } from './in-parts.ts';

/**
 * Makes the documents those of the temporary tables `differing` and `gone`; leaves what `indexEntries` has to look at in
 * `touched`, contents by kind, and `left_tables`. Within a transaction; in SQL alone,
 * because 350,000 documents by way of the program take four times as long.
 */
export async function changeDocuments(file: StateFile, signal: AbortSignal | undefined): Promise<void> {
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
