/** The client's end of the process of a local model: starts it when needed, one request at a time, ends it. */
import { CandorError } from '../../errors.ts';
import { cancelledError, orCancelled, throwIfCancelled } from '../cancelled.ts';
import type { ChatReply } from '../language-model.ts';
import { isAlive, openProcessChannel, type ProcessChannel, setHeld } from '../process-channel.ts';
import { Slots } from '../slots.ts';
import {
  type GgufChat,
  type GgufReply,
  type GgufRequest,
  type GgufSpec,
  isGgufReply,
} from './gguf-protocol.ts';

/** Reading tens of gigabytes from a slow disk. */
const LOAD_TIMEOUT_MS = 600_000;
/** Without a sign of life: one part of the prompt or one token, on a machine that is busy. */
const SILENCE_MS = 120_000;
/** A cancelled chat that has not stopped by then is stopped with its process. */
const CANCEL_MS = 1_000;

type Channel = ProcessChannel<GgufReply>;

export class GgufProcess {
  readonly #spec: GgufSpec;
  readonly #slots = new Slots(1);
  #channel: Channel | null = null;
  #isClosed = false;

  constructor(spec: GgufSpec) {
    this.#spec = spec;
  }

  /** Starts the process and returns the tokens of its context. */
  load(signal?: AbortSignal): Promise<number> {
    return orCancelled(
      this.#slots.run(async () => (await this.#start(signal)).contextWindow),
      signal,
      'the local model',
    );
  }

  /** After the chats asked for before. A cancelled chat stops within a second; so the next one may load again. */
  chat(chat: GgufChat, signal?: AbortSignal): Promise<ChatReply> {
    const work = this.#slots.run(async () => {
      throwIfCancelled(signal);
      const channel = this.#channel ?? (await this.#start(signal)).channel;
      const reply = await this.#exchange(channel, { kind: 'chat', chat }, SILENCE_MS, signal);
      if (reply.kind === 'replied') return reply.reply;
      throw unexpected(reply);
    });
    return orCancelled(work, signal, 'the chat');
  }

  /** Ends the process; what is still being written fails with `model.cancelled`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const channel = this.#channel;
    this.#channel = null;
    if (channel === null) return;
    channel.child.ref();
    channel.child.kill('SIGKILL');
    await channel.exited;
  }

  async #start(
    signal: AbortSignal | undefined,
  ): Promise<{ readonly channel: Channel; readonly contextWindow: number }> {
    throwIfCancelled(signal);
    if (this.#isClosed) throw cancelledError('the local model');
    const channel = openProcessChannel(new URL('./runner', import.meta.url), isGgufReply);
    this.#channel = channel;
    try {
      const reply = await this.#exchange(
        channel,
        { kind: 'load', spec: this.#spec },
        LOAD_TIMEOUT_MS,
        signal,
      );
      if (reply.kind === 'loaded') return { channel, contextWindow: reply.contextWindow };
      throw unexpected(reply);
    } catch (error) {
      // What could not be loaded is started afresh next time.
      channel.child.kill('SIGKILL');
      this.#channel = null;
      throw error;
    }
  }

  /** Settles on the reply, on the end of the process, or on silence, which ends the process. */
  async #exchange(
    channel: Channel,
    request: GgufRequest,
    silenceMs: number,
    signal: AbortSignal | undefined,
  ): Promise<GgufReply> {
    const { child, exited } = channel;
    let why: string | null = null;
    const end = (reason: string): void => {
      why = reason;
      child.kill('SIGKILL');
    };
    const silent = (): void => end(`nothing was heard of it for ${silenceMs / 1000} s`);
    let timer = setTimeout(silent, silenceMs);
    const cancel = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => end('it was cancelled and did not stop'), CANCEL_MS);
      if (child.connected) child.send({ kind: 'cancel' }, () => undefined);
    };
    setHeld(child, true);
    try {
      const replied = new Promise<GgufReply>((resolve) => {
        channel.receive = (reply) => {
          if (reply.kind !== 'alive') resolve(reply);
          else if (signal?.aborted !== true) timer.refresh();
        };
      });
      // A closed channel is no error of its own: the exit event settles it.
      if (child.connected) child.send(request, () => undefined);
      signal?.addEventListener('abort', cancel, { once: true });
      const reply = await Promise.race([replied, exited.then(() => null)]);
      if (reply !== null) return reply;
      throw this.#endedError(channel, why);
    } finally {
      signal?.removeEventListener('abort', cancel);
      channel.receive = null;
      clearTimeout(timer);
      setHeld(child, false);
      if (!isAlive(child) && this.#channel === channel) this.#channel = null;
    }
  }

  #endedError({ child, stderr }: Channel, reason: string | null): CandorError {
    if (this.#isClosed) return cancelledError('the local model');
    const how = reason ?? child.signalCode ?? `exit code ${child.exitCode}`;
    return new CandorError(
      'model.process-ended',
      `the process of the local model ${this.#spec.file} ended (${how})`,
      {
        data: { stderr },
      },
    );
  }
}

function unexpected(reply: GgufReply): CandorError {
  if (reply.kind === 'failed') return new CandorError(reply.code, reply.message, { data: reply.data });
  return new CandorError('internal.bug', `the process of a local model answered out of turn: ${reply.kind}`);
}
