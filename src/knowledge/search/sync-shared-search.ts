/** Brings the documents of a workspace up to date: staged aside first, then changed in one transaction. */
import { inTransaction, type RunSql, type SharedRow } from '../../store/index.ts';
import { dropUnusedVectors } from './read-shared-search.ts';
import { type PreparedDocument, prepareDocument, twiceGiven } from './search-content.ts';
import type { DocumentKind, SyncCounts, SyncOptions } from './search-store.ts';
import { indexTerms, nameTrigrams, TITLE_WEIGHT } from './search-terms.ts';

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

const CONTENTS_AT_ONCE = 500;

/**
 * The counterpart of `indexEntries` for a workspace of the shared store: looks at `touched`. Returns the
 * hashes of texts that nothing has any more. Within a transaction.
 */
async function indexSharedEntries(
  run: RunSql,
  workspace: number,
  { kinds, signal }: { readonly kinds: readonly DocumentKind[]; readonly signal: AbortSignal | undefined },
): Promise<readonly string[]> {
  for (const kind of new Set(kinds)) {
    const left = await takeOut(run, workspace, kind);
    const come = { entries: 0, tokens: 0 };
    for (;;) {
      signal?.throwIfAborted();
      const rows = await run(
        `SELECT c.key, c.title, c.body FROM candor.search_contents c WHERE c.workspace = $1
           AND c.key IN (SELECT content FROM pg_temp.touched WHERE kind = $2)
           AND EXISTS (SELECT 1 FROM candor.search_documents d
             WHERE d.workspace = $1 AND d.kind = $2 AND d.content = c.key)
           AND NOT EXISTS (SELECT 1 FROM candor.search_entries e
             WHERE e.workspace = $1 AND e.kind = $2 AND e.content = c.key)
         ORDER BY c.key LIMIT ${CONTENTS_AT_ONCE}`,
        [workspace, kind],
      );
      if (rows.length === 0) break;
      const put = await putIn(run, rows, { workspace, kind });
      come.entries += put.entries;
      come.tokens += put.tokens;
    }
    await run(
      `INSERT INTO candor.search_kinds AS k (workspace, kind, entries, tokens) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace, kind) DO UPDATE
       SET entries = k.entries + excluded.entries, tokens = k.tokens + excluded.tokens`,
      [workspace, kind, come.entries - left.entries, come.tokens - left.tokens],
    );
  }
  const unused = await run(
    `DELETE FROM candor.search_contents c WHERE c.workspace = $1
       AND c.key IN (SELECT content FROM pg_temp.touched) AND NOT EXISTS (SELECT 1 FROM candor.search_entries e WHERE e.content = c.key)
     RETURNING c.hash`,
    [workspace],
  );
  return unused.map(({ hash }) => String(hash));
}

/** Entries of a kind and their tokens, which its average length is made of. */
interface EntryCounts {
  readonly entries: number;
  readonly tokens: number;
}

async function takeOut(run: RunSql, workspace: number, kind: DocumentKind): Promise<EntryCounts> {
  const left = await run(
    `DELETE FROM candor.search_entries e USING candor.search_contents c
     WHERE e.workspace = $1 AND e.kind = $2 AND c.key = e.content
       AND e.content IN (SELECT content FROM pg_temp.touched WHERE kind = $2) AND NOT EXISTS (
       SELECT 1 FROM candor.search_documents d
       WHERE d.workspace = $1 AND d.kind = $2 AND d.content = e.content)
     RETURNING e.content, c.tokens`,
    [workspace, kind],
  );
  const contents = left.map(({ content }) => content);
  for (const table of ['words', 'trigrams'])
    await run(`DELETE FROM candor.search_${table} WHERE content = ANY($2::bigint[]) AND kind = $1`, [
      kind,
      contents,
    ]);
  return { entries: left.length, tokens: left.reduce((sum, { tokens }) => sum + Number(tokens), 0) };
}

async function putIn(
  run: RunSql,
  rows: readonly SharedRow[],
  { workspace, kind }: { readonly workspace: number; readonly kind: DocumentKind },
): Promise<EntryCounts> {
  const entries = rows.map(({ key, title, body }) => toEntry(key, String(title), String(body)));
  const of = [workspace, kind];
  await run(
    `INSERT INTO candor.search_entries
     SELECT $1, $2, r.content, r.trigrams FROM unnest($3::bigint[], $4::int[]) AS r (content, trigrams)`,
    [...of, entries.map(({ key }) => key), entries.map(({ trigrams }) => trigrams.length)],
  );
  await run(
    `UPDATE candor.search_contents c SET tokens = r.tokens
     FROM unnest($1::bigint[], $2::int[]) AS r (content, tokens) WHERE c.key = r.content`,
    [entries.map(({ key }) => key), entries.map(({ tokens }) => tokens)],
  );
  const words = entries.flatMap(({ key, weights }) =>
    [...weights].map(([term, weight]) => ({ key, term, weight })),
  );
  await run(
    `INSERT INTO candor.search_words
     SELECT $1, $2, r.term, r.content, r.weight
     FROM unnest($3::text[], $4::bigint[], $5::int[]) AS r (term, content, weight)`,
    [...of, words.map(({ term }) => term), words.map(({ key }) => key), words.map(({ weight }) => weight)],
  );
  const names = entries.flatMap(({ key, trigrams }) => trigrams.map((trigram) => ({ key, trigram })));
  await run(
    `INSERT INTO candor.search_trigrams
     SELECT $1, $2, r.trigram, r.content FROM unnest($3::text[], $4::bigint[]) AS r (trigram, content)`,
    [...of, names.map(({ trigram }) => trigram), names.map(({ key }) => key)],
  );
  return { entries: entries.length, tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0) };
}

interface Entry {
  readonly key: unknown;
  readonly trigrams: readonly string[];
  readonly tokens: number;
  /** How often each term stands there, in the title counted more. */
  readonly weights: ReadonlyMap<string, number>;
}

function toEntry(key: unknown, title: string, body: string): Entry {
  const inTitle = indexTerms(title);
  const inBody = indexTerms(body);
  const weights = new Map<string, number>();
  const count = (term: string, weight: number): void => {
    weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  for (const term of inTitle) count(term, TITLE_WEIGHT);
  for (const term of inBody) count(term, 1);
  return { key, trigrams: nameTrigrams(title), tokens: inTitle.length + inBody.length, weights };
}
