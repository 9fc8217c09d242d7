/** The thread that `build-in-worker.ts` starts: builds the index it is told to, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { CandorError } from '../../errors.ts';
import type { BuildMessage } from './build-values.ts';
import { type BuildTask, buildFromFile } from './build-values.ts';

// The task is ours, sent by the other thread of this process.
const task = workerData as BuildTask;
const post = (message: BuildMessage, transfer: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, [...transfer]);

try {
  const file = await buildFromFile(task, (share) => post({ kind: 'progress', share }));
  post({ kind: 'built', file }, file.buffer instanceof ArrayBuffer ? [file.buffer] : []);
} catch (error) {
  const isStale = error instanceof CandorError && error.code === 'catalog.stale';
  post({ kind: 'failed', isStale, message: error instanceof Error ? error.message : String(error) });
}
