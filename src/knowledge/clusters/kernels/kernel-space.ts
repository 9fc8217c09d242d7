/// <reference path="./web-assembly.d.ts" />
/** Memory that the kernels work on, and who runs them: this thread, or several at once. */
import { Worker } from 'node:worker_threads';
import { CandorError } from '../../../errors.ts';
import { takeTurn } from '../take-turn.ts';
import { assemble } from './assemble.ts';
import { KERNEL_SOURCE } from './kernel-source.ts';

/** Columns of a panel. */
export const PANEL = 16;
/** Bytes of one row of a panel. */
export const ROW_BYTES = PANEL * 4;

export type KernelName = 'walk' | 'less' | 'clear' | 'times' | 'transposedTimes';
/** One call of a kernel with its numbers. */
export type KernelCall = readonly [name: KernelName, ...numbers: number[]];
/** Calls that follow each other; what several tasks write does not overlap, so their order does not matter. */
export type KernelTask = readonly KernelCall[];

const PAGE = 65_536;
/** The first bytes stay unused: 0 means nothing. */
const FIRST = ROW_BYTES;

/** What a worker is: it holds nothing but the kernels and the shared memory. */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const { exports } = new WebAssembly.Instance(workerData.module, { env: { memory: workerData.memory } });
parentPort.on('message', (task) => {
  for (const [name, ...numbers] of task) exports[name](...numbers);
  parentPort.postMessage(null);
});`;

/** `close` it. */
export class KernelSpace {
  readonly floats: Float32Array;
  readonly integers: Int32Array;
  readonly #run: (name: KernelName, numbers: readonly number[]) => void;
  readonly #workers: readonly Worker[];
  #used = FIRST;

  /** With no workers, tasks run on this thread one after the other. Throws `knowledge.too-large` beyond 4 GB. */
  constructor({ bytes, workers }: { readonly bytes: number; readonly workers: number }) {
    const pages = Math.ceil((bytes + FIRST) / PAGE);
    if (pages > PAGE)
      throw new CandorError('knowledge.too-large', `clusters need ${Math.ceil(bytes / 2 ** 30)} GB at once`);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    this.floats = new Float32Array(memory.buffer);
    this.integers = new Int32Array(memory.buffer);
    const module = new WebAssembly.Module(assemble(KERNEL_SOURCE));
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    this.#run = (name, numbers) => {
      const kernel = exports[name];
      if (typeof kernel !== 'function') throw new RangeError(`there is no kernel ${name}`);
      kernel(...numbers);
    };
    this.#workers = Array.from(
      { length: workers },
      () => new Worker(WORKER, { eval: true, workerData: { module, memory }, execArgv: [], stderr: false }),
    );
  }

  /** Takes bytes that nothing else has; zero, as they were never used. Gives their address. */
  take(bytes: number): number {
    const at = this.#used;
    this.#used += Math.ceil(bytes / ROW_BYTES) * ROW_BYTES;
    if (this.#used > this.floats.byteLength) throw new RangeError('the kernels were given too little memory');
    return at;
  }

  floatsAt(address: number, length: number): Float32Array {
    return this.floats.subarray(address / 4, address / 4 + length);
  }

  /** Runs all tasks. Throws `knowledge.cancelled`. */
  async run(tasks: readonly KernelTask[], signal?: AbortSignal): Promise<void> {
    if (this.#workers.length > 0) return this.#share(tasks, signal);
    for (const task of tasks) {
      await takeTurn(signal);
      for (const [name, ...numbers] of task) this.#run(name, numbers);
    }
  }

  async #share(tasks: readonly KernelTask[], signal: AbortSignal | undefined): Promise<void> {
    let next = 0;
    const work = async (worker: Worker): Promise<void> => {
      for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) {
        if (signal?.aborted) return;
        await askWorker(worker, task);
      }
    };
    await Promise.all(this.#workers.map(work));
    await takeTurn(signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function askWorker(worker: Worker, task: KernelTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      worker.off('message', done);
      worker.off('error', settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    const done = (): void => settle();
    worker.on('message', done);
    worker.on('error', settle);
    worker.postMessage(task);
  });
}
