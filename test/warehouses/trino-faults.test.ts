/** Trino's protocol when something between us and the coordinator goes wrong; the real server is in test/conformance. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../../src/database/index.ts';
import { TrinoDatabase } from '../../src/database/trino/trino-database.ts';
import { readTrinoUrl } from '../../src/database/trino/trino-target.ts';
import { type Exchange, type ExchangeServer, playExchanges } from './exchange-server.ts';

const SECRET = 's3cret-that-nobody-may-see';
const LIMITS = { rows: 10, bytes: 100_000, timeoutMs: 5_000 };
const path = '/v1/statement';
const credentials = {
  'x-trino-user': 'me',
  authorization: `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`,
};
const stats = { state: 'RUNNING' };

/** START TRANSACTION READ ONLY, as the real server answers it. */
const begin: readonly Exchange[] = [
  {
    request: { method: 'POST', path, headers: { ...credentials, 'x-trino-transaction-id': 'NONE' } },
    response: { body: { id: 'q0', nextUri: '{{origin}}/v1/statement/q0/1', stats } },
  },
  {
    request: { method: 'GET', path: '/v1/statement/q0/1', headers: credentials },
    response: {
      headers: { 'x-trino-started-transaction-id': 'tx-1' },
      body: { id: 'q0', updateType: 'START TRANSACTION', stats },
    },
  },
];
const rollBack: Exchange = {
  request: { method: 'POST', path, headers: { ...credentials, 'x-trino-transaction-id': 'tx-1' } },
  response: { body: { id: 'q9', updateType: 'ROLLBACK', stats } },
};
const submitted = (response: Exchange['response']): Exchange => ({
  request: { method: 'POST', path, headers: { ...credentials, 'x-trino-transaction-id': 'tx-1' } },
  response,
});
const integer = { name: 'n', type: 'integer', typeSignature: { rawType: 'integer', arguments: [] } };
const row = { columns: [integer], data: [[7]] };

let server: ExchangeServer | undefined;
let database: Database | undefined;
afterEach(async () => {
  await database?.close();
  await server?.close();
});

async function open(exchanges: readonly Exchange[]): Promise<Database> {
  server = await playExchanges(exchanges);
  const host = server.origin.replace('http://', '');
  database = new TrinoDatabase(readTrinoUrl(`trino://me:${SECRET}@${host}/hive/sales`));
  return database;
}

it('tries again where a gateway asks for it, and remembers nothing the server wants remembered', async () => {
  const remember = {
    'x-trino-set-session': 'a=b',
    'x-trino-set-catalog': 'other',
    'x-trino-set-schema': 'other',
  };
  const opened = await open([
    ...begin,
    submitted({ status: 503 }),
    submitted({ status: 502, headers: { 'retry-after': '0' } }),
    submitted({ headers: remember, body: { id: 'q1', nextUri: '{{origin}}/v1/statement/q1/1', stats } }),
    { request: { method: 'GET', path: '/v1/statement/q1/1' }, response: { status: 504 } },
    {
      request: { method: 'GET', path: '/v1/statement/q1/1' },
      response: { body: { id: 'q1', ...row, stats } },
    },
    rollBack,
    ...begin,
    {
      request: {
        method: 'POST',
        path,
        headers: {
          'x-trino-catalog': 'hive',
          'x-trino-schema': 'sales',
          'x-trino-session': 'query_max_run_time=5000ms',
          'x-trino-source': 'candor',
          'x-trino-time-zone': 'UTC',
        },
      },
      response: { body: { id: 'q2', ...row, stats } },
    },
    rollBack,
  ]);
  expect((await opened.query('SELECT 7', LIMITS)).rows).toEqual([[7]]);
  // Sent behind the caller's back; the exchanges have an order.
  await vi.waitUntil(() => server?.bodies.includes('ROLLBACK'), 20_000);
  expect((await opened.query('SELECT 7', LIMITS)).rows).toEqual([[7]]);
  await opened.close();
  expect(server?.problems).toEqual([]);
  expect(server?.missing()).toEqual([]);
});

it('cancels on the server what was cancelled here', async () => {
  const next = '/v1/statement/q1/1';
  const opened = await open([
    ...begin,
    submitted({ body: { id: 'q1', nextUri: `{{origin}}${next}`, stats } }),
    { request: { method: 'GET', path: next }, response: { instead: 'silence' } },
    { request: { method: 'DELETE', path: next, headers: credentials }, response: { status: 204, text: '' } },
    rollBack,
  ]);
  const control = new AbortController();
  const running = expect(opened.query('SELECT 7', LIMITS, control.signal)).rejects.toMatchObject({
    code: 'database.cancelled',
  });
  await vi.waitUntil(() => server?.headers.length === 4, 20_000);
  control.abort();
  await running;
  await opened.close();
  expect(server?.missing()).toEqual([]);
});

