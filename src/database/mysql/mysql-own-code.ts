import type { OwnCode, OwnThing } from '../../sql/index.ts';
import type { ReadCatalogRows } from './mysql-connection.ts';

/** Bare names mean functions of the connected database alone; those that this account may not run are not shown. */
const STORED = `
  SELECT LOWER(ROUTINE_NAME) FROM information_schema.ROUTINES
  WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_TYPE <> 'PROCEDURE'`;

/** Functions of libraries that the server loads: every database has them. */
const LOADED = 'SELECT LOWER(name) FROM mysql.func';

/**
 * Functions that a bare name may mean though the engine has none of that name, or has one that a space before the
 * bracket hides: `COUNT (x)` is a stored function where there is one.
 */
export async function readMysqlOwnCode(read: ReadCatalogRows): Promise<OwnCode> {
  const found: OwnThing[] = [];
  const add = (sql: string): Promise<void> =>
    read(sql, ([name]) => {
      found.push({ kind: 'function', name: String(name) });
    });
  await add(STORED);
  try {
    await add(LOADED);
  } catch (error) {
    // Only an administrator loads a library, and most accounts may not see which: that is said in the guide.
    if (!isNoRight(error)) throw error;
  }
  return found;
}

/** The server's own numbers: no right to the table, to its database, to its column. */
const NO_RIGHT: ReadonlySet<unknown> = new Set([1142, 1044, 1143]);

function isNoRight(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && NO_RIGHT.has(error.errno);
}
