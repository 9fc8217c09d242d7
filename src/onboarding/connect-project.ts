import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { type FilesEvent, isFilesUrl, keepFiles } from '../database/files/index.ts';
import { connect, type Database, decorate, tracedDatabase } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import { holdLock } from '../store/index.ts';
import type { OnboardEvent } from './onboard.ts';

/** Engines that hold a query to the bytes it may read, see `limits.scanBytes`. */
const HOLDS_SCAN_BYTES: ReadonlySet<Database['dialect']> = new Set(['trino', 'bigquery']);

interface ConnectProjectOptions {
  /** Hears of files that are loaded. */
  readonly onProgress?: (event: OnboardEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the database of a project, in its scope. Throws what `connect` throws, and `config.invalid` where the project asks
 * for something that its engine cannot hold.
 */
export async function connectProject(config: Config, options: ConnectProjectOptions = {}): Promise<Database> {
  const { limits, impersonate, traceContent } = config;
  const database = isFilesUrl(config.databaseUrl)
    ? await connectFiles(config, options)
    : await connectUrl(config, config.databaseUrl);
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

function connectUrl({ root, tables, embedded }: Config, url: string): Promise<Database> {
  return connect(url, { baseDirectory: root, tables, embedded });
}

/** Files are asked as the database that the project keeps of them; one that has changed since is loaded first. */
async function connectFiles(
  config: Config,
  { onProgress = () => undefined, signal }: ConnectProjectOptions,
): Promise<Database> {
  const folder = join(config.derivedDirectory, 'files');
  const { path, stamp } = await keepFiles(config.databaseUrl, {
    ...{ folder, embedded: config.embedded, signal },
    onProgress: (event) => onProgress(toOnboardEvent(event)),
    alone: (work) => holdLock(join(folder, 'files.lock'), { signal }, work),
  });
  const database = await connectUrl(config, `duckdb:${path}`);
  return decorate(database, () => ({ stamp: () => Promise.resolve(stamp) }));
}

function toOnboardEvent(event: FilesEvent): OnboardEvent {
  if (event.kind === 'note') return { stage: 'notice', done: 0, total: 0, message: event.message };
  return { stage: 'files', done: event.done, total: event.total, table: event.name };
}
