/** Builds a large index in a thread of its own, so that this one goes on and a cancel takes effect at once. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { startThread } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { readStoredValues } from '../derived/profile-log.ts';
import { type BuildIndexOptions, IndexBuilder } from './build-index.ts';

/** What the worker says: how far it is, then the index or why there is none. */
export type BuildMessage =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'built'; readonly file: Uint8Array }
  /** `isStale`: the file of values is not the one that was meant. */
  | { readonly kind: 'failed'; readonly isStale: boolean; readonly message: string };

const MessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), share: z.number() }),
  z.object({ kind: z.literal('built'), file: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('failed'), isStale: z.boolean(), message: z.string() }),
]);

export interface BuildInWorkerOptions {
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function buildInWorker(
  task: BuildTask,
  { onProgress, signal }: BuildInWorkerOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled());
    const worker = startThread('./build-worker', import.meta.url, { workerData: task });
    const stop = (): void => settle(() => reject(cancelled()));
    const settle = (how: () => void): void => {
      signal?.removeEventListener('abort', stop);
      worker.removeAllListeners('exit');
      worker.terminate().then(how, reject);
    };
    signal?.addEventListener('abort', stop);
    worker.on('message', (sent: unknown) => {
      const message = MessageSchema.parse(sent);
      if (message.kind === 'progress') onProgress?.(message.share);
      else if (message.kind === 'built') settle(() => resolve(message.file));
      else settle(() => reject(errorOf(message)));
    });
    worker.once('error', (error) => settle(() => reject(error)));
    worker.once('exit', (code) =>
      settle(() => reject(new CandorError('internal.bug', `the worker ended with code ${code}`))),
    );
  });
}

function errorOf({ isStale, message }: { readonly isStale: boolean; readonly message: string }): Error {
  return isStale
    ? new CandorError('catalog.stale', message)
    : new CandorError('internal.bug', `the value index was not built: ${message}`);
}

function cancelled(): CandorError {
  return new CandorError('database.cancelled', 'the build of the value index was cancelled');
}

/** Builds an index from the file of values, one table in memory at a time. */
export interface BuildTask extends Pick<BuildIndexOptions, 'parameters' | 'origin'> {
  readonly path: string;
  /** Of the lines of the file. */
  readonly hash: string;
}

/** Reading takes about this part of a build. */
const READING_SHARE = 0.5;

/** Throws `catalog.stale` when the file is not the one that the hash is of. */
export async function buildFromFile(
  { path, hash, parameters, origin }: BuildTask,
  onProgress: (share: number) => void = () => {},
): Promise<Uint8Array> {
  const { size } = await stat(path);
  const builder = new IndexBuilder({
    parameters,
    origin,
    onProgress: (share) => onProgress(READING_SHARE + share * (1 - READING_SHARE)),
  });
  const read = createHash('sha256');
  for await (const { columns, end, hash: ofLine } of readStoredValues(path)) {
    read.update(ofLine ?? 'damaged');
    for (const column of columns) builder.add(column);
    onProgress((READING_SHARE * end) / size);
  }
  if (read.digest('hex').slice(0, hash.length) !== hash)
    throw new CandorError('catalog.stale', `${path} is damaged or was changed`);
  const file = builder.finish();
  onProgress(1);
  return file;
}
