import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { loadSqliteDriver } from '../../database/embedded/index.ts';
import { CandorError } from '../../errors.ts';
import { inTransaction, openSharedState, type RunSql, type SharedState } from '../state/shared-state.ts';
import { isBusy, orUnusable } from '../state/state-file.ts';

export interface PublishedBundle {
  readonly generation: number;
  /** False: the newest generation was the same already. */
  readonly isNew: boolean;
  /** Others have published meanwhile, and what they changed is kept in it: it is not what the folder holds. */
  readonly isMerged: boolean;
  readonly files: number;
  /** Of all files, and of the parts that were not there yet. */
  readonly bytes: number;
  readonly sentBytes: number;
}

export interface PublishOptions {
  /** The generation that the folder was made of: files that are as they were there count as unchanged. */
  readonly since?: number | undefined;
}

/** Parts that are sent at a time: what is held in memory. */
const SENT_AT_ONCE = 4;
const IS_SQLITE = /\.(?:sqlite|db)$/;

/**
 * Makes the files of a folder the newest generation of a bundle: parts that the state has already are not sent, and until the generation is
 * whole nobody sees it. The caller sees to it that nobody else changes the folder meanwhile. Throws `store.unusable`, and as the state does.
 */
export async function publishBundle(
  state: SharedState,
  bundle: string,
  folder: string,
  { since }: PublishOptions = {},
): Promise<PublishedBundle> {
  for (let isSecond = false; ; isSecond = true) {
    const files: SentFile[] = [];
    let sentBytes = 0;
    for (const path of await bundleFiles(folder)) {
      const place = join(folder, path);
      const send = async (): Promise<number> => {
        const file: SentFile = { path, bytes: 0, chunks: [] };
        files.push(file);
        return sendFile(state.run, place, file);
      };
      sentBytes += await (IS_SQLITE.test(path) ? holdSqlite(place, send) : send());
    }
    const kept = await state.session((run) =>
      inTransaction(run, () => keepGeneration(run, bundle, { files, since })),
    );
    if (kept !== undefined) {
      await pruneBundle(state, bundle);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      return { ...kept, files: files.length, bytes, sentBytes };
    }
    // Parts of an old generation were pruned while this one counted on them.
    if (isSecond)
      throw new CandorError('store.unusable', `Parts of ${bundle} are gone as soon as they are sent.`);
  }
}

/** Gives the bytes that were sent. */
async function sendFile(run: RunSql, path: string, file: SentFile): Promise<number> {
  let [waiting, sent]: [Chunk[], number] = [[], 0];
  const send = async (): Promise<void> => {
    const hashes = waiting.map(({ hash }) => hash);
    const known = await run('SELECT hash FROM candor.bundle_chunks WHERE hash = ANY($1)', [hashes]);
    const isKnown = new Set(known.map(({ hash }) => hash));
    for (const { hash, bytes } of waiting) {
      if (isKnown.has(hash)) continue;
      await run('INSERT INTO candor.bundle_chunks (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        hash,
        bytes,
      ]);
      sent += bytes.length;
    }
    waiting = [];
  };
  for await (const chunk of chunkFile(path)) {
    file.chunks.push(chunk.hash);
    file.bytes += chunk.bytes.length;
    waiting.push(chunk);
    if (waiting.length === SENT_AT_ONCE) await send();
  }
  await send();
  return sent;
}

interface Wanted {
  readonly files: readonly SentFile[];
  readonly since: number | undefined;
}

/** Undefined where parts are missing. */
async function keepGeneration(
  run: RunSql,
  bundle: string,
  { files: sent, since }: Wanted,
): Promise<Pick<PublishedBundle, 'generation' | 'isNew' | 'isMerged'> | undefined> {
  await run('SELECT pg_advisory_xact_lock($1)', [BUNDLE_LOCK]);
  const [newest] = await run(
    'SELECT id, hash FROM candor.bundle_generations WHERE bundle = $1 ORDER BY id DESC LIMIT 1',
    [bundle],
  );
  const isMerged = since !== undefined && newest !== undefined && Number(newest.id) !== since;
  const files = isMerged
    ? mergeFiles(sent, await filesOf(run, since), await filesOf(run, Number(newest.id)))
    : sent;
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex');
  if (newest?.hash === hash) return { generation: Number(newest.id), isNew: false, isMerged };
  const hashes = [...new Set(files.flatMap(({ chunks }) => chunks))];
  const [there] = await run('SELECT count(*) AS n FROM candor.bundle_chunks WHERE hash = ANY($1)', [hashes]);
  if (Number(there?.n) < hashes.length) return undefined;
  const [made] = await run(
    'INSERT INTO candor.bundle_generations (bundle, hash) VALUES ($1, $2) RETURNING id',
    [bundle, hash],
  );
  for (const { path, bytes, chunks } of files)
    await run('INSERT INTO candor.bundle_files VALUES ($1, $2, $3, $4)', [made?.id, path, bytes, chunks]);
  await run('SELECT pg_notify($1, $2)', [BUNDLE_CHANNEL, bundle]);
  return { generation: Number(made?.id), isNew: true, isMerged };
}

