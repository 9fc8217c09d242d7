/** Fetches the files of a sentence encoder from the Hugging Face hub into a folder of ours, once. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { readIfThere } from '../../store/index.ts';
import { networkReason } from '../requests/post-json.ts';
import { cancelledError, throwIfCancelled } from '../requests/retry-transient.ts';
import { isThere, readJsonFile } from './read-json-file.ts';
import { hashFile, MODEL_FILES, OPTIONAL_FILES, REQUIRED_FILES } from './read-model-folder.ts';

const SMALL_FILE_BYTES = 64 * 1024 * 1024;
const MODEL_BYTES = 2 * 1024 * 1024 * 1024;
/** What was fetched, from where, with which checksums; written last, so that a folder with it is whole. */
const MANIFEST = 'candor-model.json';

export interface DownloadProgress {
  readonly file: string;
  readonly bytes: number;
  /** When the server says it. */
  readonly totalBytes?: number;
}

export interface HubDownload {
  /** Where models are kept; the folder of this one is made below it. */
  readonly directory: string;
  readonly hubUrl: string;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FILES = z.object({
  source: z.string(),
  commit: z.string().optional(),
  files: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
});

/**
 * The folder of the model, fetched when it is not there whole. Throws `model.unreachable`, `model.not-found` for an
 * id that the hub does not have or a model without ONNX form, `model.bad-reply` for a file that is too large or not
 * what its checksum says, `model.invalid` when the folder was damaged since.
 */
export async function downloadHubModel(model: HubModel, download: HubDownload): Promise<string> {
  const name = `${model.organisation}--${model.name}--${model.revision}`;
  const folder = join(download.directory, name);
  if (await isThere(join(folder, MANIFEST))) {
    await checkFiles(folder);
    return folder;
  }
  await mkdir(download.directory, { recursive: true });
  await removeUnfinished(download.directory, name);
  const unfinished = await mkdtemp(join(download.directory, `${name}.${process.pid}.unfinished-`));
  try {
    await fetchFiles(model, unfinished, download);
    await moveInto(unfinished, folder);
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function fetchFiles(model: HubModel, folder: string, download: HubDownload): Promise<void> {
  const id = `${model.organisation}/${model.name}`;
  const base = `${download.hubUrl.replace(/\/+$/, '')}/${id}/resolve/${model.revision}`;
  const fetched = new Map<string, FetchedFile>();
  const fetchOne = async (file: string, maxBytes: number): Promise<boolean> => {
    throwIfCancelled(download.signal);
    const { onProgress, signal } = download;
    const found = await downloadFile(`${base}/${file}`, join(folder, file), {
      maxBytes,
      signal,
      onBytes: (bytes, totalBytes) =>
        onProgress?.({ file, bytes, ...(totalBytes === undefined ? {} : { totalBytes }) }),
    });
    if (found !== undefined) fetched.set(file, found);
    return found !== undefined;
  };
  for (const file of REQUIRED_FILES)
    if (!(await fetchOne(file, SMALL_FILE_BYTES)))
      throw new CandorError('model.not-found', `${base} has no ${file}`);
  for (const file of OPTIONAL_FILES) await fetchOne(file, SMALL_FILE_BYTES);
  let hasModel = false;
  for (const file of MODEL_FILES) hasModel ||= await fetchOne(file, MODEL_BYTES);
  if (!hasModel)
    throw new CandorError('model.not-found', `${id} has no ONNX form: neither ${MODEL_FILES.join(' nor ')}`);
  const commit = [...fetched.values()].find((file) => file.commit !== undefined)?.commit;
  const files = Object.fromEntries(
    [...fetched].map(([file, { bytes, sha256 }]) => [file, { bytes, sha256 }]),
  );
  await writeFile(join(folder, MANIFEST), `${JSON.stringify({ source: base, commit, files }, null, 2)}\n`);
}

async function checkFiles(folder: string): Promise<void> {
  const { files } = await readJsonFile(join(folder, MANIFEST), FILES);
  for (const [file, { sha256 }] of Object.entries(files)) {
    const path = join(folder, file);
    const found = (await isThere(path)) ? await hashFile(path) : 'missing';
    if (found !== sha256)
      throw new CandorError('model.invalid', `${path} is damaged: delete ${folder}, and it is fetched again`);
  }
}

/** Another process may have been faster: then its folder is as good as ours. */
async function moveInto(unfinished: string, folder: string): Promise<void> {
  await rename(unfinished, folder).catch(async (error: unknown) => {
    if (!(await isThere(join(folder, MANIFEST)))) throw error;
  });
}

/** What a process that is no more has left behind; the folders of those that live are theirs. */
async function removeUnfinished(directory: string, name: string): Promise<void> {
  for (const entry of await readdir(directory)) {
    const pid = entry.startsWith(`${name}.`) ? /\.(\d+)\.unfinished-/.exec(entry)?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(directory, entry), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The hub sends large files from another host, sometimes through a third. */
const MOST_REDIRECTS = 5;
/** A connection that brings nothing for this long is dead. */
const SILENCE_TIMEOUT_MS = 60_000;
const SHA256 = /^[0-9a-f]{64}$/;

interface DownloadRules {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: (bytes: number, totalBytes: number | undefined) => void;
}

interface FetchedFile {
  readonly bytes: number;
  readonly sha256: string;
  /** The commit that the hub says it is of. */
  readonly commit?: string;
}

/**
 * Writes what an address of the hub gives into a file, with the folders above it; `undefined` when it gives 404. The
 * hub's own checksum, where it sends one, must be that of the file. Throws `model.unreachable`, `model.refused`,
 * `model.bad-reply`, `model.cancelled`.
 */
async function downloadFile(
  url: string,
  path: string,
  rules: DownloadRules,
): Promise<FetchedFile | undefined> {
  const silence = new Silence(SILENCE_TIMEOUT_MS);
  const signal =
    rules.signal === undefined ? silence.signal : AbortSignal.any([silence.signal, rules.signal]);
  try {
    const { response, headers } = await follow(url, signal);
    if (response.status === 404) return undefined;
    const { body } = response;
    if (response.status !== 200 || body === null) throw refused(url, response.status);
    const totalBytes = readLength(response.headers.get('content-length'));
    if (totalBytes !== undefined && totalBytes > rules.maxBytes) throw tooLarge(url, rules.maxBytes);
    const hash = createHash('sha256');
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.byteLength;
        silence.restart();
        hash.update(chunk);
        rules.onBytes?.(bytes, totalBytes);
        done(bytes > rules.maxBytes ? tooLarge(url, rules.maxBytes) : null, chunk);
      },
    });
    await mkdir(dirname(path), { recursive: true });
    await pipeline(Readable.fromWeb(body as ReadableStream), count, createWriteStream(path), { signal });
    const sha256 = hash.digest('hex');
    if (totalBytes !== undefined && bytes !== totalBytes && response.headers.get('content-encoding') === null)
      throw new CandorError('model.bad-reply', `${url} ended after ${bytes} of ${totalBytes} bytes`);
    const expected = headers.get('x-linked-etag')?.replaceAll('"', '') ?? '';
    if (SHA256.test(expected) && expected !== sha256)
      throw new CandorError('model.bad-reply', `${url} is not what its checksum says`);
    const commit = headers.get('x-repo-commit');
    return { bytes, sha256, ...(commit === null ? {} : { commit }) };
  } catch (error) {
    if (error instanceof CandorError) throw error;
    if (rules.signal?.aborted) throw cancelledError();
    if (isOfFiles(error)) throw error;
    const reason = silence.signal.aborted
      ? `silent for ${SILENCE_TIMEOUT_MS / 1000} s`
      : networkReason(error);
    throw new CandorError('model.unreachable', `${url} cannot be fetched (${reason})`, { cause: error });
  } finally {
    silence.end();
  }
}

/** Redirects are followed by hand: the first answer has the checksum, and none may lead from HTTPS to HTTP. */
async function follow(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly headers: Headers }> {
  let first: Headers | undefined;
  let at = new URL(url);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await fetch(at, { redirect: 'manual', signal, headers: { 'user-agent': 'candor' } });
    first ??= response.headers;
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null)
      return { response, headers: first };
    await response.body?.cancel();
    const next = new URL(location, at);
    if (next.protocol !== at.protocol && next.protocol !== 'https:')
      throw new CandorError('model.bad-reply', `${url} leads to ${next.protocol}//${next.host}, unencrypted`);
    at = next;
  }
  throw new CandorError('model.bad-reply', `${url} redirects more than ${MOST_REDIRECTS} times`);
}

