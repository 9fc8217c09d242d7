/** SQL that gives the contents of a workspace which match, as `content` and `score`, and the documents that have them. */
import { BM25 } from './rank-weights.ts';

/**
 * BM25 with the formula and the constants of FTS5, over postings of our own: the same scores as a search file has, which
 * `ts_rank` has not. `$1` workspace, `$2` kind, `$3` terms.
 */
export const RANKED_BY_WORDS = `
  SELECT f.content, sum(i.idf * f.weight * ${BM25.k1 + 1}
    / (f.weight + ${BM25.k1} * (${1 - BM25.b} + ${BM25.b} * c.tokens / i.average)) ORDER BY f.term) AS score
  FROM candor.search_words f
  JOIN (
    SELECT w.term, k.tokens::float8 / k.entries AS average,
      CASE WHEN k.entries > 2 * count(*) THEN ln((k.entries - count(*) + 0.5::float8) / (count(*) + 0.5::float8))
        ELSE ${BM25.leastIdf} END AS idf
    FROM candor.search_words w JOIN candor.search_kinds k ON k.workspace = $1 AND k.kind = $2
    WHERE w.workspace = $1 AND w.kind = $2 AND w.term = ANY($3::text[]) GROUP BY w.term, k.tokens, k.entries
  ) i ON i.term = f.term
  JOIN candor.search_contents c ON c.key = f.content
  WHERE f.workspace = $1 AND f.kind = $2 AND f.term = ANY($3::text[]) GROUP BY f.content`;

/** Equal trigrams over all different ones. `$1` workspace, `$2` kind, `$3` trigrams, `$4` the least score. */
export const RANKED_BY_NAMES = `
  SELECT * FROM (
    SELECT e.content, s.shared::float8 / (cardinality($3::text[]) + e.trigrams - s.shared) AS score
    FROM (
      SELECT content, count(*) AS shared FROM candor.search_trigrams
      WHERE workspace = $1 AND kind = $2 AND trigram = ANY($3::text[]) GROUP BY content
    ) s JOIN candor.search_entries e ON e.workspace = $1 AND e.kind = $2 AND e.content = s.content
  ) alike WHERE score >= $4::float8`;

/** Contents that were ranked elsewhere. `$3` contents, `$4` scores. */
export const RANKED_BEFORE =
  'SELECT content, score FROM unnest($3::bigint[], $4::float8[]) AS r (content, score)';

/** Every content of the kind that has a vector. `$3` key of the model, `$4` the vector, whose length is `dimensions`. */
export function rankedByVectors(dimensions: number): string {
  // The inner product: for vectors of unit length it is the cosine, and it knows no answer "not a number".
  return `
    SELECT c.key AS content, -(v.embedding::vector(${dimensions}) <#> $4::text::vector(${dimensions})) AS score
    FROM candor.search_embeddings v
    JOIN candor.search_contents c ON c.workspace = $1 AND c.hash = v.hash
    JOIN candor.search_entries e ON e.workspace = $1 AND e.kind = $2 AND e.content = c.key
    WHERE v.model = $3`;
}

/**
 * The documents of ranked contents, best first. Parameters after those of `ranked`, which has two of its own: `$5` the
 * contents with a document in the scope or null, `$6` the tables of the scope, `$7` documents per content, `$8` limit.
 */
export function documentsOf(ranked: string): string {
  return `
    SELECT d.id, d.tables, s.score FROM (
      SELECT content, score FROM (${ranked}) r
      WHERE $5::bigint[] IS NULL OR content = ANY($5::bigint[])
      ORDER BY score DESC FETCH FIRST ($8::int) ROWS WITH TIES
    ) s CROSS JOIN LATERAL (
      SELECT id, tables FROM candor.search_documents d
      WHERE d.workspace = $1 AND d.kind = $2 AND d.content = s.content AND ($6::text[] IS NULL OR EXISTS (
        SELECT 1 FROM candor.search_placements p
        WHERE p.document = d.key AND p.table_id = ANY($6::text[])))
      ORDER BY d.id LIMIT $7::int
    ) d
    ORDER BY s.score DESC, d.id LIMIT $8::int`;
}
