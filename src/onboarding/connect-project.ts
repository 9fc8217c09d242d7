import type { Config } from '../config/index.ts';
import { connect, type Database, tracedDatabase } from '../database/index.ts';
import { CandorError } from '../errors.ts';

/** Engines that hold a query to the bytes it may read, see `limits.scanBytes`. */
const HOLDS_SCAN_BYTES: ReadonlySet<Database['dialect']> = new Set(['trino', 'bigquery']);

/**
 * Opens the database of a project, in its scope. Throws what `connect` throws, and `config.invalid` where the project asks
 * for something that its engine cannot hold.
 */
export async function connectProject(config: Config): Promise<Database> {
  const { databaseUrl, root, tables, limits, impersonate, embedded, traceContent } = config;
  const database = await connect(databaseUrl, { baseDirectory: root, tables, embedded });
  const missing = [
    ...(limits.scanBytes !== undefined && !HOLDS_SCAN_BYTES.has(database.dialect)
      ? ['limits.scanBytes: this engine cannot hold a query to the bytes it reads']
      : []),
    ...(impersonate && database.as === undefined
      ? ['impersonate: this engine cannot run queries as somebody else']
      : []),
  ];
  if (missing.length === 0) return tracedDatabase(database, { hasContent: traceContent });
  await database.close();
  throw new CandorError('config.invalid', `candor.yml: ${missing.join('; ')} (${database.dialect}).`);
}
