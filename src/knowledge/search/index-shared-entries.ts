import type { RunSql, SharedRow } from '../../store/index.ts';
import { nameTrigrams } from './name-trigrams.ts';
import { TITLE_WEIGHT } from './rank-weights.ts';
import type { DocumentKind } from './search-store.ts';
import { indexTerms } from './search-terms.ts';

const CONTENTS_AT_ONCE = 500;

/**
 * The counterpart of `indexEntries` for a workspace of the shared store: looks at `touched`. Returns the
 * hashes of texts that nothing has any more. Within a transaction.
 */
export async function indexSharedEntries(
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
