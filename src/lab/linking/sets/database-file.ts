import { access } from 'node:fs/promises';

/** `{ databaseUrl }` of a SQLite file, nothing where it is not there: some databases come without rows. */
export async function databaseFile(path: string): Promise<{ readonly databaseUrl?: string }> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere ? { databaseUrl: `sqlite:${path}` } : {};
}
