/** The contents of a search file that match a text, best first. */
import type { StateFile } from '../../store/index.ts';
import type { RankedContent } from './collect-hits.ts';
import { LEAST_SIMILARITY, nameTrigrams } from './name-trigrams.ts';
import { TITLE_WEIGHT } from './rank-weights.ts';
import type { DocumentKind } from './search-store.ts';
import { queryTerms } from './search-terms.ts';

/** Contents of which any word is in the text, by BM25 as FTS5 defines it. */
export function* rankWords(file: StateFile, kind: DocumentKind, text: string): Generator<RankedContent> {
  // Terms are letters and digits only: none of them is an operator of FTS5.
  const match = queryTerms(text).map((term) => `"${term}"`);
  if (match.length === 0) return;
  const words = `words_${kind}`;
  const rows = file
    .statement(
      `SELECT rowid AS content, -bm25(${words}, ${TITLE_WEIGHT}.0, 1.0) AS score
       FROM ${words} WHERE ${words} MATCH ? ORDER BY score DESC, rowid`,
    )
    .iterate(match.join(' OR '));
  for (const row of rows) yield toRanked(row);
}

/** Contents whose title shares trigrams with the text: common ones over all different ones. */
export function* rankNames(file: StateFile, kind: DocumentKind, text: string): Generator<RankedContent> {
  const trigrams = nameTrigrams(text);
  if (trigrams.length === 0) return;
  const rows = file
    .statement(
      `SELECT s.content AS content, s.shared * 1.0 / (?1 + e.trigrams - s.shared) AS score
       FROM (
         SELECT content, COUNT(*) AS shared FROM name_trigrams
         WHERE kind = ?2 AND trigram IN (SELECT value FROM json_each(?3)) GROUP BY content
         HAVING COUNT(*) >= ?1 * ?4
       ) AS s JOIN entries AS e ON e.kind = ?2 AND e.content = s.content
       WHERE s.shared >= (?1 + e.trigrams - s.shared) * ?4 ORDER BY score DESC, s.content`,
    )
    .iterate(trigrams.length, kind, JSON.stringify(trigrams), LEAST_SIMILARITY);
  for (const row of rows) yield toRanked(row);
}

function toRanked(row: Record<string, unknown>): RankedContent {
  return { content: Number(row.content), score: Number(row.score) };
}
