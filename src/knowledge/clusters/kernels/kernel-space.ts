/// <reference path="./web-assembly.d.ts" />
/** Memory that the kernels work on, and who runs them: this thread, or several at once. */
import { Worker } from 'node:worker_threads';
import { CandorError } from '../../../errors.ts';
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
      await yieldToEventLoop(signal);
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
    await yieldToEventLoop(signal);
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

// Makes WebAssembly of its text form, as much of it as the kernels need: functions in folded form over one imported
// shared memory. Source: WebAssembly core specification 2.0, sections 5 (binary) and 6 (text).

type Expression = string | readonly Expression[];

interface Place {
  /** Index of every local by its name, and of every function. */
  readonly locals: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  /** Blocks and loops around, innermost last. */
  readonly labels: readonly string[];
}

const TYPES: Readonly<Record<string, number>> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };
/** Instructions without anything but operands. */
const PLAIN: Readonly<Record<string, readonly number[]>> = {
  'i32.eqz': [0x45],
  'i32.lt_u': [0x49],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.mul': [0x6c],
  'i32.shl': [0x74],
  'f32x4.splat': [0xfd, 0x13],
  'f32x4.neg': [0xfd, 0xe1, 0x01],
  'f32x4.add': [0xfd, 0xe4, 0x01],
  'f32x4.sub': [0xfd, 0xe5, 0x01],
  'f32x4.mul': [0xfd, 0xe6, 0x01],
  'f32x4.div': [0xfd, 0xe7, 0x01],
  'f32x4.min': [0xfd, 0xe8, 0x01],
  'f32x4.max': [0xfd, 0xe9, 0x01],
  'memory.fill': [0xfc, 0x0b, 0x00],
};
/** Instructions with a place in memory: code, and the alignment as a power of two. */
const MEMORY: Readonly<Record<string, readonly [code: readonly number[], alignment: number]>> = {
  'i32.load': [[0x28], 2],
  'f32.load': [[0x2a], 2],
  'v128.load': [[0xfd, 0x00], 4],
  'v128.load32_splat': [[0xfd, 0x09], 2],
  'v128.store': [[0xfd, 0x0b], 4],
};
const MOST_PAGES = 65_536;

/** Bytes of a module of the functions, all of them exported. Throws `RangeError` for what is none of its words. */
export function assemble(text: string): Uint8Array<ArrayBuffer> {
  const functions = readExpressions(text).map((each) => [...listOf(each)]);
  const names = functions.map(([, name]) => nameOf(name));
  const indexes = new Map(names.map((name, at) => [name, at]));
  const made = functions.map((each) => makeFunction(each.slice(2), indexes));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(made.map(({ type }) => type))),
    // One shared memory, `env.memory`.
    ...section(
      2,
      vector([
        [...textBytes('env'), ...textBytes('memory'), 0x02, 0x03, ...unsigned(1), ...unsigned(MOST_PAGES)],
      ]),
    ),
    ...section(3, vector(made.map((_, at) => unsigned(at)))),
    ...section(7, vector(names.map((name, at) => [...textBytes(name.slice(1)), 0x00, ...unsigned(at)]))),
    ...section(10, vector(made.map(({ body }) => [...unsigned(body.length), ...body]))),
  ]);
}

function makeFunction(parts: readonly Expression[], functions: ReadonlyMap<string, number>) {
  const declared = (what: string): (readonly Expression[])[] =>
    parts.map(listOfAny).filter((part) => part[0] === what);
  const parameters = declared('param');
  const locals = declared('local');
  const results = declared('result');
  const typeOf = (part: readonly Expression[]): number => TYPES[String(part.at(-1))] ?? unknown(part.at(-1));
  const place: Place = {
    locals: new Map([...parameters, ...locals].map((part, at) => [nameOf(part[1]), at])),
    functions,
    labels: [],
  };
  const heads = new Set<Expression | undefined>(['param', 'local', 'result']);
  const code = parts.filter((part) => !heads.has(listOfAny(part)[0])).flatMap((part) => emit(part, place));
  return {
    type: [
      0x60,
      ...vector(parameters.map((part) => [typeOf(part)])),
      ...vector(results.map((part) => [typeOf(part)])),
    ],
    body: [...vector(locals.map((part) => [0x01, typeOf(part)])), ...code, 0x0b],
  };
}

