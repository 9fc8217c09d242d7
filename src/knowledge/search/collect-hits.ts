/** From ranked contents to the documents that have them. */
import { compareText } from '../../lib/index.ts';
import type { StateFile } from '../../store/index.ts';
import { readTableIds } from './search-content.ts';
import { isInScope, type SearchScope } from './search-scope.ts';
import type { DocumentKind, SearchHit, SearchQuery } from './search-store.ts';

export interface RankedContent {
  readonly content: number;
  readonly score: number;
}

export interface CollectOptions {
  readonly kind: DocumentKind;
  readonly query: SearchQuery;
  readonly scope: SearchScope | undefined;
}

/** Up to here the tables of a scope are looked up one by one; of a larger one most documents are in it. */
const SMALL_SCOPE = 64;

/** The documents of contents that come best first, until there are enough and the next content is worse. */
export function collectHits(
  file: StateFile,
  ranked: Iterable<RankedContent>,
  options: CollectOptions,
): SearchHit[] {
  const { limit } = options.query;
  const hits: SearchHit[] = [];
  for (const { content, score } of ranked) {
    const last = hits.at(-1);
    if (last !== undefined && hits.length >= limit && score < last.score) break;
    for (const document of readDocuments(file, content, options)) hits.push({ ...document, score });
  }
  return bestHits(hits, limit);
}

/** The best hits, ties by id. */
export function bestHits(hits: readonly SearchHit[], limit: number): SearchHit[] {
  return [...hits]
    .sort((a, b) => b.score - a.score || compareText(a.id, b.id) || compareText(a.kind, b.kind))
    .slice(0, limit);
}

/** Documents of one content in the order of their ids, as many as one hit list may have. */
function readDocuments(
  file: StateFile,
  content: number,
  { kind, query, scope }: CollectOptions,
): Omit<SearchHit, 'score'>[] {
  const most = Math.min(query.limit, query.perContent ?? query.limit);
  const toDocument = (row: Record<string, unknown>) => ({
    kind,
    id: String(row.id),
    tableIds: readTableIds(String(row.tables)),
  });
  if (scope !== undefined && scope.tableKeys.length <= SMALL_SCOPE) {
    return file
      .statement(
        `SELECT DISTINCT d.id AS id, d.tables AS tables FROM placements AS p JOIN documents AS d ON d.key = p.document
         WHERE p.table_key IN (SELECT value FROM json_each(?)) AND p.kind = ? AND p.content = ?
         ORDER BY d.id LIMIT ?`,
      )
      .all(JSON.stringify(scope.tableKeys), kind, content, most)
      .map(toDocument);
  }
  const sql = 'SELECT id, tables FROM documents WHERE kind = ? AND content = ? ORDER BY id';
  if (scope === undefined) return file.statement(`${sql} LIMIT ?`).all(kind, content, most).map(toDocument);
  const found: Omit<SearchHit, 'score'>[] = [];
  for (const row of file.statement(sql).iterate(kind, content)) {
    const document = toDocument(row);
    if (isInScope(document.tableIds, scope.tableIds)) found.push(document);
    if (found.length === most) break;
  }
  return found;
}

/** No list is longer: limits come from settings, and a wrong one must not read a whole store into memory. */
const MOST_HITS = 100_000;

/** The query with limits that are whole numbers a database takes; `undefined` when it asks for nothing. */
export function boundQuery(query: SearchQuery): SearchQuery | undefined {
  const limit = boundLimit(query.limit);
  const perContent = query.perContent === undefined ? limit : boundLimit(query.perContent);
  if (limit === 0 || perContent === 0 || query.kinds.length === 0) return undefined;
  return { ...query, limit, perContent };
}

/** From 0 to the most hits; what is no number is 0. */
export function boundLimit(limit: number): number {
  return Number.isNaN(limit) ? 0 : Math.trunc(Math.min(MOST_HITS, Math.max(0, limit)));
}