it('checks names and types alone where a plan takes too long, and has the plan stopped', async () => {
  const asked: string[] = [];
  const slow = createServer((request, response) => {
    const { method = '', url = '' } = request;
    void text(request).then((body) => {
      asked.push(body === '' ? `${method} ${url}` : body.replace(/\n.*/s, ''));
      const isBegin = body.startsWith('START TRANSACTION');
      const isPlan = body.startsWith('EXPLAIN (TYPE IO');
      if (url.endsWith('/plan/1') && method === 'GET') return;
      const host = `http://${request.headers.host}`;
      const valid = { name: 'Valid', type: 'boolean', typeSignature: { rawType: 'boolean', arguments: [] } };
      response.setHeader('x-trino-started-transaction-id', 'tx-1');
      response.end(
        JSON.stringify({
          ...{ id: 'q', stats },
          ...(isBegin ? { nextUri: `${host}/v1/statement/begin/1` } : {}),
          ...(url.endsWith('/begin/1') ? { updateType: 'START TRANSACTION' } : {}),
          ...(isPlan ? { nextUri: `${host}/v1/statement/plan/1` } : {}),
          ...(body.startsWith('EXPLAIN (TYPE VALIDATE') ? { columns: [valid], data: [[true]] } : {}),
        }),
      );
    });
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const address = slow.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const target = readTrinoUrl(`trino://me@127.0.0.1:${address.port}/hive/sales`);
  database = new TrinoDatabase(target, { planTimeoutMs: 200 });
  expect(await database.explain('SELECT n FROM t')).toEqual({});
  await database.close();
  expect(asked).toContain('EXPLAIN (TYPE VALIDATE)');
  expect(asked).toContain('DELETE /v1/statement/plan/1');
  slow.closeAllConnections();
  await new Promise((resolve) => slow.close(resolve));
});

const ends: readonly [name: string, response: Exchange['response'], code: string, says: string][] = [
  ['refuses the login', { status: 401, text: `bad password ${SECRET}` }, 'access-denied', 'bad password ***'],
  ['refuses the user', { status: 403, text: 'no' }, 'access-denied', 'no'],
  [
    'sends the next page elsewhere',
    { body: { id: 'q', nextUri: 'https://evil.example/q/1', stats } },
    'bad-answer',
    'points to https://evil.example',
  ],
  [
    'sends the next page to another port',
    { body: { id: 'q', nextUri: 'http://127.0.0.1:1/q/1', stats } },
    'bad-answer',
    'nothing was sent there',
  ],
  [
    'redirects',
    { status: 307, headers: { location: 'https://evil.example/' } },
    'bad-answer',
    'not followed',
  ],
  ['is a login page', { text: `<html>${SECRET}` }, 'bad-answer', 'not JSON'],
  ['is another service', { body: { hello: 'world' } }, 'bad-answer', 'not of Trino'],
  ['begins no transaction', { body: { id: 'q', stats } }, 'bad-answer', 'began no transaction'],
  ['hangs up', { instead: 'hang-up', text: '{"id":' }, 'connection-lost', 'hung up'],
  [
    'is starting',
    {
      body: {
        id: 'q',
        stats,
        error: {
          message: 'Trino server is still initializing',
          errorName: 'SERVER_STARTING_UP',
          errorType: 'INTERNAL_ERROR',
        },
      },
    },
    'unreachable',
    'still initializing',
  ],
  [
    'has a full queue',
    {
      body: {
        id: 'q',
        stats,
        error: {
          message: 'Too many queued queries',
          errorName: 'QUERY_QUEUE_FULL',
          errorType: 'INSUFFICIENT_RESOURCES',
        },
      },
    },
    'overloaded',
    'Too many',
  ],
  [
    'denies a right',
    {
      body: {
        id: 'q',
        stats,
        error: {
          message: 'Access Denied: Cannot select',
          errorName: 'PERMISSION_DENIED',
          errorType: 'USER_ERROR',
        },
      },
    },
    'access-denied',
    'Cannot select',
  ],
  ['is out of service', { status: 500, text: 'oops' }, 'bad-answer', 'HTTP 500'],
];
it.each(ends)('a server that %s', async (_, response, code, says) => {
  const opened = await open([{ request: { method: 'POST', path }, response }]);
  const error = await opened.query('SELECT 7', LIMITS).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: `database.${code}`, message: expect.stringContaining(says) });
  const cause = error instanceof Error ? String(error.cause) : '';
  expect(`${error} ${JSON.stringify(error)} ${cause}`).not.toContain(SECRET);
});

it('keeps all digits of numbers in a page', async () => {
  const bigint = { name: 'n', type: 'bigint', typeSignature: { rawType: 'bigint', arguments: [] } };
  const page = `{"id":"q","columns":[${JSON.stringify(bigint)}],"data":[[9223372036854775807],[-9007199254740993],[7]]}`;
  const opened = await open([...begin, submitted({ text: page }), rollBack]);
  const { rows } = await opened.query('SELECT n FROM t', LIMITS);
  expect(rows).toEqual([[9223372036854775807n], [-9007199254740993n], [7]]);
});