function emit(expression: Expression, place: Place): number[] {
  const [word, ...rest] = listOf(expression);
  const head = String(word);
  const all = (parts: readonly Expression[], within = place): number[] =>
    parts.flatMap((part) => emit(part, within));
  const plain = PLAIN[head];
  if (plain !== undefined) return [...all(rest), ...plain];
  const memory = MEMORY[head];
  if (memory !== undefined) {
    const offset = /^offset=(\d+)$/.exec(String(rest[0]))?.[1];
    const [code, alignment] = memory;
    const operands = offset === undefined ? rest : rest.slice(1);
    return [...all(operands), ...code, ...unsigned(alignment), ...unsigned(Number(offset ?? 0))];
  }
  const [first, ...others] = rest;
  const index = (from: ReadonlyMap<string, number>): number[] =>
    unsigned(from.get(nameOf(first)) ?? unknown(first));
  const depth = (): number[] => {
    const at = place.labels.lastIndexOf(nameOf(first));
    return unsigned(at < 0 ? unknown(first) : place.labels.length - 1 - at);
  };
  switch (head) {
    case 'local.get':
      return [0x20, ...index(place.locals)];
    case 'local.set':
      return [...all(others), 0x21, ...index(place.locals)];
    case 'call':
      return [...all(others), 0x10, ...index(place.functions)];
    case 'i32.const':
      return [0x41, ...signed(Number(first))];
    case 'f32x4.const':
      return [0xfd, 0x0c, ...new Uint8Array(Float32Array.of(...Array<number>(4).fill(Number(first))).buffer)];
    case 'block':
    case 'loop': {
      const within = { ...place, labels: [...place.labels, nameOf(first)] };
      return [head === 'block' ? 0x02 : 0x03, 0x40, ...all(others, within), 0x0b];
    }
    case 'br_if':
      return [...all(others), 0x0d, ...depth()];
    case 'if': {
      const within = { ...place, labels: [...place.labels, ''] };
      return [...emit(first ?? unknown(head), place), 0x04, 0x40, ...all(others, within), 0x0b];
    }
    default:
      return unknown(head);
  }
}

/** The text as nested lists. */
function readExpressions(text: string): readonly Expression[] {
  const open: Expression[][] = [[]];
  for (const token of text.match(/[()]|[^\s()]+/g) ?? []) {
    if (token === '(') open.push([]);
    else if (token === ')') {
      const closed = open.pop() ?? [];
      (open.at(-1) ?? unknown(token)).push(closed);
    } else open.at(-1)?.push(token);
  }
  return open.length === 1 ? (open[0] ?? []) : unknown('(');
}

function listOf(expression: Expression): readonly Expression[] {
  return typeof expression === 'string' ? unknown(expression) : expression;
}

function listOfAny(expression: Expression): readonly Expression[] {
  return typeof expression === 'string' ? [] : expression;
}

function nameOf(expression: Expression | undefined): string {
  return typeof expression === 'string' && expression.startsWith('$') ? expression : unknown(expression);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function textBytes(text: string): number[] {
  return vector([...new TextEncoder().encode(text)].map((byte) => [byte]));
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

function unknown(word: unknown): never {
  throw new RangeError(`no word of the kernels: ${String(word)}`);
}

/** Lets everything else that waits go on, then throws `knowledge.cancelled` when the work is no longer wanted. */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (signal?.aborted) throw new CandorError('knowledge.cancelled', 'clustering was cancelled');
}
