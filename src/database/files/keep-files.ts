/** Keeps a DuckDB database of the project that holds what a `files:` URL names; files that have changed are read again. */
import { type ChildProcess, fork } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { type EmbeddedLimits, embeddedLimits } from '../embedded/engine/embedded-settings.ts';
import { ownEntry } from '../embedded/executor-process.ts';
import type { EmbeddedSettings } from '../embedded/index.ts';
import { type FileGroup, listFiles, nameOfFiles } from './file-source.ts';
import type { LoadedTable } from './load-tables.ts';

export interface FilesOptions {
  /** Where the database is kept. */
  readonly folder: string;
  readonly embedded?: EmbeddedSettings;
  readonly onProgress?: (event: FilesEvent) => void;
  readonly signal?: AbortSignal | undefined;
  /** Runs the work while no other process does it for the same folder. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export type FilesEvent =
  | { readonly kind: 'progress'; readonly name: string; readonly done: number; readonly total: number }
  | { readonly kind: 'note'; readonly message: string };

export interface KeptFiles {
  /** Of the DuckDB file. */
  readonly path: string;
  /** Another one after any file has changed. */
  readonly stamp: string;
}

interface Manifest {
  readonly version: number;
  readonly groups: readonly KeptGroup[];
}

interface KeptGroup extends LoadedGroup {
  /** Names and stamps of its files. */
  readonly key: string;
}

/** Files that were read by other rules are read again. */
const VERSION = 2;
/** What the process takes beside the buffers that DuckDB counts: Node, the library, a sheet on its way. */
const OUTSIDE_BUFFERS = 320 * 1024 * 1024;
const MOST_MEMORY = 1024 * 1024 * 1024;
const HEAP_MIB = 1024;
const STDERR_KEPT = 4_000;

/**
 * The database of the files, loaded where it is not yet or not any more what they say. A load that was stopped goes on with the
 * file it had not finished. Throws `database.not-found`, `database.not-a-database`, `database.driver-missing`,
 * `database.cancelled`, `catalog.not-writable`.
 */
export async function keepFiles(url: string, options: FilesOptions): Promise<KeptFiles> {
  const groups = listFiles(url);
  const path = join(options.folder, `${nameOfFiles(url)}.duckdb`);
  const isFresh = (): boolean => covers(readManifest(path), groups) && existsSync(path);
  if (!isFresh()) {
    makeFolder(options.folder);
    await options.alone(async () => {
      if (isFresh()) return;
      try {
        await loadAnew(path, groups, options);
      } catch (error) {
        throw notWritable(options.folder, error);
      }
    });
  }
  return { path, stamp: groups.map(keyOf).join('\n') };
}

async function loadAnew(path: string, groups: readonly FileGroup[], options: FilesOptions): Promise<void> {
  const unfinished = `${path}.unfinished`;
  // What an earlier run has finished is kept: it is there with its own list.
  if (!existsSync(unfinished) && existsSync(path)) {
    writeManifest(unfinished, readManifest(path));
    copyFileSync(path, unfinished);
  }
  const known = existsSync(unfinished) ? readManifest(unfinished) : empty();
  if (known.groups.length === 0) removeDatabase(unfinished);
  const byKey = new Map(known.groups.map((group) => [group.key, group]));
  const wanted = groups.filter((group) => !byKey.has(keyOf(group)));
  const keys = new Set(groups.map(keyOf));
  const kept = known.groups.filter(({ key }) => keys.has(key));
  const request: LoadRequest = {
    ...{ path: unfinished, groups: wanted, ...partsOf(options.embedded) },
    kept: kept.flatMap(tablesOf),
    folder: `${unfinished}.tmp`,
  };
  mkdirSync(request.folder, { recursive: true, mode: 0o700 });
  const done = [...kept];
  writeManifest(unfinished, { version: VERSION, groups: done });
  try {
    const onLoaded = (group: FileGroup, loaded: LoadedGroup): void => {
      // A file that cannot be read stays listed: it is tried again once it has changed.
      done.push({ key: keyOf(group), ...loaded });
      writeManifest(unfinished, { version: VERSION, groups: done });
      tellNotes(group, loaded, options);
    };
    await runLoaders(request, options, onLoaded, () => done.flatMap(tablesOf));
  } finally {
    rmSync(request.folder, { recursive: true, force: true });
  }
  if (done.every(({ tables }) => tables.length === 0)) throw nothingRead(done, unfinished);
  // The list comes last: one that is older than its database is found out, the other way round it would be believed.
  renameSync(unfinished, path);
  renameSync(manifestOf(unfinished), manifestOf(path));
}

function nothingRead(groups: readonly KeptGroup[], path: string): CandorError {
  removeDatabase(path);
  const why = groups.find(({ fault }) => fault !== undefined)?.fault ?? 'they are empty';
  return new CandorError('database.not-a-database', `no file of the source could be read: ${why}`);
}

function tellNotes(group: FileGroup, { tables, fault }: LoadedGroup, { onProgress }: FilesOptions): void {
  const file = basename(group.files[0]!.path);
  if (fault !== undefined) onProgress?.({ kind: 'note', message: `${file} could not be read: ${fault}` });
  for (const { name, notes } of tables)
    for (const note of notes) onProgress?.({ kind: 'note', message: `${file} → ${name}: ${note}` });
}