const KEPT_FILE = z.object({ path: z.string(), bytes: z.coerce.number(), chunks: z.array(z.string()) });

async function filesOf(run: RunSql, generation: number): Promise<readonly SentFile[]> {
  const rows = await run('SELECT path, bytes, chunks FROM candor.bundle_files WHERE generation = $1', [
    generation,
  ]);
  return rows.map((row) => KEPT_FILE.parse(row));
}

/** The newest ones, so that a server may go back. */
const KEPT = 2;

/** Drops old generations of a bundle that nobody is pulling, and the parts that no generation needs. */
async function pruneBundle(state: SharedState, bundle: string): Promise<void> {
  await state.session((run) =>
    inTransaction(run, async () => {
      await run('SELECT pg_advisory_xact_lock($1)', [BUNDLE_LOCK]);
      const old = await run(
        'SELECT id FROM candor.bundle_generations WHERE bundle = $1 ORDER BY id DESC OFFSET $2',
        [bundle, KEPT],
      );
      for (const { id } of old) {
        const [lock] = await run('SELECT pg_try_advisory_xact_lock($1, $2) AS is_free', [PULL_LOCKS, id]);
        if (lock?.is_free !== true) continue;
        await run(
          `DELETE FROM candor.bundle_chunks WHERE hash IN (
             SELECT unnest(chunks) FROM candor.bundle_files WHERE generation = $1
             EXCEPT SELECT unnest(chunks) FROM candor.bundle_files WHERE generation <> $1)`,
          [id],
        );
        await run('DELETE FROM candor.bundle_generations WHERE id = $1', [id]);
      }
      // Of publishers that ended before their generation was whole.
      await run(`DELETE FROM candor.bundle_chunks WHERE sent_at < now() - interval '1 day'
        AND hash NOT IN (SELECT unnest(chunks) FROM candor.bundle_files)`);
    }),
  );
}

/** A file of a bundle, by the hashes of its parts. */
export interface SentFile {
  readonly path: string;
  bytes: number;
  readonly chunks: string[];
}

/** Files that tell of one another: where one of them is another, all of them are. */
const TOGETHER = /^(?:manifest\.json|tables\.jsonl|values\.[^/]+)$/;

/**
 * What a folder holds that was made of `base`, over what others have made of it meanwhile (`newest`): a file is theirs where it is here
 * as it was, and gone where one side has removed it. Ordered by path.
 */
export function mergeFiles(
  ours: readonly SentFile[],
  base: readonly SentFile[],
  newest: readonly SentFile[],
): readonly SentFile[] {
  const [mine, before, theirs] = [ours, base, newest].map(byPath) as [Files, Files, Files];
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])].sort();
  const isChanged = (path: string): boolean => textOf(mine.get(path)) !== textOf(before.get(path));
  const known = [...new Set([...paths, ...before.keys()])];
  const areTogetherOurs = known.some((path) => TOGETHER.test(path) && isChanged(path));
  return paths.flatMap((path) => {
    const isOurs = TOGETHER.test(path) ? areTogetherOurs : isChanged(path);
    return (isOurs ? mine : theirs).get(path) ?? [];
  });
}

type Files = ReadonlyMap<string, SentFile>;

function byPath(files: readonly SentFile[]): Files {
  return new Map(files.map((file) => [file.path, file]));
}

function textOf(file: SentFile | undefined): string {
  return file === undefined ? '' : file.chunks.join();
}

const MOST_TRIES = 100;
const TRY_AGAIN_MS = 100;

