import { loadDriver } from '../../database/index.ts';

/** Runs statements one after the other on a server; each may hold several. Throws what the server says. */
export async function runOnPostgres(url: string, statements: readonly string[]): Promise<void> {
  const { default: pg } = await loadDriver('PostgreSQL', 'npm install pg', () => import('pg'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
