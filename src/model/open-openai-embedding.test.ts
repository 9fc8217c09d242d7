import { afterEach, describe, expect, it } from 'vitest';
import {
  type EmbeddingServer,
  type Misbehave,
  sendVectors,
  startEmbeddingServer,
} from '../../test/conformance/embedding-server.ts';
import { CandorError } from '../errors.ts';
import { openOpenAiEmbedding } from './embeddings/open-embedding-model.ts';
import { type EmbeddingModel, openEmbeddingModel } from './index.ts';

const KEY = 'sk-very-secret-0123456789';

const servers: EmbeddingServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(misbehave?: Misbehave): Promise<EmbeddingServer> {
  const server = await startEmbeddingServer(misbehave);
  servers.push(server);
  return server;
}

const open = (server: EmbeddingServer, timeoutMs = 5_000): Promise<EmbeddingModel> =>
  openOpenAiEmbedding('small', { url: server.url, key: KEY, timeoutMs });

/** Behaves well until the model is open. */
const onceOpen =
  (misbehave: Misbehave): Misbehave =>
  (response, asked, vectors) =>
    asked.texts[0] === 'dimensions' ? false : misbehave(response, asked, vectors);

async function failureOf(run: Promise<unknown>): Promise<CandorError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CandorError)) throw new Error(`no CandorError: ${String(error)}`);
  expect(
    `${error.message} ${error.stack} ${JSON.stringify(error.data)} ${String(error.cause)}`,
  ).not.toContain(KEY);
  return error;
}

