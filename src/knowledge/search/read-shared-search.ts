/** What a workspace of the shared store holds: texts that wait for their vectors, and counts. */
import type { RunSql } from '../../store/index.ts';
import { contentText, noDocuments, readKind } from './search-content.ts';
import type { DocumentKind, PendingText, SearchStats } from './search-store.ts';

export interface PendingOptions {
  readonly modelId: string;
  readonly kinds: readonly DocumentKind[];
  readonly limit: number;
  readonly hasPgvector: boolean;
}

const vectorTable = (hasPgvector: boolean): string =>
  hasPgvector ? 'candor.search_embeddings' : 'candor.search_vectors';

export async function readSharedPending(
  run: RunSql,
  workspace: number,
  { modelId, kinds, limit, hasPgvector }: PendingOptions,
): Promise<PendingText[]> {
  const rows = await run(
    `SELECT c.hash, c.title, c.body FROM candor.search_contents c WHERE c.workspace = $1
       AND EXISTS (SELECT 1 FROM candor.search_entries e
         WHERE e.workspace = $1 AND e.content = c.key AND e.kind = ANY($2::text[]))
       AND NOT EXISTS (SELECT 1 FROM ${vectorTable(hasPgvector)} v JOIN candor.search_models m ON m.key = v.model
         WHERE m.workspace = $1 AND m.id = $3 AND v.hash = c.hash)
     ORDER BY c.key LIMIT $4`,
    [workspace, kinds, modelId, limit],
  );
  return rows.map(({ hash, title, body }) => ({
    hash: String(hash),
    text: contentText({ title: String(title), body: String(body) }),
  }));
}

/** Vectors of texts that no document has any more, among those of `hashes` where they are given. */
export async function dropUnusedVectors(
  run: RunSql,
  workspace: number,
  { hasPgvector, hashes }: { readonly hasPgvector: boolean; readonly hashes?: readonly string[] },
): Promise<void> {
  await run(
    `DELETE FROM ${vectorTable(hasPgvector)} v USING candor.search_models m
     WHERE m.key = v.model AND m.workspace = $1 AND ($2::text[] IS NULL OR v.hash = ANY($2)) AND NOT EXISTS (
       SELECT 1 FROM candor.search_contents c WHERE c.workspace = $1 AND c.hash = v.hash)`,
    [workspace, hashes ?? null],
  );
}

/** `bytes` are those of the tables with their indexes, which all workspaces share. */
export async function readSharedStats(
  run: RunSql,
  workspace: number,
  hasPgvector: boolean,
): Promise<SearchStats> {
  const documents = noDocuments();
  const rows = await run(
    'SELECT kind, count(*) AS n FROM candor.search_documents WHERE workspace = $1 GROUP BY kind',
    [workspace],
  );
  for (const { kind, n } of rows) documents[readKind(kind)] = Number(n);
  const [counts] = await run(
    `SELECT (SELECT count(*) FROM candor.search_contents WHERE workspace = $1) AS contents,
       (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
         WHERE relnamespace = 'candor'::regnamespace AND relkind = 'r') AS bytes`,
    [workspace],
  );
  const vectors = await run(
    `SELECT m.id, count(c.key) AS n FROM candor.search_models m
     LEFT JOIN ${vectorTable(hasPgvector)} v ON v.model = m.key
     LEFT JOIN candor.search_contents c ON c.workspace = $1 AND c.hash = v.hash
     WHERE m.workspace = $1 GROUP BY m.id ORDER BY m.id`,
    [workspace],
  );
  return {
    documents,
    contents: Number(counts?.contents),
    vectors: Object.fromEntries(vectors.map(({ id, n }) => [String(id), Number(n)])),
    bytes: Number(counts?.bytes),
  };
}
