/** Puts the databases of defog into a PostgreSQL server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadDriver } from '../../database/index.ts';
import { requirePath } from './suite-places.ts';

/**
 * Makes each database anew on the server, as `candor_defog_<name>`, and returns their URLs by name: rows that are
 * dated from today are then of this run. The account of the URL must be allowed to create databases.
 */
export async function loadDefog(
  names: readonly string[],
  { folder, serverUrl }: { readonly folder: string; readonly serverUrl: string },
): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const name of names) {
    const path = join(folder, 'databases', name, `${name}.sql`);
    const statements = await readFile(await requirePath(path, `The defog database ${name}`), 'utf8');
    const database = `candor_defog_${name}`;
    await runStatements(serverUrl, [
      `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`,
      `CREATE DATABASE "${database}"`,
    ]);
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    await runStatements(url.href, [statements]);
    urls.set(name, url.href);
  }
  return urls;
}

async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const { default: pg } = await loadDriver('PostgreSQL', 'npm install pg', () => import('pg'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
