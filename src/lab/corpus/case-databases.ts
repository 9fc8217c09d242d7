/** The databases that cases name, and where each comes from. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { loadSqliteDriver } from '../../database/embedded/index.ts';
import { CandorError } from '../../errors.ts';
import { findSpiderDatabases } from './read-spider.ts';
import { requirePath, resolvePlaces, type SuitePlaces } from './suite-places.ts';

export interface CaseDatabase {
  readonly name: string;
  readonly url: string;
  /** Where what is derived from it is kept; absent: in the cache. */
  readonly derivedDirectory?: string;
  /** Project folder whose semantic model, notes and verified pairs may be used. */
  readonly project?: string;
  /** The day that "today" means, YYYY-MM-DD. */
  readonly now: string;
}

/** Nearly all rows are older: "last year" is before it. */
const NOW = '2025-10-01';

const OWN_FILE = /\.(?:sqlite3?|db|duckdb)$/;

/** How a case names its database: never a path. */
export const DATABASE_NAME = z.string().regex(/^\w[\w.-]*$/);

/**
 * The database of a name: `northwind`, `ferrum`, one of Spider, or a file beside that of the cases (`shop.sqlite`). Throws
 * `eval.data-missing` with the place where its data was expected.
 */
export async function findCaseDatabase(
  name: string,
  { file, signal, ...places }: SuitePlaces & { readonly file: string; readonly signal?: AbortSignal },
): Promise<CaseDatabase> {
  const { dataDirectory, cacheDirectory } = resolvePlaces(places);
  if (name === 'northwind') {
    const path = await makeNorthwind({ dataDirectory, cacheDirectory });
    return { name, url: `sqlite:${path}`, now: NOW };
  }
  if (name === 'ferrum') {
    const folder = await requirePath(join(dataDirectory, 'ferrum'), 'The ferrum set');
    const path = await makeFerrum(folder, cacheDirectory, signal);
    return { name, url: `sqlite:${path}`, project: join(folder, 'project'), now: NOW };
  }
  if (OWN_FILE.test(name)) {
    const path = await requirePath(resolve(dirname(file), name), `The database ${name}`);
    return {
      name,
      url: `${name.endsWith('.duckdb') ? 'duckdb' : 'sqlite'}:${path}`,
      derivedDirectory: join(dirname(file), '.candor', name),
      now: NOW,
    };
  }
  const spider = join(dataDirectory, 'spider');
  const path = (await findSpiderDatabases(new Set([name]), spider)).get(name);
  if (path !== undefined) return { name, url: `sqlite:${path}`, now: NOW };
  const place = join(spider, 'database', name, `${name}.sqlite`);
  throw new CandorError('eval.data-missing', `The database ${name} is missing; it is expected at ${place}`, {
    data: { path: place },
  });
}

// Northwind from the dump of the benchmark data.

interface Folders {
  readonly dataDirectory: string;
  readonly cacheDirectory: string;
}

/** The path of the SQLite file, made once for each version of the dump. Throws `eval.data-missing`. */
export async function makeNorthwind({ dataDirectory, cacheDirectory }: Folders): Promise<string> {
  const dump = await requirePath(
    join(dataDirectory, 'demo', 'northwind.sqlite.sql'),
    'The dump of the Northwind database',
  );
  const statements = await readFile(dump, 'utf8');
  const version = createHash('sha256').update(statements).digest('hex').slice(0, 8);
  const path = join(cacheDirectory, 'databases', `northwind-${version}.db`);
  const isMade = await access(path).then(
    () => true,
    () => false,
  );
  if (isMade) return path;
  await mkdir(join(cacheDirectory, 'databases'), { recursive: true });
  const half = `${path}.${process.pid}`;
  const { DatabaseSync } = await loadSqliteDriver();
  const database = new DatabaseSync(half);
  try {
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${statements}`);
  } finally {
    database.close();
  }
  await rename(half, path);
  return path;
}

/** The database of the freight company, made once for each version of the script that makes it. */
export async function makeFerrum(
  folder: string,
  cache: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const script = join(folder, 'make_database.py');
  const version = createHash('sha256')
    .update(await readFile(script))
    .digest('hex')
    .slice(0, 8);
  const path = join(cache, 'databases', `ferrum-${version}.db`);
  const isMade = await access(path).then(
    () => true,
    () => false,
  );
  if (isMade) return path;
  await mkdir(join(cache, 'databases'), { recursive: true });
  const half = `${path}.${process.pid}`;
  await promisify(execFile)('python3', [script, half], { signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new CandorError('eval.data-missing', `python3 could not make the ferrum database by ${script}`, {
      cause,
    });
  });
  await rename(half, path);
  return path;
}
