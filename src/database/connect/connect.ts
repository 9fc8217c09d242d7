/** From a URL or a path to a `Database`. */
import { open, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CandorError } from '../../errors.ts';
import { EmbeddedDatabase } from '../embedded/embedded-database.ts';
import type { EmbeddedSettings } from '../embedded/engine/embedded-settings.ts';
import { ENGINE_TRAITS, type EngineName } from '../embedded/engine/engine.ts';
import type { Database } from '../interface/database.ts';
import { readScope, type ScopeReader, type TableScope, withinScope } from '../interface/table-scope.ts';

const HEADER_BYTES = 32;
const ENGINE_NAMES: readonly EngineName[] = ['sqlite', 'duckdb'];

type OpenServer = (url: string, baseDirectory: string | undefined, tables: ScopeReader) => Promise<Database>;

/** Engines on servers, by the scheme of their URLs: each is imported when a URL asks for it. */
const SERVERS: ReadonlyMap<string, () => Promise<OpenServer>> = new Map([
  ['postgres', loadPostgres],
  ['postgresql', loadPostgres],
  ['mysql', loadMysql],
  ['mariadb', loadMysql],
  ['trino', async () => (await import('../trino/open-trino.ts')).openTrino],
  ['snowflake', async () => (await import('../snowflake/open-snowflake.ts')).openSnowflake],
  ['bigquery', async () => (await import('../bigquery/open-bigquery.ts')).openBigquery],
]);

export interface ConnectOptions {
  /** Folder that relative paths start from; the current one if absent. */
  readonly baseDirectory?: string;
  /** The part of the database to read; absent: all. */
  readonly tables?: TableScope;
  /** For SQLite and DuckDB; absent: by the machine. */
  readonly embedded?: EmbeddedSettings;
}

/**
 * Opens a database for reading: `connect('sqlite:shop.db')`, `connect('postgres://reader:secret@host/shop')` or a
 * bare path. A server is reached and the user logged in here; a file's kind is checked, and a lock or damage inside
 * shows at the first query.
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Database> {
  const scope = readScope(options.tables);
  return withinScope(await openWhole(url, scope, options), scope);
}

async function openWhole(
  url: string,
  scope: ScopeReader,
  { baseDirectory, embedded }: ConnectOptions,
): Promise<Database> {
  const loadServer = SERVERS.get(schemeOf(url.trim()));
  if (loadServer !== undefined) return (await loadServer())(url.trim(), baseDirectory, scope);
  const { engine: named, path: written } = splitUrl(url.trim());
  const path = resolve(baseDirectory ?? '.', written);
  const header = await readHeader(path);
  const found = ENGINE_NAMES.find((engine) => hasSignature(header, engine));
  if (found === undefined) {
    const wanted = named ?? engineOfEnding(path);
    const title = wanted === undefined ? 'SQLite or DuckDB' : ENGINE_TRAITS[wanted].title;
    throw new CandorError('database.not-a-database', `this file is not a ${title} database: ${path}`);
  }
  if (named !== undefined && named !== found) {
    throw new CandorError(
      'database.not-a-database',
      `this file is a ${ENGINE_TRAITS[found].title} database, not ${ENGINE_TRAITS[named].title}: ${path}; write ${found}:${written}`,
    );
  }
  return new EmbeddedDatabase(found, path, embedded);
}

async function loadPostgres(): Promise<OpenServer> {
  return (await import('../postgres/open-postgres.ts')).openPostgres;
}

async function loadMysql(): Promise<OpenServer> {
  return (await import('../mysql/open-mysql.ts')).openMysql;
}

function schemeOf(url: string): string {
  return (/^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0] ?? '').toLowerCase();
}

function splitUrl(url: string): { engine: EngineName | undefined; path: string } {
  if (url === '') throw new CandorError('database.unknown-engine', 'the database URL is empty');
  if (url.startsWith('file://')) return { engine: undefined, path: fileURLToPath(url) };
  // A single letter is a Windows drive, not a scheme.
  const match = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(url);
  if (match === null) return { engine: undefined, path: url };
  const scheme = (match[1] ?? '').toLowerCase();
  const engine = ENGINE_NAMES.find((name) => name === scheme);
  if (engine === undefined) {
    // Only the scheme is shown: the rest of a URL may hold a password.
    throw new CandorError('database.unknown-engine', `no engine is known for ${scheme}: URLs`);
  }
  const path = (match[2] ?? '').replace(/^\/\/(?=\/|[^/])/, '');
  if (path === '') throw new CandorError('database.not-found', `the URL ${engine}: names no file`);
  return { engine, path };
}

async function readHeader(path: string): Promise<Buffer> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) {
      throw new CandorError('database.not-a-database', `this is a folder, not a database file: ${path}`);
    }
    if (info.size === 0) {
      throw new CandorError('database.not-a-database', `the file is empty (0 bytes): ${path}`);
    }
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw translateFileError(error, path);
  }
}

function translateFileError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new CandorError('database.not-found', `there is no file ${path}`, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new CandorError('database.not-found', `the file may not be read: ${path}`, { cause: error });
  }
  return error;
}

function hasSignature(header: Buffer, engine: EngineName): boolean {
  const { text, offset } = ENGINE_TRAITS[engine].signature;
  return header.subarray(offset, offset + text.length).toString('latin1') === text;
}

function engineOfEnding(path: string): EngineName | undefined {
  const ending = extname(path).toLowerCase();
  return ENGINE_NAMES.find((engine) => ENGINE_TRAITS[engine].fileEndings.includes(ending));
}
