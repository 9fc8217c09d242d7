import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { makeFolder, modeOfFile } from '../state/private-files.ts';
import type { RunSql, SharedState } from '../state/shared-state.ts';
import {
  bundleFiles,
  chunkFile,
  PULL_LOCKS,
  type PublishedBundle,
  type PublishOptions,
  publishBundle,
} from './publish-bundle.ts';

/** What is derived from the database of a workspace, among all bundles. The project that a server is started in has the name `''`. */
export function derivedBundle(workspace: string): string {
  return `derived:${workspace}`;
}

/** Tells all servers of an installation of new derived data: see `publishBundle`. */
export function publishDerived(
  state: SharedState,
  workspace: string,
  folder: string,
  options: PublishOptions = {},
): Promise<PublishedBundle> {
  return publishBundle(state, derivedBundle(workspace), folder, options);
}

/** The newest derived data of an installation, below `folder`: see `pullBundle`. */
export function pullDerived(
  state: SharedState,
  workspace: string,
  folder: string,
): Promise<PulledBundle | undefined> {
  return pullBundle(state, derivedBundle(workspace), folder);
}

interface PulledBundle {
  readonly generation: number;
  /** Holds its files, for whoever pulled it to use and to change. */
  readonly folder: string;
  /** False: it lay here already. */
  readonly isNew: boolean;
  /** Of parts that did not lie here already. */
  readonly fetchedBytes: number;
}

interface Known {
  readonly path: string;
  readonly start: number;
  readonly length: number;
}

const FILE = z.object({ path: z.string(), chunks: z.array(z.string()) });
/** This one, and those that work begun earlier may still read. */
const FOLDERS_KEPT = 3;

/**
 * Brings the newest generation of a bundle into `folder/<generation>`, whole or not at all; parts that an earlier generation left here are
 * not fetched. Undefined where there is no generation. Holds one part in memory. Throws `store.unusable`, and as the state does.
 */
async function pullBundle(
  state: SharedState,
  bundle: string,
  folder: string,
): Promise<PulledBundle | undefined> {
  return state.session(async (run) => {
    const generation = await holdNewest(run, bundle);
    if (generation === undefined) return undefined;
    const place = join(folder, String(generation));
    try {
      const isThere = (await generationsIn(folder)).includes(generation);
      const fetchedBytes = isThere ? 0 : await fetchAll(run, generation, { folder, place });
      await removeOld(folder, generation);
      return { generation, folder: place, isNew: !isThere, fetchedBytes };
    } finally {
      await run('SELECT pg_advisory_unlock_shared($1, $2)', [PULL_LOCKS, generation]).catch(() => undefined);
    }
  });
}

/** A generation that is held is not pruned. */
async function holdNewest(run: RunSql, bundle: string): Promise<number | undefined> {
  for (;;) {
    const [newest] = await run(
      'SELECT id FROM candor.bundle_generations WHERE bundle = $1 ORDER BY id DESC LIMIT 1',
      [bundle],
    );
    if (newest === undefined) return undefined;
    const held = [PULL_LOCKS, newest.id];
    await run('SELECT pg_advisory_lock_shared($1, $2)', held);
    const [still] = await run('SELECT id FROM candor.bundle_generations WHERE id = $1', [newest.id]);
    if (still !== undefined) return Number(newest.id);
    await run('SELECT pg_advisory_unlock_shared($1, $2)', held);
  }
}

async function fetchAll(
  run: RunSql,
  generation: number,
  { folder, place }: { readonly folder: string; readonly place: string },
): Promise<number> {
  const unfinished = `${place}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await makeFolder(unfinished);
  const known = await knownParts(folder);
  const rows = await run('SELECT path, chunks FROM candor.bundle_files WHERE generation = $1', [generation]);
  let fetched = 0;
  for (const row of rows) {
    const { path, chunks } = FILE.parse(row);
    const target = join(unfinished, path);
    await makeFolder(dirname(target));
    const file = await open(target, 'w', await modeOfFile(target));
    try {
      for (const hash of chunks) fetched += await writePart(run, file, { hash, known });
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await rename(unfinished, place);
  return fetched;
}

/** Gives the bytes that had to be fetched. */
async function writePart(
  run: RunSql,
  file: FileHandle,
  { hash, known }: { readonly hash: string; readonly known: ReadonlyMap<string, Known> },
): Promise<number> {
  const local = await readLocal(known.get(hash), hash);
  if (local !== undefined) {
    await file.write(local);
    return 0;
  }
  const [row] = await run('SELECT bytes FROM candor.bundle_chunks WHERE hash = $1', [hash]);
  if (!(row?.bytes instanceof Uint8Array) || hashOf(row.bytes) !== hash)
    throw new CandorError(
      'store.unusable',
      'A part of the derived data is gone from the shared state, or damaged.',
    );
  await file.write(row.bytes);
  return row.bytes.length;
}

/** Parts of the newest generation that lies here, as its files are now. */
async function knownParts(folder: string): Promise<ReadonlyMap<string, Known>> {
  const known = new Map<string, Known>();
  const newest = (await generationsIn(folder)).at(-1);
  if (newest === undefined) return known;
  const place = join(folder, String(newest));
  for (const name of await bundleFiles(place))
    for await (const { hash, start, bytes } of chunkFile(join(place, name)))
      known.set(hash, { path: join(place, name), start, length: bytes.length });
  return known;
}

/** Files here may have changed since: then the part is fetched after all. */
async function readLocal(known: Known | undefined, hash: string): Promise<Buffer | undefined> {
  if (known === undefined) return undefined;
  const file = await open(known.path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(known.length), 0, known.length, known.start);
    return bytesRead === known.length && hashOf(buffer) === hash ? buffer : undefined;
  } finally {
    await file.close();
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The oldest first. */
async function generationsIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

async function removeOld(folder: string, current: number): Promise<void> {
  const others = (await generationsIn(folder)).filter((each) => each !== current);
  for (const old of others.slice(0, Math.max(0, others.length - (FOLDERS_KEPT - 1))))
    await rm(join(folder, String(old)), { recursive: true, force: true });
}
