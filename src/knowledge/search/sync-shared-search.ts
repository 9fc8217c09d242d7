/** Brings the documents of a workspace up to date: staged aside first, then changed in one transaction. */
import { inTransaction, type RunSql } from '../../store/index.ts';
import { indexSharedEntries } from './index-shared-entries.ts';
import { dropUnusedVectors } from './read-shared-search.ts';
import { type PreparedDocument, prepareDocument, twiceGiven } from './search-content.ts';
import type { SyncCounts } from './search-store.ts';
import type { SyncOptions } from './sync-options.ts';

export interface SharedSyncOptions extends SyncOptions {
  readonly hasPgvector: boolean;
}

const DOCUMENTS_AT_ONCE = 2_000;

/** On one session. Syncs of a workspace wait for each other; those who search meanwhile see the old state. */
export async function syncSharedSearch(
  run: RunSql,
  workspace: number,
  options: SharedSyncOptions,
): Promise<SyncCounts> {
  const staged = await stage(run, options);
  return inTransaction(run, async () => {
    await run('SELECT 1 FROM candor.search_workspaces WHERE key = $1 FOR UPDATE', [workspace]);
    const { added, changed, removed } = await compare(run, workspace, options);
    if (added + changed + removed > 0) {
      await run(TOUCHED_BEFORE);
      for (const { sql, isOfWorkspace } of STEPS) {
        options.signal?.throwIfAborted();
        await run(sql, isOfWorkspace ? [workspace] : []);
      }
      await run(TOUCHED_AFTER, [workspace]);
      const unused = await indexSharedEntries(run, workspace, options);
      // Vectors may have come for a text that was just taken out: a whole sync looks at every one.
      const hashes = options.tables === undefined ? undefined : unused;
      await dropUnusedVectors(run, workspace, {
        hasPgvector: options.hasPgvector,
        ...(hashes && { hashes }),
      });
      await run('UPDATE candor.search_workspaces SET generation = generation + 1 WHERE key = $1', [
        workspace,
      ]);
    }
    options.signal?.throwIfAborted();
    return { added, changed, removed, kept: staged - added - changed };
  });
}

async function stage(run: RunSql, { kinds, documents, signal }: SyncOptions): Promise<number> {
  await run('CREATE TEMP TABLE staged_contents (hash text PRIMARY KEY, title text, body text)');
  await run(
    'CREATE TEMP TABLE staged (kind text, id text COLLATE "C", hash text, tables text, PRIMARY KEY (kind, id))',
  );
  let count = 0;
  const put = async (batch: readonly PreparedDocument[]): Promise<void> => {
    const contents = [...new Map(batch.map(({ content }) => [content.hash, content])).values()];
    await run(
      `INSERT INTO pg_temp.staged_contents SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
       ON CONFLICT DO NOTHING`,
      [
        contents.map(({ hash }) => hash),
        contents.map(({ title }) => title),
        contents.map(({ body }) => body),
      ],
    );
    const put = await run(
      `INSERT INTO pg_temp.staged SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
       ON CONFLICT DO NOTHING RETURNING kind, id`,
      [
        batch.map(({ kind }) => kind),
        batch.map(({ id }) => id),
        batch.map(({ content }) => content.hash),
        batch.map(({ tables }) => tables),
      ],
    );
    if (put.length < batch.length) throw twiceGiven(...firstTwice(batch, put));
    count += batch.length;
  };
  let batch: PreparedDocument[] = [];
  for await (const document of documents) {
    batch.push(prepareDocument(document, kinds));
    if (batch.length < DOCUMENTS_AT_ONCE) continue;
    await put(batch);
    batch = [];
    signal?.throwIfAborted();
  }
  await put(batch);
  await run('ANALYZE pg_temp.staged');
  return count;
}

/** The first of the batch that was not put in, or is in it twice. */
function firstTwice(
  batch: readonly PreparedDocument[],
  put: readonly Readonly<Record<string, unknown>>[],
): [kind: string, id: string] {
  const left = new Set(put.map(({ kind, id }) => `${kind} ${id}`));
  const twice = batch.find(({ kind, id }) => !left.delete(`${kind} ${id}`));
  return [twice?.kind ?? '', twice?.id ?? ''];
}

