import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { CandorError } from '../../errors.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model/language-model.ts';
import { contractOf, type WritingContract } from '../language-model/model-profiles.ts';
import { findPackage } from '../process/find-package.ts';
import { isAlive, openProcessChannel, type ProcessChannel, setHeld } from '../process/process-channel.ts';
import { cancelledError, orCancelled, throwIfCancelled } from '../requests/retry-transient.ts';
import { Slots } from '../requests/slots.ts';
import {
  type GgufChat,
  type GgufReply,
  type GgufRequest,
  type GgufSpec,
  isGgufReply,
} from './gguf-protocol.ts';

const VERSION = '3.20.0';

export interface GgufSettings {
  /** Relative files start here; absent: at the current folder. */
  readonly projectDirectory?: string | undefined;
  /** A folder whose `node_modules` has `node-llama-cpp`, where Candor's own has not. */
  readonly packageDirectory?: string | undefined;
  /** Tokens of a request and its reply; absent: what the model was trained on, as far as the memory goes. */
  readonly contextWindow?: number | undefined;
  /** What its writer is asked for; absent: as the size in its name has it. */
  readonly contract?: WritingContract | undefined;
  /** Threads of the processor; absent: as many as the machine has for sums. */
  readonly threads?: number | undefined;
  /** Absent: the best that is installed. `false`: the processor alone. */
  readonly useGpu?: boolean | undefined;
}

/**
 * A model of a GGUF file, in a process of its own on this machine; nothing leaves it. Loaded at once; whoever opens it
 * closes it. It takes one chat at a time; without a temperature it draws the likeliest tokens. Throws
 * `model.package-missing`, `model.not-found`, `model.invalid`, `model.process-ended` and `model.cancelled`; its chats
 * `model.context-full` too. Source: stack.md, sections 3 and 4.
 */
export async function openGgufModel(
  file: string,
  settings: GgufSettings = {},
  signal?: AbortSignal,
): Promise<LanguageModel> {
  const runtime = findLlama('a local model', settings.packageDirectory);
  const { path, id } = await findGguf(file, settings.projectDirectory);
  const { contextWindow, contract = contractOf(id), threads, useGpu = true } = settings;
  const process = new GgufProcess({
    runtime,
    file: path,
    useGpu,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(threads !== undefined && { threads }),
  });
  try {
    return {
      ...{ id, contract },
      host: null,
      contextWindow: await process.load(signal),
      chat: (request) => process.chat(toChat(request), request.signal),
      close: () => process.close(),
    };
  } catch (error) {
    await process.close();
    throw error;
  }
}

/** The file as it is named, with `~` and the project's folder; and the id of its model. */
async function findGguf(
  file: string,
  projectDirectory: string | undefined,
): Promise<{ readonly path: string; readonly id: string }> {
  const named = file.startsWith('~/') ? join(homedir(), file.slice(2)) : file;
  const path = resolve(projectDirectory ?? '.', named);
  const fingerprint = await checkGgufFile(path);
  return { path, id: `gguf/${basename(path, '.gguf')}@${fingerprint}` };
}

/** Throws `model.package-missing` with the line that installs it for this machine, without what GPUs need. */
function findLlama(user: string, packageDirectory: string | undefined): string {
  return findPackage('node-llama-cpp', user, installLine(process.platform, process.arch), packageDirectory);
}

/** The packages of a Mac are built with Metal, which it always has. */
export function installLine(platform: string, architecture: string): string {
  const systems: Readonly<Record<string, string>> = { darwin: 'mac', win32: 'win' };
  const metal = platform === 'darwin' && architecture === 'arm64' ? '-metal' : '';
  const native = `@node-llama-cpp/${systems[platform] ?? platform}-${architecture}${metal}@${VERSION}`;
  return `npm install --omit=optional --ignore-scripts node-llama-cpp@${VERSION} ${native}`;
}

function toChat({ signal: _signal, role: _role, ...chat }: ChatRequest): GgufChat {
  return chat;
}

const MAGIC = 'GGUF';
const LEAST_VERSION = 2;
const MOST_VERSION = 3;
const HEADER_BYTES = 24;
/** Of either end: names, settings and the tokenizer stand at the beginning, weights at the end. */
const HASHED_BYTES = 4 * 1024 * 1024;

/**
 * Throws `model.not-found` where there is no file, `model.invalid` for one that is no GGUF. Returns a hash of its size
 * and both ends: reading tens of gigabytes only to name a model would take minutes.
 */
async function checkGgufFile(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new CandorError('model.not-found', `there is no file ${file}`);
  if (!found.isFile()) throw new CandorError('model.not-found', `${file} is no file`);
  const handle = await open(file).catch((error: unknown) => {
    throw new CandorError('model.not-found', `${file} cannot be read: ${String(error)}`);
  });
  try {
    const header = await readAt(handle, 0, HEADER_BYTES);
    if (header.length < HEADER_BYTES || header.toString('latin1', 0, 4) !== MAGIC)
      throw new CandorError('model.invalid', `${file} is no GGUF file`);
    const version = header.readUInt32LE(4);
    if (version < LEAST_VERSION || version > MOST_VERSION)
      throw new CandorError('model.invalid', `${file} is GGUF of version ${version}; 2 and 3 are read`);
    const hash = createHash('sha256').update(String(found.size));
    hash.update(await readAt(handle, 0, HASHED_BYTES));
    hash.update(await readAt(handle, Math.max(0, found.size - HASHED_BYTES), HASHED_BYTES));
    return hash.digest('hex').slice(0, 16);
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

// The client's end of the process of a local model: starts it when needed, one request at a time, ends it.

/** Reading tens of gigabytes from a slow disk. */
const LOAD_TIMEOUT_MS = 600_000;
/** Without a sign of life: one part of the prompt or one token, on a machine that is busy. */
const SILENCE_MS = 120_000;
/** A cancelled chat that has not stopped by then is stopped with its process. */
const CANCEL_MS = 1_000;

type Channel = ProcessChannel<GgufReply>;

class GgufProcess {
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
