import { loadDriver, ServerDatabase } from '../server/server-database.ts';
import { readMysqlConfig } from './mysql-config.ts';
import { openMysqlSession } from './mysql-session.ts';

/**
 * Connects to MySQL (8 or newer) or MariaDB (10.6 or newer): `openMysql('mysql://reader:secret@localhost/shop')`.
 * Relative paths of certificates start from `baseDirectory`. Throws `database.driver-missing`, `database.invalid-url`,
 * `database.unreachable`, `database.access-denied`, `database.not-found` or `database.tls-failed`.
 */
export async function openMysql(url: string, baseDirectory = '.'): Promise<ServerDatabase> {
  const config = readMysqlConfig(url, baseDirectory);
  const { createConnection } = await loadDriver(
    'MySQL and MariaDB',
    'npm install mysql2@3.24.5',
    async () => {
      const { default: driver } = await import('mysql2');
      return driver;
    },
  );
  const { host, port, database: name, options, shown } = config.url;
  const database = new ServerDatabase({
    dialect: 'mysql',
    name,
    url: shown,
    title: `MySQL database ${name} at ${options.socket ?? `${host}:${port}`}`,
    poolSize: config.poolSize,
    openSession: () => openMysqlSession(createConnection, config),
  });
  try {
    await database.open();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
