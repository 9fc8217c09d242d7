import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { findPackage } from '../find-package.ts';
import type { ChatRequest, LanguageModel } from '../language-model.ts';
import { contractOf, type WritingContract } from '../model-profiles.ts';
import { checkGgufFile } from './check-gguf-file.ts';
import { GgufProcess } from './gguf-process.ts';
import type { GgufChat } from './gguf-protocol.ts';

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
export async function findGguf(
  file: string,
  projectDirectory: string | undefined,
): Promise<{ readonly path: string; readonly id: string }> {
  const named = file.startsWith('~/') ? join(homedir(), file.slice(2)) : file;
  const path = resolve(projectDirectory ?? '.', named);
  const fingerprint = await checkGgufFile(path);
  return { path, id: `gguf/${basename(path, '.gguf')}@${fingerprint}` };
}

/** Throws `model.package-missing` with the line that installs it for this machine, without what GPUs need. */
export function findLlama(user: string, packageDirectory: string | undefined): string {
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
