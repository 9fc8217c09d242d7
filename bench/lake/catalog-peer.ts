/** The peer of `lake/catalog.ts`: one FTS5 table over the same texts, with the same words and weights. */
import { tableDocument } from '../../src/knowledge/retrieve/documents/catalog-documents.ts';
import { indexTerms, queryTerms, TITLE_WEIGHT } from '../../src/knowledge/search/search-terms.ts';
import { openStateFile, type StateFile } from '../../src/store/index.ts';
import type { Company } from './company.ts';

const TABLES_AT_ONCE = 10_000;
const SCHEMA = "CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize = 'ascii')";

export async function buildFts(path: string, company: Company): Promise<StateFile> {
  const file = await openStateFile(path, { migrations: [SCHEMA] });
  const put = file.statement('INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)');
  for (let first = 0; first < company.tables; first += TABLES_AT_ONCE)
    file.transaction(() => {
      for (let at = first; at < Math.min(first + TABLES_AT_ONCE, company.tables); at += 1) {
        const table = company.table(at, 1);
        if (table === undefined) continue;
        const { title, body } = tableDocument(table, 'lake');
        put.run(at + 1, indexTerms(title).join(' '), indexTerms(body).join(' '));
      }
    });
  return file;
}

/** The best 500, as retrieval asks for. */
export async function askFts(file: StateFile, question: string): Promise<number> {
  const match = queryTerms(question).map((term) => `"${term}"`);
  return file
    .statement(
      `SELECT rowid AS row, -bm25(words, ${TITLE_WEIGHT}.0, 1.0) AS score FROM words
       WHERE words MATCH ? ORDER BY score DESC, rowid LIMIT 500`,
    )
    .all(match.join(' OR ')).length;
}
