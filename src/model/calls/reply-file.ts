/** A reply as a file: what a cache keeps, and what a recording is. */

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ChatReply, ChatRequest } from '../language-model/language-model.ts';

/** A longer reply is no reply of a role of ours. */
const MOST_BYTES = 4 * 2 ** 20;

const REPLY = z.object({
  model: z.string(),
  role: z.string(),
  reply: z.object({
    text: z.string(),
    toolCalls: z.array(
      z.object({ id: z.string(), name: z.string(), arguments: z.string(), signature: z.string().optional() }),
    ),
    usage: z.object({
      promptTokens: z.number(),
      completionTokens: z.number(),
      cachedTokens: z.number().optional(),
      isEstimated: z.boolean().optional(),
    }),
    finish: z.enum(['stop', 'length', 'tool-calls', 'refused']).optional(),
    thoughts: z.string().optional(),
    logProbabilities: z.array(z.object({ token: z.string(), logProbability: z.number() })).optional(),
  }),
});

export interface KeptReply {
  readonly model: string;
  readonly role: string;
  readonly reply: ChatReply;
}

export type FoundReply =
  | { readonly kind: 'found'; readonly reply: ChatReply }
  | { readonly kind: 'none' }
  /** There is something, and it cannot be read as a reply of ours. */
  | { readonly kind: 'damaged'; readonly path: string };

export function replyPath(directory: string, key: string): string {
  return join(directory, key.slice(0, 2), `${key}.json`);
}

export async function readReply(directory: string, key: string): Promise<FoundReply> {
  const path = replyPath(directory, key);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? { kind: 'none' } : { kind: 'damaged', path };
  }
  const read = REPLY.safeParse(parseJson(text));
  if (!read.success) return { kind: 'damaged', path };
  const { finish, thoughts, logProbabilities, toolCalls, usage, text: said } = read.data.reply;
  const { cachedTokens, isEstimated, ...counted } = usage;
  const reply: ChatReply = {
    text: said,
    toolCalls: toolCalls.map(({ signature, ...call }) => ({ ...call, ...(signature && { signature }) })),
    usage: {
      ...counted,
      ...(cachedTokens !== undefined && { cachedTokens }),
      ...(isEstimated !== undefined && { isEstimated }),
    },
    ...(finish !== undefined && { finish }),
    ...(thoughts !== undefined && { thoughts }),
    ...(logProbabilities !== undefined && { logProbabilities }),
    isReplayed: true,
  };
  return { kind: 'found', reply };
}

/** Whole or not at all. False: the reply is too long, or the folder cannot be written. */
export async function writeReply(directory: string, key: string, kept: KeptReply): Promise<boolean> {
  const text = `${JSON.stringify(kept, null, 2)}\n`;
  if (Buffer.byteLength(text) > MOST_BYTES) return false;
  const path = replyPath(directory, key);
  written += 1;
  const own = `${path}.${process.pid}-${written}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(own, text, { mode: 0o600 });
    await rename(own, path);
    return true;
  } catch {
    await rm(own, { force: true }).catch(() => undefined);
    return false;
  }
}

/** Two calls may write the same reply at once. */
let written = 0;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names a request by everything the reply depends on: the model and all of the request but who waits for it and who is told. */
export function requestKey(model: string, { signal: _, onSend: __, ...request }: ChatRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([model, sorted(request)]))
    .digest('hex')
    .slice(0, 32);
}

/** With keys in one order, whoever built it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
