import { BigqueryDatabase } from './bigquery-database.ts';
import { readBigqueryUrl } from './bigquery-target.ts';

/**
 * Connects to BigQuery: `openBigquery('bigquery://acme/shop?credentials=key.json')`. Files that the URL names
 * are relative to `baseDirectory`. Throws `database.invalid-url`, `.unreachable`, `.access-denied` or `.tls-failed`.
 */
export async function openBigquery(url: string, baseDirectory?: string): Promise<BigqueryDatabase> {
  const database = new BigqueryDatabase(readBigqueryUrl(url, baseDirectory));
  try {
    // Planned, not run: enough to be let in, and free of charge.
    await database.explain('SELECT 1');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
