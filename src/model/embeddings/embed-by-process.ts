import { CandorError } from '../../errors.ts';
import { isAlive, openProcessChannel, type ProcessChannel, setHeld } from '../process/process-channel.ts';
import { orCancelled, throwIfCancelled } from '../requests/retry-transient.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { type EncoderSpec, isReply, type Reply, type Request } from './encoder-protocol.ts';
import { embedPrepared } from './prepare-texts.ts';
import { toUnitRows } from './unit-vectors.ts';

/** Large enough to be fast, small enough that a cancel or another caller waits a fraction of a second. */
const BATCH_SIZE = 64;

export interface EncoderShape {
  readonly id: string;
  /** As errors call it. */
  readonly title: string;
  readonly dimensions: number;
  readonly maxCharacters: number;
}

/** An embedding model over an encoder process, which it ends when it is closed. */
export function embedByProcess(
  process: EncoderProcess,
  { id, title, dimensions, maxCharacters }: EncoderShape,
): EmbeddingModel {
  return {
    id,
    dimensions,
    batchSize: BATCH_SIZE,
    embed: (texts, signal) =>
      embedPrepared(texts, { dimensions, maxCharacters }, async (prepared) => {
        const vectors: Float32Array[] = [];
        for (let start = 0; start < prepared.length; start += BATCH_SIZE) {
          const batch = prepared.slice(start, start + BATCH_SIZE);
          const matrix = await process.encode(batch, signal);
          vectors.push(...toUnitRows(matrix, { count: batch.length, dimensions }, title));
        }
        return vectors;
      }),
    close: () => process.close(),
  };
}

// The parent's end of the encoder process: starts it when needed, sends one batch at a time, ends it.

/** Reading a model of a gigabyte from a slow disk; and one batch on a machine that is busy. */
const LOAD_TIMEOUT_MS = 120_000;
const BATCH_TIMEOUT_MS = 120_000;

type Channel = ProcessChannel<Reply>;

interface Running {
  readonly channel: Channel;
  /** The dimensions of its vectors, once it is loaded. */
  readonly loaded: Promise<number>;
}

export class EncoderProcess {
  readonly #spec: EncoderSpec;
  /** As errors call it: "the built-in encoder". */
  readonly #title: string;
  #running: Running | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(spec: EncoderSpec, title: string) {
    this.#spec = spec;
    this.#title = title;
  }

  /** Starts the process and returns the dimensions of its vectors. */
  load(signal?: AbortSignal): Promise<number> {
    return this.#inTurn((running) => running.loaded, signal);
  }

  /** One row per text, after the batches asked for before. A cancelled batch ends unseen, the process stays. */
  encode(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array> {
    return this.#inTurn(async ({ channel, loaded }) => {
      await loaded;
      throwIfCancelled(signal);
      const reply = await this.#exchange(channel, { kind: 'encode', texts }, BATCH_TIMEOUT_MS);
      if (reply.kind === 'encoded') return reply.matrix;
      throw this.#unexpected(reply);
    }, signal);
  }

  /** Ends the process; what is still being encoded fails with `model.cancelled`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    running.channel.child.ref();
    running.channel.child.kill('SIGKILL');
    await running.channel.exited;
  }

  #inTurn<Result>(work: (running: Running) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const result = this.#queue.then(async () => {
      throwIfCancelled(signal);
      if (this.#isClosed) throw closedError();
      this.#running ??= this.#start();
      const running = this.#running;
      const { child } = running.channel;
      setHeld(child, true);
      try {
        return await work(running);
      } finally {
        setHeld(child, false);
        if (!isAlive(child) && this.#running === running) this.#running = null;
      }
    });
    this.#queue = result.catch(() => undefined);
    return orCancelled(result, signal);
  }

  #start(): Running {
    const channel = openProcessChannel(new URL('./encoder', import.meta.url), isReply);
    const loaded = this.#load(channel);
    // What could not be loaded is started afresh next time; the work that waits sees the reason.
    loaded.catch(() => channel.child.kill('SIGKILL'));
    return { channel, loaded };
  }

  async #load(channel: Channel): Promise<number> {
    const reply = await this.#exchange(channel, { kind: 'load', spec: this.#spec }, LOAD_TIMEOUT_MS);
    if (reply.kind === 'loaded') return reply.dimensions;
    throw this.#unexpected(reply);
  }

  /** Settles on whichever comes first: the reply, the time limit, the end of the process. */
  async #exchange(channel: Channel, request: Request, timeoutMs: number): Promise<Reply> {
    const { child, exited } = channel;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    try {
      const replied = new Promise<Reply>((resolve) => {
        channel.receive = resolve;
      });
      // A closed channel is no error of its own: the exit event settles it.
      if (child.connected) child.send(request, () => undefined);
      const reply = await Promise.race([replied, exited.then(() => null)]);
      if (reply !== null) return reply;
      if (this.#isClosed) throw closedError();
      throw this.#endedError(channel, isLate ? `it took more than ${timeoutMs / 1000} s` : null);
    } finally {
      channel.receive = null;
      clearTimeout(timer);
    }
  }

  #unexpected(reply: Reply): CandorError {
    if (reply.kind === 'failed') return new CandorError(reply.code, reply.message);
    return new CandorError('internal.bug', `${this.#title} answered out of turn: ${reply.kind}`);
  }

  #endedError({ child, stderr }: Channel, reason: string | null): CandorError {
    const how = reason ?? child.signalCode ?? `exit code ${child.exitCode}`;
    return new CandorError('model.process-ended', `the process of ${this.#title} ended (${how})`, {
      data: { stderr },
    });
  }
}

function closedError(): CandorError {
  return new CandorError('model.cancelled', 'the embedding model is closed');
}
