import type { ScopeReader } from '../scope/table-scope.ts';
import { SnowflakeDatabase } from './snowflake-database.ts';
import { readSnowflakeUrl } from './snowflake-target.ts';

/**
 * Connects to Snowflake: `openSnowflake('snowflake://reader@acme-main/shop/public?private_key_file=key.p8')`. Files that the URL names
 * are relative to `baseDirectory`. Throws `database.invalid-url`, `.unreachable`, `.access-denied` or `.tls-failed`.
 */
export async function openSnowflake(
  url: string,
  baseDirectory?: string,
  tables?: ScopeReader,
): Promise<SnowflakeDatabase> {
  const database = new SnowflakeDatabase(readSnowflakeUrl(url, baseDirectory), { tables });
  try {
    // Planned, not run: enough to be let in, and free of charge.
    await database.explain('SELECT 1');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
