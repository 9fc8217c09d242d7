import { loadDriver, ServerDatabase } from '../server/server-database.ts';
import { readPostgresConfig } from './postgres-config.ts';
import { openPostgresSession } from './postgres-session.ts';

/**
 * Connects to PostgreSQL (11 or newer): `openPostgres('postgres://reader:secret@localhost/shop?sslmode=verify-full')`.
 * Relative paths of certificates start from `baseDirectory`. Throws `database.driver-missing`, `database.invalid-url`,
 * `database.unreachable`, `database.access-denied`, `database.not-found` or `database.tls-failed`.
 */
export async function openPostgres(url: string, baseDirectory = '.'): Promise<ServerDatabase> {
  const config = readPostgresConfig(url, baseDirectory);
  const driver = await loadDriver('PostgreSQL', 'npm install pg@8.23.1 pg-cursor@2.22.0', async () => {
    const [{ default: pg }, { default: Cursor }] = await Promise.all([import('pg'), import('pg-cursor')]);
    return { Client: pg.Client, Cursor };
  });
  const database = new ServerDatabase({
    dialect: 'postgres',
    name: config.database,
    url: config.url.shown,
    title: `PostgreSQL database ${config.database} at ${config.url.host}:${config.url.port}`,
    poolSize: config.poolSize,
    openSession: () => openPostgresSession(driver, config),
  });
  try {
    await database.open();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
