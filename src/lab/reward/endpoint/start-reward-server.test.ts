import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeShop } from '../../../../test/e2e/cli/make-shop.ts';
import { outlineCatalog } from '../../../catalog/index.ts';
import { connect, type Database, guarded } from '../../../database/index.ts';
import { openEmbeddingModel } from '../../../model/index.ts';
import { openScorer, type Scorer } from '../scorer/open-scorer.ts';
import { type RewardServer, type RewardServerSettings, startRewardServer } from './start-reward-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-reward-'));
let database: Database;
let scorer: Scorer;
beforeAll(async () => {
  makeShop(join(folder, 'shop.db'));
  const engine = await connect(`sqlite:${join(folder, 'shop.db')}`, { baseDirectory: folder });
  const schema = await outlineCatalog(engine);
  database = guarded(engine, { kind: 'caller-queries', catalog: schema });
  const embedding = await openEmbeddingModel({ embedding: 'hashed' });
  const limits = { rows: 100, bytes: 1_000_000, timeoutMs: 1_000 };
  scorer = openScorer({ databases: [database], schema, limits, embedding });
});
const servers: RewardServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(settings: Partial<RewardServerSettings> = {}): Promise<RewardServer> {
  const server = await startRewardServer({ scorer, host: '127.0.0.1', port: 0, concurrency: 2, ...settings });
  servers.push(server);
  return server;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    scores?: Record<string, unknown>[];
    error?: { code: string; message: string; next: string };
  };
}

