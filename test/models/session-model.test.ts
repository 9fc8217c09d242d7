/** What stands around a service in a session: retries, places, kept replies, recordings, spans, over real HTTP. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatRequest, openSessionModel, type SessionModelSettings } from '../../src/model/index.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { type ModelServer, type ServerScript, startModelServer } from './model-server.ts';

const SECRET = 'sk-very-secret';
const ASKED: ChatRequest = {
  role: 'write',
  messages: [{ role: 'user', content: 'orders of Ada Lovelace' }],
  temperature: 0,
};

let folder: string;
const servers: ModelServer[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-model-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(script: ServerScript, settings: Partial<SessionModelSettings> = {}) {
  const server = await startModelServer(script);
  servers.push(server);
  const notices: string[] = [];
  const model = await openSessionModel(
    { name: 'openai:m', url: server.url, key: SECRET, timeoutMs: 5_000, requestsAtOnce: 4, ...settings },
    { onNotice: (message) => notices.push(message) },
  );
  return { server, model, notices };
}

const again = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ fault: 'status', status, headers }) as const;

describe('a call that fails', () => {
  it.each([
    ['too many requests, with a pause in seconds', again(429, { 'retry-after': '0' })],
    ['too many requests, with a pause in milliseconds', again(429, { 'retry-after-ms': '10' })],
    ['an error of the service', again(500)],
    ['a connection that breaks', { fault: 'dropped' } as const],
  ])('is tried again after %s', async (_, fault) => {
    const { server, model } = await open([fault, 'fine']);
    expect((await model.chat(ASKED)).text).toBe('fine');
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['no credit', { fault: 'quota' } as const, 'model.overloaded'],
    ['a wrong key', again(401), 'model.refused'],
    ['a pause of minutes', again(429, { 'retry-after': '600' }), 'model.overloaded'],
    ['half of its JSON', { fault: 'half-json' } as const, 'model.bad-reply'],
    ['another form', { fault: 'wrong-schema' } as const, 'model.bad-reply'],
    ['a login page', { fault: 'login-page' } as const, 'model.bad-reply'],
    ['no choices', { fault: 'no-choices' } as const, 'model.bad-reply'],
    ['more than a reply may be', { fault: 'huge', bytes: 3_000_000 } as const, 'model.bad-reply'],
    ['a redirect', { fault: 'redirect', to: 'http://127.0.0.1:1/' } as const, 'model.bad-reply'],
  ])('is not tried again after %s', async (_, fault, code) => {
    const { server, model } = await open([fault]);
    const failed = await model.chat(ASKED).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code });
    expect(`${String(failed)} ${JSON.stringify(failed)}`).not.toMatch(/very-secret|Lovelace/);
    expect(server.asked).toHaveLength(1);
  });

  it('that takes too long is stopped and tried again', async () => {
    const { server, model } = await open([{ fault: 'slow', ms: 60_000 }, 'fine'], { timeoutMs: 300 });
    expect((await model.chat(ASKED)).text).toBe('fine');
    expect(server.hangUps()).toBe(1);
  });

  it('ends at once when it is cancelled, in its middle or while it waits for its turn', async () => {
    const { server, model } = await open([{ fault: 'slow', ms: 60_000 }], { requestsAtOnce: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [model.chat({ ...ASKED, signal }), model.chat({ ...ASKED, seed: 2, signal })];
    setTimeout(() => controller.abort(), 50);
    expect(await Promise.all(calls.map(codeOf))).toEqual(['model.cancelled', 'model.cancelled']);
    expect(server.asked.length).toBeLessThanOrEqual(1);
  });

  it('ends at once when it is cancelled between two tries', async () => {
    const { model } = await open([again(429, { 'retry-after': '30' })]);
    const failing = model.chat({ ...ASKED, signal: AbortSignal.timeout(100) });
    await expect(failing).rejects.toMatchObject({
      code: 'model.cancelled',
      message: 'the chat was cancelled',
    });
  });
});

it('asks no more at once than it may', async () => {
  const { server, model } = await open(() => ({ fault: 'slow', ms: 30 }), {
    requestsAtOnce: 2,
  });
  await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => model.chat({ ...ASKED, seed })));
  expect(server.mostAtOnce()).toBe(2);
});

describe('kept replies', () => {
  it('answer the very same request, and no other', async () => {
    const { server, model } = await open((_, index) => `reply ${index}`, { cache: join(folder, 'kept') });
    const first = await model.chat(ASKED);
    expect(await model.chat({ ...ASKED, signal: new AbortController().signal })).toEqual({
      ...first,
      isReplayed: true,
    });
    expect((await model.chat({ ...ASKED, temperature: 0.5 })).text).toBe('reply 1');
    expect(server.asked).toHaveLength(2);
  });

  it('that are damaged are asked for anew, and somebody hears of it', async () => {
    const cache = join(folder, 'kept');
    const { server, model, notices } = await open(['one', 'two'], { cache });
    await model.chat(ASKED);
    const [file = ''] = (await readdir(cache, { recursive: true })).filter((name) => name.endsWith('.json'));
    await writeFile(join(cache, file), '{"half":');
    expect((await model.chat(ASKED)).text).toBe('two');
    expect(notices).toEqual([expect.stringContaining('asked for anew')]);
    expect(server.asked).toHaveLength(2);
  });

  it('are whole: what was cut is not kept, and no key or prompt is in the files', async () => {
    const cache = join(folder, 'kept');
    const { server, model } = await open([{ text: 'ha', finish: 'length' }, 'whole'], { cache });
    await model.chat(ASKED);
    await model.chat(ASKED);
    await model.chat(ASKED);
    expect(server.asked).toHaveLength(2);
    for (const file of await readdir(cache, { recursive: true }))
      if (file.endsWith('.json'))
        expect(await readFile(join(cache, file), 'utf8')).not.toMatch(/very-secret|Lovelace/);
  });
});

describe('recordings', () => {
  it('give the same replies again without the service', async () => {
    const record = join(folder, 'calls');
    const { model, server } = await open([{ text: '{"a": 1}', usage: { prompt: 7, completion: 3 } }], {
      record,
    });
    const said = await model.chat(ASKED);
    const replayed = await openSessionModel({
      ...{ name: 'openai:m', url: server.url, timeoutMs: 1_000, requestsAtOnce: 1 },
      replay: record,
    });
    expect(replayed.host).toBeNull();
    expect(await replayed.chat(ASKED)).toEqual({ ...said, isReplayed: true });
    expect(server.asked).toHaveLength(1);
  });

  it('that are missing say how to make them, and the service is not asked', async () => {
    const { model, server } = await open(['x'], { replay: join(folder, 'none') });
    await expect(model.chat(ASKED)).rejects.toMatchObject({
      code: 'model.not-recorded',
      message: expect.stringContaining(`record: ${join(folder, 'none')}`),
    });
    expect(server.asked).toHaveLength(0);
  });

  it('include what was answered from kept replies', async () => {
    const cache = join(folder, 'kept');
    const { model, server } = await open(['x'], { cache });
    await model.chat(ASKED);
    const record = join(folder, 'calls');
    const second = await openSessionModel({
      ...{ name: 'openai:m', url: server.url, key: SECRET, timeoutMs: 1_000, requestsAtOnce: 1 },
      ...{ cache, record },
    });
    await second.chat(ASKED);
    expect(
      (await readdir(record, { recursive: true })).filter((name) => name.endsWith('.json')),
    ).toHaveLength(1);
  });
});