/** Gives its signal when it was not restarted for a while. */
class Silence {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function readLength(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function refused(url: string, status: number): CandorError {
  const code = status >= 500 || status === 429 ? 'model.unreachable' : 'model.refused';
  return new CandorError(code, `${url} answered ${status}`);
}

function tooLarge(url: string, maxBytes: number): CandorError {
  return new CandorError('model.bad-reply', `${url} is larger than ${maxBytes} bytes`);
}

function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

// Models of the Hugging Face hub that are on this machine already.

/** `org/name` or `org/name@revision`; without one it is `main`. */
export interface HubModel {
  readonly organisation: string;
  readonly name: string;
  readonly revision: string;
}

/** One part of an id: what the hub allows, and nothing that leads out of a folder. */
const HUB_ID =
  /^(?<organisation>[\w][\w.-]{0,95})\/(?<name>[\w][\w.-]{0,95})(?:@(?<revision>[\w][\w.-]{0,95}))?$/;
const COMMIT = /^[0-9a-f]{40}$/;

/** `undefined` when the text is no id of the hub. */
export function readHubId(text: string): HubModel | undefined {
  const { organisation, name, revision = 'main' } = HUB_ID.exec(text)?.groups ?? {};
  if (organisation === undefined || name === undefined) return undefined;
  if ([organisation, name, revision].some((part) => part.includes('..'))) return undefined;
  return { organisation, name, revision };
}

/**
 * The folder of the model in the hub's own cache (`HF_HOME`), as its other tools fill it: the commit stands in
 * `hub/models--org--name/refs/main`, the files in `snapshots/<commit>/`.
 */
export async function findHubModel(hubDirectory: string, model: HubModel): Promise<string | undefined> {
  const folder = join(hubDirectory, 'hub', `models--${model.organisation}--${model.name}`);
  const commit = COMMIT.test(model.revision)
    ? model.revision
    : (await readIfThere(join(folder, 'refs', model.revision)))?.trim();
  if (commit === undefined) return undefined;
  if (!COMMIT.test(commit))
    throw new CandorError('model.invalid', `${join(folder, 'refs', model.revision)} holds no commit`);
  const snapshot = join(folder, 'snapshots', commit);
  // Other tools fetch single files: a folder without the model is not a model.
  const files = MODEL_FILES.map((name) => isThere(join(snapshot, name)));
  return (await Promise.all(files)).includes(true) ? snapshot : undefined;
}
