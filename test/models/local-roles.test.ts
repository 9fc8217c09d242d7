/** Every role over HTTP against a local model of random weights: what counts is that loop, JSON and cancel work. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LLAMA_DIRECTORY, whyNoLlama } from '../../scripts/llama.ts';
import { type LanguageModel, openGgufModel, openSessionModel } from '../../src/model/index.ts';
import { driveRoles } from './drive-roles.ts';
import { scriptedModel } from './scripted-model.ts';
import { type ServedModel, serveModel } from './serve-model.ts';
import { tinyGguf } from './tiny-gguf.ts';

const SERVICE = { name: 'openai:tiny', json: 'schema', timeoutMs: 60_000, requestsAtOnce: 1 } as const;

describe('a model behind the form of OpenAI', () => {
  it('says, calls and counts what it says itself', async () => {
    const model = scriptedModel([
      '{"a": 1}',
      { text: '', toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at": "orders"}' }] },
    ]);
    const served = await serveModel(model);
    const hosted = await openSessionModel({ ...SERVICE, url: served.url });
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
    const messages = [{ role: 'user' as const, content: 'orders?' }];
    const replySchema = { type: 'object', properties: { a: { type: 'number' } } };
    expect(await hosted.chat({ messages, replySchema })).toMatchObject({ text: '{"a": 1}', finish: 'stop' });
    expect(await hosted.chat({ messages, tools })).toMatchObject({
      toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at": "orders"}' }],
    });
    expect(model.requests[0]?.replySchema).toMatchObject(replySchema);
    await served.close();
  });
});

const missing = await whyNoLlama();
const suite = missing === null ? 'every role' : `every role (skipped: ${missing})`;

describe.skipIf(missing !== null)(suite, () => {
  let folder: string;
  let model: LanguageModel;
  let served: ServedModel;
  let hosted: LanguageModel;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'candor-roles-'));
    const file = join(folder, 'tiny.gguf');
    await writeFile(file, tinyGguf({ contextLength: 16_384 }));
    model = await openGgufModel(file, { packageDirectory: LLAMA_DIRECTORY, useGpu: false, threads: 1 });
    served = await serveModel(model);
    hosted = await openSessionModel({ ...SERVICE, url: served.url });
  });
  afterAll(async () => {
    await served?.close();
    await model?.close?.();
    await rm(folder, { recursive: true, force: true });
  });

  it('comes back with a value or a typed error', async () => {
    const driven = await driveRoles(hosted, { maxTokens: 48 });
    expect(driven).toHaveLength(28);
    for (const { role, outcome, promptTokens } of driven) {
      expect(outcome, role).toMatch(
        /^(?:came back|repaired|model\.(?:invalid-reply|bad-reply|reply-cut|only-thoughts))$/,
      );
      expect(promptTokens, role).toBeGreaterThan(50);
    }
    // Grammars hold nonsense to the form: some of it is read at the first try.
    expect(driven.some(({ outcome }) => outcome === 'came back')).toBe(true);
  }, 120_000);

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    const driven = await driveRoles(hosted, { signal: controller.signal });
    expect(driven.at(-1)?.outcome).toBe('model.cancelled');
  });
});