function partsOf(settings: EmbeddedSettings = {}): Pick<LoadRequest, 'memoryBytes' | 'threads'> {
  const { memoryBytes, threads }: EmbeddedLimits = embeddedLimits(settings);
  const most = Math.min(memoryBytes, MOST_MEMORY);
  return {
    memoryBytes: Math.max(most - OUTSIDE_BUFFERS, Math.floor(most / 2)),
    threads: Math.max(2, threads),
  };
}

/** A file that ends the process, as one does that needs more memory than there is, is left out; the others are read by another one. */
async function runLoaders(
  request: LoadRequest,
  options: FilesOptions,
  onLoaded: (group: FileGroup, loaded: LoadedGroup) => void,
  kept: () => string[],
): Promise<void> {
  for (let left = request.groups; ; ) {
    let read = 0;
    try {
      return await runLoader({ ...request, groups: left, kept: kept() }, options, (group, loaded) => {
        read += 1;
        onLoaded(group, loaded);
      });
    } catch (error) {
      const [culprit, ...others] = left.slice(read);
      const hasDied = error instanceof CandorError && error.code === 'database.executor-died';
      if (!hasDied || culprit === undefined) throw error;
      onLoaded(culprit, { tables: [], fault: `${error.message}; it may need more memory than there is` });
      left = others;
    }
  }
}

function runLoader(
  request: LoadRequest,
  { signal, onProgress }: FilesOptions,
  onLoaded: (group: FileGroup, loaded: LoadedGroup) => void,
): Promise<void> {
  const { entry, flags } = ownEntry(new URL('./loader', import.meta.url));
  const child: ChildProcess = fork(entry, [], {
    execArgv: [...flags, `--max-old-space-size=${HEAP_MIB}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // Not as an argument: those of thousands of files are longer than a system takes.
  child.send(request, () => undefined);
  let stderr = '';
  let failure: CandorError | undefined;
  let isDone = false;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  child.on('message', (message) => {
    // Both ends are of one build.
    const reply = message as LoadReply;
    if (reply.kind === 'done') isDone = true;
    else if (reply.kind === 'failed') failure = new CandorError(reply.code, reply.message);
    else if (reply.kind === 'loaded')
      try {
        onLoaded(request.groups[reply.at]!, reply.group);
      } catch (error) {
        failure = notWritable(dirname(request.path), error);
        child.kill('SIGKILL');
      }
    else {
      const { name } = request.groups[reply.at]!;
      onProgress?.({ kind: 'progress', name, done: reply.at + reply.share, total: request.groups.length });
    }
  });
  const cancel = (): void => {
    failure = new CandorError('database.cancelled', 'the files are not all read; the next run goes on there');
    child.kill('SIGKILL');
  };
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted === true) cancel();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killed) => {
      signal?.removeEventListener('abort', cancel);
      if (failure !== undefined) reject(failure);
      else if (isDone) resolve();
      else
        reject(
          new CandorError(
            'database.executor-died',
            `the process that reads files ended (${killed ?? code})`,
            {
              data: { stderr },
            },
          ),
        );
    });
  });
}

function keyOf({ files }: FileGroup): string {
  return files.map(({ path, stamp }) => `${path} ${stamp}`).join('\n');
}

function tablesOf({ tables }: LoadedGroup): string[] {
  return tables.map(({ name }) => name);
}

function covers({ groups }: Manifest, wanted: readonly FileGroup[]): boolean {
  const keys = new Set(groups.map(({ key }) => key));
  return wanted.length === keys.size && wanted.every((group) => keys.has(keyOf(group)));
}

function empty(): Manifest {
  return { version: VERSION, groups: [] };
}

function manifestOf(path: string): string {
  return `${path}.json`;
}

/** What cannot be read is no list: the files are read again. */
function readManifest(path: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(manifestOf(path), 'utf8')) as Manifest;
    return manifest.version === VERSION && Array.isArray(manifest.groups) ? manifest : empty();
  } catch {
    return empty();
  }
}

function writeManifest(path: string, manifest: Manifest): void {
  const file = manifestOf(path);
  writeFileSync(`${file}.new`, JSON.stringify(manifest), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function removeDatabase(path: string): void {
  for (const file of [path, `${path}.wal`, manifestOf(path)]) rmSync(file, { force: true });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** A full disk, and a folder that is closed. */
function notWritable(folder: string, error: unknown): CandorError {
  const why = error instanceof Error ? error.message : String(error);
  const message = `files are kept as a database in ${folder}, which cannot be written: ${why}`;
  return error instanceof CandorError
    ? error
    : new CandorError('catalog.not-writable', message, { cause: error });
}

// The messages between the process that loads files and this end. Both are always of the same build.

/** The first message to the process. */
export interface LoadRequest {
  /** The database that is made; what it holds of other groups stays. */
  readonly path: string;
  readonly groups: readonly FileGroup[];
  /** Names of the tables that stay; all others are dropped. */
  readonly kept: readonly string[];
  /** For copies and spilled rows. */
  readonly folder: string;
  readonly memoryBytes: number;
  readonly threads: number;
}

/** What became of one group. */
export interface LoadedGroup {
  readonly tables: readonly LoadedTable[];
  /** Why it could not be read. */
  readonly fault?: string;
}

export type LoadReply =
  | { readonly kind: 'progress'; readonly share: number; readonly at: number }
  | { readonly kind: 'loaded'; readonly at: number; readonly group: LoadedGroup }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string };
