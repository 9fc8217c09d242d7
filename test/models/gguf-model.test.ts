import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LLAMA_DIRECTORY, whyNoLlama } from '../../scripts/llama.ts';
import { type ChatRequest, type LanguageModel, openGgufModel } from '../../src/model/index.ts';
import { tinyGguf } from './tiny-gguf.ts';

const SETTINGS = { packageDirectory: LLAMA_DIRECTORY, useGpu: false, threads: 1 };
const missing = await whyNoLlama();
const suite = missing === null ? 'a local model' : `a local model (skipped: ${missing})`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-gguf-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (content: string, rest: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [
    { role: 'system', content: 'You write SQL.' },
    { role: 'user', content },
  ],
  maxTokens: 24,
  ...rest,
});

describe.skipIf(missing !== null)(suite, () => {
  let model: LanguageModel;
  beforeAll(async () => {
    const file = join(folder, 'tiny.gguf');
    await writeFile(file, tinyGguf());
    model = await openGgufModel(file, SETTINGS);
  });
  afterAll(() => model?.close?.());

  it('says what it is, and that nobody else reads', () => {
    expect(model.id).toMatch(/^gguf\/tiny@[0-9a-f]{16}$/);
    expect(model).toMatchObject({ host: null, contextWindow: 512 });
  });

  it('writes the same again for the same request, and something else for another seed', async () => {
    const draw = async (seed: number) => (await model.chat(ask('orders', { temperature: 1, seed }))).text;
    const first = await draw(1);
    expect(await draw(1)).toBe(first);
    expect(await draw(2)).not.toBe(first);
  });

  it('counts tokens, and knows the beginning of a prompt that it has read before', async () => {
    const first = await model.chat(ask('orders by month'));
    const again = await model.chat(ask('orders by month'));
    expect(first).toMatchObject({ finish: 'length', usage: { completionTokens: 24 } });
    expect(again.usage.promptTokens).toBe(first.usage.promptTokens);
    expect(again.usage.cachedTokens).toBe(first.usage.promptTokens - 1);
  });

  it('gives the log probability of every token of the text', async () => {
    const { text, logProbabilities = [] } = await model.chat(ask('orders', { wantsLogProbabilities: true }));
    expect(logProbabilities.map(({ token }) => token).join('')).toBe(text);
    expect(logProbabilities.length).toBeGreaterThan(0);
    for (const { logProbability } of logProbabilities) expect(logProbability).toBeLessThanOrEqual(0);
    expect(logProbabilities.some(({ logProbability }) => logProbability < -0.01)).toBe(true);
  });

  const flags = z.object({
    kind: z.enum(['sum', 'count']),
    isRight: z.boolean(),
    note: z.union([z.literal('none'), z.null()]),
    parts: z.array(z.enum(['a', 'b'])).max(2),
  });
  it.each([1, 2, 3])('keeps to a JSON schema, whatever its weights wish (seed %i)', async (seed) => {
    const request = { temperature: 1.5, seed, maxTokens: 200, replySchema: z.toJSONSchema(flags) };
    const { text, finish } = await model.chat(ask('judge', request));
    expect(finish).toBe('stop');
    expect(flags.safeParse(JSON.parse(text)).success).toBe(true);
  });

  it('calls a tool with arguments of its parameters, or says that it is done', async () => {
    const limit = z.object({ limit: z.enum(['one', 'two']) });
    const tools = [{ name: 'search', description: 'Searches.', parameters: z.toJSONSchema(limit) }];
    const replySchema = z.toJSONSchema(z.object({ isEnough: z.boolean() }));
    const seen = new Set<string>();
    for (let seed = 1; seed <= 8; seed++) {
      const { finish, text, toolCalls } = await model.chat(
        ask('research', { tools, replySchema, temperature: 2, seed, maxTokens: 100 }),
      );
      seen.add(String(finish));
      if (finish === 'stop') expect(typeof JSON.parse(text).isEnough).toBe('boolean');
      for (const call of toolCalls) {
        expect(call.name).toBe('search');
        expect(limit.safeParse(JSON.parse(call.arguments)).success).toBe(true);
      }
    }
    expect([...seen].sort()).toEqual(['stop', 'tool-calls']);
  });

  it('refuses a prompt that leaves no room, and goes on', async () => {
    await expect(model.chat(ask('x '.repeat(400)))).rejects.toMatchObject({
      code: 'model.context-full',
      data: { contextWindow: 512 },
    });
    const { finish, usage } = await model.chat(ask('orders', { maxTokens: 100_000 }));
    expect(finish).toBe('length');
    expect(usage.promptTokens + usage.completionTokens).toBeLessThanOrEqual(512);
  });

  it('answers several at once, one after the other', async () => {
    const texts = ['one', 'two', 'three'];
    const together = await Promise.all(texts.map((text) => model.chat(ask(text))));
    for (const [index, text] of texts.entries())
      expect(together[index]?.text).toBe((await model.chat(ask(text))).text);
  });

  it('stops when it is cancelled, before and in its middle, and answers the next', async () => {
    await expect(model.chat(ask('orders', { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'model.cancelled',
    });
    const controller = new AbortController();
    const running = model.chat(ask('orders', { maxTokens: 400, signal: controller.signal }));
    setImmediate(() => controller.abort());
    await expect(running).rejects.toMatchObject({ code: 'model.cancelled' });
    expect((await model.chat(ask('orders'))).text).not.toBe('');
  });

  it('reads special tokens in the words of people as letters', async () => {
    const plain = await model.chat(ask('orders'));
    const marked = await model.chat(ask('orders</s>'));
    expect(marked.usage.promptTokens).toBe(plain.usage.promptTokens + 4);
  });

  it('fails what is still being written when it is closed', async () => {
    const other = await openGgufModel(join(folder, 'tiny.gguf'), SETTINGS);
    const running = other.chat(ask('orders', { maxTokens: 400 }));
    const failed = expect(running).rejects.toMatchObject({ code: 'model.cancelled' });
    await other.close?.();
    await failed;
    await expect(other.chat(ask('orders'))).rejects.toMatchObject({ code: 'model.cancelled' });
  });

  const broken: readonly (readonly [string, (whole: Buffer) => Buffer])[] = [
    ['is cut in its weights', (whole) => whole.subarray(0, whole.length - 40_000)],
    ['is cut in its header', (whole) => whole.subarray(0, 700)],
    ['has no settings', (whole) => Buffer.concat([whole.subarray(0, 16), Buffer.alloc(64)])],
    ['is no GGUF', () => Buffer.from('This is a text of more than twenty-four bytes.')],
    ['is empty', () => Buffer.alloc(0)],
    [
      'is of a later version',
      (whole) => Buffer.concat([whole.subarray(0, 4), Buffer.from([9]), whole.subarray(5)]),
    ],
  ];
  it.each(broken)('refuses a file that %s', async (what, damage) => {
    const file = join(folder, `${what.replaceAll(' ', '-')}.gguf`);
    await writeFile(file, damage(tinyGguf()));
    await expect(openGgufModel(file, SETTINGS)).rejects.toMatchObject({
      code: 'model.invalid',
      message: expect.stringContaining(file),
    });
  });

  it('names a file that is not there', async () => {
    await expect(openGgufModel(join(folder, 'none.gguf'), SETTINGS)).rejects.toMatchObject({
      code: 'model.not-found',
    });
  });
});

it('prints the line that installs the package where it is missing', async () => {
  const file = join(folder, 'any.gguf');
  await writeFile(file, tinyGguf());
  await expect(openGgufModel(file, { packageDirectory: folder })).rejects.toMatchObject({
    code: 'model.package-missing',
    message: expect.stringContaining('npm install --omit=optional --ignore-scripts node-llama-cpp@3.20.0'),
  });
});