describe('an embedding service', () => {
  it('is asked at /embeddings with the key as a bearer token', async () => {
    const server = await start();
    const model = await openEmbeddingModel({
      embedding: 'openai:small',
      url: `${server.url}/`,
      key: KEY,
    });
    expect(model.id).toBe(`openai/${new URL(server.url).host}/small/512`);
    expect(model.dimensions).toBe(512);
    expect(server.asked[0]).toMatchObject({ url: '/v1/embeddings', authorization: `Bearer ${KEY}` });
  });

  it('gets batches, four at once at most', async () => {
    let openGate: () => void = () => undefined;
    const fourth = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    let came = 0;
    // Nobody is answered before the fourth is there; a fifth has time to come too.
    const server = await start(
      onceOpen(async () => {
        came += 1;
        if (came === 4) setTimeout(openGate, 20);
        await fourth;
        return false;
      }),
    );
    const model = await open(server);
    const texts = Array.from({ length: 128 * 9 + 1 }, (_, index) => `text ${index}`);
    const half = texts.length / 2;
    await Promise.all([model.embed(texts.slice(0, half)), model.embed(texts.slice(half))]);
    expect(Math.max(...server.asked.map((asked) => asked.texts.length))).toBe(128);
    expect(server.mostAtOnce()).toBe(4);
  });

  it.each([429, 500, 502, 503, 504])('is asked again after %i, as soon as it says', async (status) => {
    let failures = 0;
    const server = await start((response) => {
      failures += 1;
      if (failures > 2) return false;
      response.writeHead(status, { 'retry-after': '0' }).end();
      return true;
    });
    await open(server);
    expect(server.asked.length).toBe(3);
  });

  it('is asked again when it hangs up', async () => {
    let failures = 0;
    const server = await start((response) => {
      failures += 1;
      if (failures > 1) return false;
      response.destroy();
      return true;
    });
    await open(server);
    expect(server.asked.length).toBe(2);
  });

  it.each<readonly [string, Record<string, string>]>([
    ['seconds', { 'retry-after': '3600' }],
    ['milliseconds', { 'retry-after-ms': '3600000' }],
    [
      'a date, by its own clock',
      { date: 'Tue, 01 Jan 2030 00:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2030 01:00:00 GMT' },
    ],
  ])('is not waited for an hour, said in %s', async (_, headers) => {
    const server = await start((response) => {
      response.writeHead(429, headers).end();
      return true;
    });
    const error = await failureOf(open(server));
    expect(error.code).toBe('model.overloaded');
    expect(error.message).toContain('for the next 3600 s');
    expect(server.asked.length).toBe(1);
  });

  it.each([
    [401, 'model.refused', 1],
    [403, 'model.refused', 1],
    [404, 'model.refused', 1],
    [400, 'model.refused', 1],
    [302, 'model.bad-reply', 1],
    [307, 'model.bad-reply', 1],
    [429, 'model.overloaded', 5],
    [503, 'model.unreachable', 5],
  ])('that always answers %i ends with %s after %i tries', async (status, code, tries) => {
    const elsewhere = await start();
    const server = await start((response, { authorization }) => {
      response
        .writeHead(status, { 'retry-after-ms': '1', location: `${elsewhere.url}/embeddings` })
        .end(JSON.stringify({ error: { message: `wrong key ${authorization}`, code: 'invalid_thing' } }));
      return true;
    });
    const error = await failureOf(open(server));
    expect(error.code).toBe(code);
    expect(error.message).toContain(`answered ${status} (invalid_thing)`);
    expect(server.asked.length).toBe(tries);
    expect(elsewhere.asked).toEqual([]);
  });

  it('is not asked again when the account has no credit', async () => {
    const server = await start((response) => {
      response.writeHead(429).end(JSON.stringify({ error: { code: 'insufficient_quota' } }));
      return true;
    });
    expect((await failureOf(open(server))).message).toContain('insufficient_quota');
    expect(server.asked.length).toBe(1);
  });

  it.each<readonly [string, Misbehave]>([
    ['truncated JSON', (response) => reply(response, '{"data": [{"index": 0, "embedding": [0.1, 0.2')],
    ['a login page', (response) => reply(response, '<html>Sign in</html>')],
    ['NaN', (response) => reply(response, '{"data": [{"index": 0, "embedding": [NaN, 1]}]}')],
    ['null', (response) => reply(response, '{"data": [{"index": 0, "embedding": [null, 1]}]}')],
    ['infinity', (response) => reply(response, '{"data": [{"index": 0, "embedding": [1e999, 1]}]}')],
    ['zeros', (response) => reply(response, '{"data": [{"index": 0, "embedding": [0, 0]}]}')],
    ['no numbers', (response) => reply(response, '{"data": [{"index": 0, "embedding": []}]}')],
    ['nothing', (response) => reply(response, '')],
    ['an error with status 200', (response) => reply(response, '{"error": {"message": "no"}}')],
    ['one too few', (response, _, vectors) => send(response, vectors.slice(1))],
    ['one too many', (response, _, vectors) => send(response, [...vectors, ...vectors])],
    [
      'a number twice',
      (response) =>
        reply(response, '{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}'),
    ],
  ])('that sends %s is not believed', async (_, misbehave) => {
    const model = await open(await start(onceOpen(misbehave)));
    expect((await failureOf(model.embed(['a secret text', 'b']))).code).toBe('model.bad-reply');
  });

  it('whose answers have no end is cut off', async () => {
    const server = await start(
      onceOpen((response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(1024 * 1024, 32);
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
        return true;
      }),
    );
    const model = await open(server, 30_000);
    const error = await failureOf(model.embed(['a']));
    expect([error.code, error.message.replace(/^.* sent/, 'sent')]).toEqual([
      'model.bad-reply',
      'sent more than 64 MB',
    ]);
  });

  it('that changes its dimensions is refused', async () => {
    const model = await open(
      await start(
        onceOpen((response, _, vectors) =>
          send(
            response,
            vectors.map(() => [1, 2, 3]),
          ),
        ),
      ),
    );
    const error = await failureOf(model.embed(['a']));
    expect([error.code, error.message.replace(/^\S+ /, '')]).toEqual([
      'model.wrong-dimensions',
      'sent a vector of 3 dimensions for small, which had 512',
    ]);
  });

  it('that is silent is given up', async () => {
    const server = await start(() => true);
    const error = await failureOf(open(server, 20));
    expect(error.code).toBe('model.unreachable');
    expect(error.message).toContain('no answer in 0.02 s');
  });

  it('that is not there is said to be unreachable, with the reason', async () => {
    const server = await startEmbeddingServer();
    await server.close();
    const error = await failureOf(open(server));
    expect([error.code, error.message]).toEqual([
      'model.unreachable',
      `${server.url}/embeddings cannot be reached (ECONNREFUSED)`,
    ]);
  });

  it('can be cancelled while it is silent, and between tries', async () => {
    const stop = new AbortController();
    const silent = await open(await start(onceOpen(() => true)));
    const waiting = failureOf(silent.embed(['a'], stop.signal));
    const busy = await open(
      await start(
        onceOpen((response) => {
          response.writeHead(503, { 'retry-after': '30' }).end();
          setImmediate(() => stop.abort());
          return true;
        }),
      ),
    );
    expect((await failureOf(busy.embed(['a'], stop.signal))).code).toBe('model.cancelled');
    expect((await waiting).code).toBe('model.cancelled');
  });

  it.each(['nonsense', 'ftp://host/v1', 'file:///etc/passwd'])('is not asked at %s', async (url) => {
    const error = await failureOf(openOpenAiEmbedding('small', { url, key: KEY }));
    expect(error.code).toBe('model.refused');
  });

  it('takes no password in its URL, and does not repeat it', async () => {
    const error = await failureOf(openOpenAiEmbedding('small', { url: `https://me:${KEY}@host.test/v1` }));
    expect(error.message).toContain('host.test');
  });
});

function reply(response: Parameters<Misbehave>[0], body: string): boolean {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  return true;
}

function send(response: Parameters<Misbehave>[0], vectors: readonly (readonly number[])[]): boolean {
  sendVectors(response, vectors);
  return true;
}
