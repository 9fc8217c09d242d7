import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { CandorError } from '../errors.ts';
import { cancelledError } from './cancelled.ts';
import { networkReason } from './network-reason.ts';

/** The hub sends large files from another host, sometimes through a third. */
const MOST_REDIRECTS = 5;
/** A connection that brings nothing for this long is dead. */
const SILENCE_TIMEOUT_MS = 60_000;
const SHA256 = /^[0-9a-f]{64}$/;

export interface DownloadRules {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: (bytes: number, totalBytes: number | undefined) => void;
}

export interface FetchedFile {
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
export async function downloadFile(
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
