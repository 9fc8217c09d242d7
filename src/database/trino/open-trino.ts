import type { ScopeReader } from '../interface/table-scope.ts';
import { TrinoDatabase } from './trino-database.ts';
import { readTrinoUrl } from './trino-target.ts';

/**
 * Connects to Trino (350 or newer): `openTrino('trino://analyst@trino.example.com/hive/sales')`. Files that the URL names
 * are relative to `baseDirectory`. Throws `database.invalid-url`, `.unreachable`, `.access-denied`,
 * `.not-found` or `.tls-failed`.
 */
export async function openTrino(
  url: string,
  baseDirectory?: string,
  tables?: ScopeReader,
): Promise<TrinoDatabase> {
  const database = new TrinoDatabase(readTrinoUrl(url, baseDirectory), { tables });
  try {
    await database.open();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
