/** What a search file holds: texts that wait for their vectors, and counts. */
import type { StateFile } from '../../store/index.ts';
import { contentText, noDocuments, readKind } from './search-content.ts';
import type { DocumentKind, PendingText, SearchStats } from './search-store.ts';

export function readPendingTexts(
  file: StateFile,
  modelId: string,
  { kinds, limit }: { readonly kinds: readonly DocumentKind[]; readonly limit: number },
): PendingText[] {
  return file
    .statement(
      `SELECT c.hash AS hash, c.title AS title, c.body AS body FROM contents AS c
       WHERE EXISTS (SELECT 1 FROM entries AS e WHERE e.content = c.key AND e.kind IN (SELECT value FROM json_each(?1)))
         AND NOT EXISTS (
           SELECT 1 FROM vectors AS v JOIN models AS m ON m.key = v.model WHERE m.id = ?2 AND v.hash = c.hash)
       ORDER BY c.key LIMIT ?3`,
    )
    .all(JSON.stringify(kinds), modelId, limit)
    .map(({ hash, title, body }) => ({
      hash: String(hash),
      text: contentText({ title: String(title), body: String(body) }),
    }));
}

export function readStats(file: StateFile): SearchStats {
  const documents = noDocuments();
  for (const { kind, n } of file.statement('SELECT kind, COUNT(*) AS n FROM documents GROUP BY kind').all())
    documents[readKind(kind)] = Number(n);
  const counts = file
    .statement(
      `SELECT (SELECT COUNT(*) FROM contents) AS contents,
         (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS bytes`,
    )
    .get();
  const vectors = file
    .statement(
      `SELECT m.id AS id, COUNT(c.key) AS n FROM models AS m LEFT JOIN vectors AS v ON v.model = m.key
       LEFT JOIN contents AS c ON c.hash = v.hash GROUP BY m.id ORDER BY m.id`,
    )
    .all();
  return {
    documents,
    contents: Number(counts?.contents),
    vectors: Object.fromEntries(vectors.map(({ id, n }) => [String(id), Number(n)])),
    bytes: Number(counts?.bytes),
  };
}
