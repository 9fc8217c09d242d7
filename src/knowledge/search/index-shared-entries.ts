import type { RunSql, SharedRow } from '../../store/index.ts';
import { nameTrigrams } from './name-trigrams.ts';
import { TITLE_WEIGHT } from './rank-weights.ts';
import type { DocumentKind } from './search-store.ts';
import { indexTerms } from './search-terms.ts';

const CONTENTS_AT_ONCE = 500;

/** The counterpart of `indexEntries` for a workspace of the shared store. Within a transaction. */
export async function indexSharedEntries(
  run: RunSql,
  workspace: number,
  { kinds, signal }: { readonly kinds: readonly DocumentKind[]; readonly signal: AbortSignal | undefined },
): Promise<void> {
  for (const kind of new Set(kinds)) {
    await takeOut(run, workspace, kind);
    for (;;) {
      signal?.throwIfAborted();
      const rows = await run(
        `SELECT c.key, c.title, c.body FROM candor.search_contents c WHERE c.workspace = $1
           AND EXISTS (SELECT 1 FROM candor.search_documents d
             WHERE d.workspace = $1 AND d.kind = $2 AND d.content = c.key)
           AND NOT EXISTS (SELECT 1 FROM candor.search_entries e
             WHERE e.workspace = $1 AND e.kind = $2 AND e.content = c.key)
         ORDER BY c.key LIMIT ${CONTENTS_AT_ONCE}`,
        [workspace, kind],
      );
      if (rows.length === 0) break;
      await putIn(run, rows, { workspace, kind });
    }
    await run(
      `INSERT INTO candor.search_kinds (workspace, kind, entries, tokens)
       SELECT $1, $2, count(*), coalesce(sum(c.tokens), 0) FROM candor.search_entries e
       JOIN candor.search_contents c ON c.key = e.content WHERE e.workspace = $1 AND e.kind = $2
       ON CONFLICT (workspace, kind) DO UPDATE SET entries = excluded.entries, tokens = excluded.tokens`,
      [workspace, kind],
    );
  }
  await run(
    `DELETE FROM candor.search_contents c WHERE c.workspace = $1
       AND NOT EXISTS (SELECT 1 FROM candor.search_entries e WHERE e.content = c.key)`,
    [workspace],
  );
}

async function takeOut(run: RunSql, workspace: number, kind: DocumentKind): Promise<void> {
  const left = await run(
    `DELETE FROM candor.search_entries e WHERE e.workspace = $1 AND e.kind = $2 AND NOT EXISTS (
       SELECT 1 FROM candor.search_documents d
       WHERE d.workspace = $1 AND d.kind = $2 AND d.content = e.content)
     RETURNING e.content`,
    [workspace, kind],
  );
  const contents = left.map(({ content }) => content);
  for (const table of ['words', 'trigrams'])
    await run(`DELETE FROM candor.search_${table} WHERE content = ANY($2::bigint[]) AND kind = $1`, [
      kind,
      contents,
    ]);
}

async function putIn(
  run: RunSql,
  rows: readonly SharedRow[],
  { workspace, kind }: { readonly workspace: number; readonly kind: DocumentKind },
): Promise<void> {
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