async function post(server: RewardServer, body: string, init: RequestInit = {}): Promise<Reply> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${server.url}/v1/score`, { method: 'POST', headers, body, ...init });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const say = (answer: string) => `<think>because</think><answer>${answer}</answer>`;
const GOLD = 'SELECT COUNT(*) FROM customers';
const ITEM = { category: 'standard', goldKind: 'sql', gold: GOLD, output: say(GOLD), lengthTokens: 30 };

describe('POST /v1/score', () => {
  it('scores items in their order and gives their ids back', async () => {
    const items = [
      { ...ITEM, id: 'a' },
      { ...ITEM, output: say('SELECT COUNT(*) FROM orders') },
      { id: 7, category: 'follow_up', goldKind: 'nl', gold: 'Which city?', output: say('Which city?') },
    ];
    const { status, body } = await post(await start(), JSON.stringify({ items }));
    expect(status).toBe(200);
    expect(body.scores).toMatchObject([
      { id: 'a', total: 3.4, format: 1, grammar: 1, length: 0, accuracy: 1 },
      { format: 1, grammar: 1, length: 0, detail: { isEqual: false } },
      { id: 7, accuracy: 1, detail: { areTokensEstimated: true } },
    ]);
    expect(Object.keys(body.scores?.[1] ?? {})).not.toContain('id');
  });

  it.each<readonly [unknown, number, string, RegExp]>([
    ['{', 400, 'reward.invalid-request', /no JSON/],
    [{}, 400, 'reward.invalid-request', /items/],
    [{ items: [] }, 400, 'reward.invalid-request', /items/],
    [{ items: [{ ...ITEM, category: 'easy' }] }, 400, 'reward.invalid-request', /items\.0\.category/],
    [{ items: [ITEM, { ...ITEM, goldKind: 'nl' }] }, 400, 'reward.invalid-request', /items\.1\.goldKind/],
    [{ items: [{ ...ITEM, lengthTokens: -1 }] }, 400, 'reward.invalid-request', /lengthTokens/],
    [{ items: [{ ...ITEM, gold: undefined }] }, 400, 'reward.invalid-request', /gold/],
    [{ items: Array(1_025).fill(ITEM) }, 400, 'reward.invalid-request', /1024/],
    [{ items: [{ ...ITEM, output: 'x'.repeat(20_000) }] }, 413, 'reward.too-large', /10000/],
  ])('%.60j is answered with %i', async (body, expected, code, message) => {
    const server = await start({ mostBytes: expected === 413 ? 10_000 : 1_000_000 });
    const { status, body: reply } = await post(
      server,
      typeof body === 'string' ? body : JSON.stringify(body),
    );
    expect(status).toBe(expected);
    expect(reply.error).toMatchObject({
      code,
      message: expect.stringMatching(message),
      next: expect.any(String),
    });
  });

  it.each<readonly [string, string, RequestInit, number, string]>([
    [
      'a form',
      '/v1/score',
      { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' },
      415,
      'reward.wrong-type',
    ],
    ['GET', '/v1/score', {}, 405, 'reward.wrong-method'],
    ['a preflight', '/v1/score', { method: 'OPTIONS' }, 405, 'reward.wrong-method'],
    ['another path', '/v2/score', { method: 'POST' }, 404, 'reward.unknown-route'],
    ['a posted health', '/healthz', { method: 'POST' }, 405, 'reward.wrong-method'],
  ])('refuses %s', async (_, path, init, status, code) => {
    const response = await fetch((await start()).url + path, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it.each([
    ['evil.example', 403],
    ['127.0.0.1.evil.example:80', 403],
    ['localhost.', 403],
    ['localhost:9999', 200],
    ['[::1]:1', 200],
  ])('the host %s gets %i', async (host, status) => {
    const { url } = await start();
    const got = await new Promise<number | undefined>((resolve, reject) => {
      request(`${url}/healthz`, { headers: { Host: host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(got).toBe(status);
  });

  it('answers whatever is sent with 200 or 400', async () => {
    const server = await start();
    const item = fc.record(
      {
        category: fc.constantFrom('standard', 'ambiguity', 'none', 3),
        goldKind: fc.constantFrom('sql', 'nl', null),
        gold: fc.oneof(fc.string(), fc.constant(GOLD), fc.constant(null)),
        output: fc.oneof(fc.string(), fc.string().map(say), fc.integer()),
        lengthTokens: fc.oneof(fc.integer(), fc.double(), fc.string()),
        virtualTables: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.array(item, { maxLength: 3 }).map((items) => JSON.stringify({ items })),
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const { status, body: reply } = await post(server, text);
        expect([200, 400]).toContain(status);
        if (status === 400) expect(reply.error?.code).toBe('reward.invalid-request');
      }),
      { numRuns: 200, seed: 23 },
    );
  });
});

/** A scorer whose items end when they are let go. */
function heldScorer() {
  const held: (() => void)[] = [];
  const aborted: unknown[] = [];
  const slow: Scorer = {
    refresh: async () => undefined,
    score: (_, signal) =>
      new Promise((resolve, reject) => {
        held.push(() =>
          resolve({
            total: 0,
            format: 0,
            grammar: 0,
            length: 0,
            accuracy: 0,
            detail: { answerKind: 'none', tokens: 0 },
          }),
        );
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason);
          reject(new Error('stopped'));
        });
      }),
  };
  return { slow, held, aborted };
}

async function until(test: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !test(); turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(test()).toBe(true);
}

describe('under load', () => {
  const batch = (count: number) => JSON.stringify({ items: Array(count).fill(ITEM) });

  it('takes a batch whole or refuses it with 429 and when to come again', async () => {
    const { slow, held } = heldScorer();
    const server = await start({ scorer: slow, mostWaiting: 3 });
    const first = post(server, batch(4));
    await until(() => held.length === 2);
    const refused = await post(server, batch(2));
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'reward.overloaded' } } });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    const second = post(server, batch(1));
    for (let done = 0; done < 5; done += 1) {
      await until(() => held.length > 0);
      held.shift()?.();
    }
    expect((await first).body.scores).toHaveLength(4);
    expect((await second).body.scores).toHaveLength(1);
  });

  it('cancels the items of a client that went away', async () => {
    const { slow, held, aborted } = heldScorer();
    const server = await start({ scorer: slow });
    const leave = new AbortController();
    const posted = post(server, batch(3), { signal: leave.signal });
    await until(() => held.length === 2);
    leave.abort();
    await expect(posted).rejects.toThrow();
    await until(() => aborted.length === 2);
    // The third one never began.
    expect(held).toHaveLength(2);
  });

  it('ends what is in work before it closes, and cancels what takes too long', async () => {
    const { slow, held } = heldScorer();
    const server = await start({ scorer: slow, concurrency: 1 });
    const posted = post(server, batch(1));
    await until(() => held.length === 1);
    const closed = server.close();
    held.shift()?.();
    expect((await posted).status).toBe(200);
    await closed;
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();

    const other = heldScorer();
    const impatient = await start({ scorer: other.slow, graceMs: 50 });
    const cut = post(impatient, batch(1));
    await until(() => other.held.length === 1);
    await impatient.close();
    expect(await cut).toMatchObject({ status: 503, body: { error: { code: 'reward.closing' } } });
  });
});

describe('startRewardServer', () => {
  it.each(['0.0.0.0', '::', '192.168.1.4', 'example.org'])('does not serve on %s', async (host) => {
    await expect(start({ host })).rejects.toMatchObject({ code: 'reward.not-loopback' });
  });

  it('says that a port is taken', async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toMatchObject({
      code: 'reward.port-unusable',
    });
  });
});
