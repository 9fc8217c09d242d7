/** The stored index of a database: read when it is true of the values, else built and put in its place. */
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CandorError } from '../../errors.ts';
import type { ValueSource } from '../derived/derived-store.ts';
import type { BuildIndexOptions } from './build-index.ts';
import { buildFromFile, buildInWorker } from './build-values.ts';
import { DEFAULT_PARAMETERS } from './candidate-sections.ts';
import { type UnpackedIndex, unpackIndex } from './index-file.ts';
import { INDEX_VERSION, type IndexManifest, type IndexParameters } from './index-manifest.ts';
import { loadValueIndex, type ValueIndex } from './value-index.ts';

export interface ValueIndexPlace {
  /** Folder of the derived files. */
  readonly directory: string;
  readonly values: ValueSource;
  /** Of the schema. */
  readonly fingerprint: string;
  readonly parameters?: IndexParameters;
}

export interface OpenedValueIndex {
  readonly index: ValueIndex;
  /** Why the stored one could not be used; absent: it was. */
  readonly builtBecause?: string;
}

export interface OpenValueIndexOptions {
  /** Share of the build that is done, in [0, 1]. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
}

const INDEX_FILE = 'values.index';
/** Below so many bytes of values a build takes less time than the start of a worker. */
const SMALL_BYTES = 2_000_000;
/** Bytes read at once: one call takes at most 2^31. */
const CHUNK = 2 ** 28;

/**
 * Opens the index. One of other values, other parameters or another version, and one that is damaged, is not read but
 * built again, from the stored values. Throws `catalog.not-writable`, `catalog.stale`, `database.cancelled`.
 */
export async function openValueIndex(
  place: ValueIndexPlace,
  options: OpenValueIndexOptions = {},
): Promise<OpenedValueIndex> {
  const path = join(place.directory, INDEX_FILE);
  const wanted = {
    parameters: place.parameters ?? DEFAULT_PARAMETERS,
    origin: { source: place.values.hash, fingerprint: place.fingerprint },
  };
  const stored = await readIndex(path, wanted);
  if ('manifest' in stored) return { index: loadValueIndex(stored) };
  const file = await build(place.values, wanted, options);
  await replace(path, file);
  const unpacked = unpackIndex(file);
  if ('damage' in unpacked) throw new CandorError('internal.bug', `an index just built: ${unpacked.damage}`);
  return { index: loadValueIndex(unpacked), builtBecause: stored.damage };
}

async function readIndex(
  path: string,
  wanted: Pick<BuildIndexOptions, 'parameters' | 'origin'>,
): Promise<UnpackedIndex | { readonly damage: string }> {
  const file = await readBytes(path);
  if (file === undefined) return { damage: 'there was none' };
  const unpacked = unpackIndex(file);
  if ('damage' in unpacked) return unpacked;
  const mismatch = mismatchOf(unpacked.manifest, wanted);
  return mismatch === undefined ? unpacked : { damage: mismatch };
}

function mismatchOf(
  { version, source, fingerprint, parameters }: IndexManifest,
  wanted: Pick<BuildIndexOptions, 'parameters' | 'origin'>,
): string | undefined {
  if (version !== INDEX_VERSION) return 'it was written by another version';
  if (fingerprint !== wanted.origin.fingerprint) return 'it is of another schema';
  if (source !== wanted.origin.source) return 'it is of other values';
  const isSame = Object.entries(wanted.parameters).every(
    ([name, value]) => Object.entries(parameters).find(([other]) => other === name)?.[1] === value,
  );
  return isSame ? undefined : 'it was built with other parameters';
}

async function build(
  { path, hash }: ValueSource,
  { parameters, origin }: Pick<BuildIndexOptions, 'parameters' | 'origin'>,
  { onProgress, signal }: OpenValueIndexOptions,
): Promise<Uint8Array> {
  const { size } = await stat(path).catch(() => {
    throw new CandorError('catalog.stale', `${path} is missing`);
  });
  const task = { path, hash, parameters, origin };
  if (size > SMALL_BYTES) return buildInWorker(task, { onProgress, signal });
  if (signal?.aborted)
    throw new CandorError('database.cancelled', 'the build of the value index was cancelled');
  return buildFromFile(task, onProgress);
}

/** Writes beside the old one and takes its place; what builds that were killed have left is removed. */
async function replace(path: string, file: Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await mkdir(dirname(path), { recursive: true });
    for (const name of await readdir(dirname(path)))
      if (name !== basename(unfinished) && isAbandoned(name))
        await rm(join(dirname(path), name), { force: true });
    await writeFile(unfinished, file);
    await rename(unfinished, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('catalog.not-writable', `cannot write ${path}: ${reason}`, { cause: error });
  }
}

function isAbandoned(name: string): boolean {
  const pid = /^values\.index\.(\d+)\.unfinished$/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** The whole file in a buffer of its own, which views of numbers need. */
async function readBytes(path: string): Promise<Uint8Array | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
  try {
    const bytes = new Uint8Array((await file.stat()).size);
    let at = 0;
    while (at < bytes.length) {
      const { bytesRead } = await file.read(bytes, at, Math.min(CHUNK, bytes.length - at), at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  } finally {
    await file.close();
  }
}