/**
 * Runs `read` while the SQLite file holds all that was written and nobody writes: then it can be read as a file. Throws
 * `store.unusable`, also where others keep on reading an old state of it.
 */
async function holdSqlite<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  const driver = await loadSqliteDriver();
  const connection = await orUnusable(
    path,
    async () => new driver.DatabaseSync(path, { timeout: 0, allowExtension: false }),
  );
  const isHeld = async (): Promise<boolean> => {
    try {
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      connection.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
    if ((await sizeOf(`${path}-wal`)) === 0) return true;
    connection.exec('ROLLBACK');
    return false;
  };
  try {
    for (let tries = 0; !(await orUnusable(path, isHeld)); tries += 1) {
      if (tries === MOST_TRIES) throw new CandorError('store.unusable', `${path} is in use without a pause.`);
      await wait(TRY_AGAIN_MS);
    }
    return await read();
  } finally {
    connection.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** What belongs to one process or one server, such as what people there said of its answers, or is half written. */
const LEFT_OUT =
  /(?:^|\/)(?:records|replies|shared)\/|(?:^|\/)server\.db|(?:^|\/)labels\.jsonl$|-(?:wal|shm|journal)$|\.(?:lock|tmp|unfinished)$/;

/** Paths of the files of a folder that a bundle carries, with `/`, in one order everywhere. */
export async function bundleFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
}

/** Hears the name of a bundle that has a new generation. */
export const BUNDLE_CHANNEL = 'candor_bundle';
/** Locks of generations that are being pulled. */
export const PULL_LOCKS = 226_369;
/** One lock for what decides which parts are needed. */
const BUNDLE_LOCK = 226_370;

const BUNDLES_1 = `
CREATE TABLE candor.bundle_chunks (hash text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now());
ALTER TABLE candor.bundle_chunks ALTER bytes SET STORAGE MAIN;
CREATE TABLE candor.bundle_generations (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, bundle text NOT NULL,
  hash text NOT NULL, made_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX ON candor.bundle_generations (bundle, id DESC);
CREATE TABLE candor.bundle_files (generation int NOT NULL REFERENCES candor.bundle_generations (id) ON DELETE CASCADE,
  path text NOT NULL, bytes bigint NOT NULL, chunks text[] NOT NULL, PRIMARY KEY (generation, path));`;

/** PostgreSQL with the tables of bundles. Throws as connecting to a database does, and `store.unusable`. */
export function openBundleState(url: string): Promise<SharedState> {
  return openSharedState(url, { part: 'bundles', migrations: [BUNDLES_1] });
}

export interface Chunk {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  /** Where it begins in its file. */
  readonly start: number;
  readonly bytes: Buffer;
}

const LEAST = 256 * 1024;
const MOST = 2 * 1024 * 1024;
/** One place in so many ends a chunk. */
const MEAN = 512 * 1024;
const IS_END = MEAN - 1;
/** What the last bytes weigh; the same on every machine, or nothing would be found again. */
const GEAR = makeGear();

/**
 * The parts of a file, cut where the bytes themselves say so: what stands before or behind a change, moved or not, gives the same parts as
 * before. Holds one part in memory.
 */
export async function* chunkFile(path: string): AsyncGenerator<Chunk> {
  let [parts, length, start, weight]: [Buffer[], number, number, number] = [[], 0, 0, 0];
  const take = (): Chunk => {
    const bytes = Buffer.concat(parts, length);
    const chunk = { hash: createHash('sha256').update(bytes).digest('hex'), start, bytes };
    [parts, start, length, weight] = [[], start + length, 0, 0];
    return chunk;
  };
  for await (const part of createReadStream(path, { highWaterMark: LEAST })) {
    const block: Buffer = part;
    let from = 0;
    for (let at = 0; at < block.length; at += 1) {
      weight = ((weight << 1) + (GEAR[block[at]!] ?? 0)) | 0;
      const size = length + at + 1 - from;
      if (size < LEAST || ((weight & IS_END) !== 0 && size < MOST)) continue;
      parts.push(block.subarray(from, at + 1));
      length = size;
      from = at + 1;
      yield take();
    }
    parts.push(block.subarray(from));
    length += block.length - from;
  }
  if (length > 0) yield take();
}

function makeGear(): Int32Array {
  const gear = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1)
    gear[byte] = createHash('sha256').update(`candor ${byte}`).digest().readInt32LE();
  return gear;
}