async function compare(
  run: RunSql,
  workspace: number,
  { kinds, tables }: SyncOptions,
): Promise<{ readonly added: number; readonly changed: number; readonly removed: number }> {
  await run(
    'CREATE TEMP TABLE differing (kind text, id text COLLATE "C", hash text, tables text, key bigint)',
  );
  await run('CREATE TEMP TABLE gone (key bigint)');
  await run(
    `INSERT INTO pg_temp.differing SELECT s.kind, s.id, s.hash, s.tables, d.key FROM pg_temp.staged s
     LEFT JOIN candor.search_documents d ON d.workspace = $1 AND d.kind = s.kind AND d.id = s.id
     LEFT JOIN candor.search_contents c ON c.key = d.content
     WHERE d.key IS NULL OR c.hash <> s.hash OR d.tables <> s.tables`,
    [workspace],
  );
  await run(
    `INSERT INTO pg_temp.gone SELECT d.key FROM candor.search_documents d
     WHERE d.workspace = $1 AND d.kind = ANY($2) AND NOT EXISTS (
       SELECT 1 FROM pg_temp.staged s WHERE s.kind = d.kind AND s.id = d.id)
     ${tables === undefined ? '' : OF_TABLES}`,
    [workspace, kinds, ...(tables === undefined ? [] : [tables])],
  );
  const [counts] = await run(
    `SELECT (SELECT count(*) FROM pg_temp.differing WHERE key IS NULL) AS added,
       (SELECT count(*) FROM pg_temp.differing WHERE key IS NOT NULL) AS changed,
       (SELECT count(*) FROM pg_temp.gone) AS removed`,
  );
  return {
    added: Number(counts?.added),
    changed: Number(counts?.changed),
    removed: Number(counts?.removed),
  };
}

const OF_TABLES = `AND d.key IN (
  SELECT p.document FROM candor.search_placements p WHERE p.workspace = $1 AND p.table_id = ANY($3::text[]))`;

/** Contents, by kind, that documents leave and those that they get: all that indexing has to look at. */
const TOUCHED_BEFORE = `
  CREATE TEMP TABLE touched AS SELECT DISTINCT d.kind, d.content FROM candor.search_documents d
  WHERE d.key IN (SELECT key FROM pg_temp.gone UNION ALL SELECT key FROM pg_temp.differing WHERE key IS NOT NULL)`;
const TOUCHED_AFTER = `
  INSERT INTO pg_temp.touched SELECT DISTINCT s.kind, c.key FROM pg_temp.differing s
  JOIN candor.search_contents c ON c.workspace = $1 AND c.hash = s.hash`;

/** From what differs to the documents, in this order; `$1` is the workspace. */
const STEPS: readonly { readonly sql: string; readonly isOfWorkspace: boolean }[] = [
  {
    sql: `DELETE FROM candor.search_placements WHERE document IN
      (SELECT key FROM pg_temp.gone UNION ALL SELECT key FROM pg_temp.differing WHERE key IS NOT NULL)`,
    isOfWorkspace: false,
  },
  {
    sql: 'DELETE FROM candor.search_documents WHERE key IN (SELECT key FROM pg_temp.gone)',
    isOfWorkspace: false,
  },
  {
    sql: `INSERT INTO candor.search_contents (workspace, hash, title, body)
      SELECT $1, hash, title, body FROM pg_temp.staged_contents
      WHERE hash IN (SELECT hash FROM pg_temp.differing) ON CONFLICT DO NOTHING`,
    isOfWorkspace: true,
  },
  {
    sql: `INSERT INTO candor.search_documents (workspace, kind, id, content, tables)
      SELECT $1, s.kind, s.id, c.key, s.tables FROM pg_temp.differing s
      JOIN candor.search_contents c ON c.workspace = $1 AND c.hash = s.hash
      ON CONFLICT (workspace, kind, id) DO UPDATE SET content = excluded.content, tables = excluded.tables`,
    isOfWorkspace: true,
  },
  {
    sql: `INSERT INTO candor.search_placements (workspace, table_id, kind, content, document)
      SELECT $1, coalesce(j.id, ''), d.kind, d.content, d.key FROM pg_temp.differing s
      JOIN candor.search_documents d ON d.workspace = $1 AND d.kind = s.kind AND d.id = s.id
      LEFT JOIN LATERAL jsonb_array_elements_text(s.tables::jsonb) AS j (id) ON true`,
    isOfWorkspace: true,
  },
];
