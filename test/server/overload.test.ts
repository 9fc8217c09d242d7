/** More than can be done in time is sent away by a typed error, on every way in; a lone request never is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.ts';
import { changedSession } from '../changed-session.ts';
import { openSmallSession, type SmallSession } from '../fixtures/grounded/open-small-session.ts';

let small: SmallSession;
let server: RunningServer;
let ids = 0;

beforeAll(async () => {
  small = await openSmallSession();
  const { config } = small.session;
  // Less than any work takes: whoever finds the one place taken is sent away.
  const narrow = { ...config, server: { ...config.server, questionsAtOnce: 1, mostWaitMs: 100 } };
  server = await startServer(changedSession(small.session, { config: narrow }), {
    host: '127.0.0.1',
    port: 0,
    newId: () => `id-${++ids}`,
    onBug: (_, error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await server.close();
  await small.close();
});

const post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const QUESTION = 'How many singers are there?';
const SLOW_SQL =
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) SELECT COUNT(*) FROM n';

const WAYS: readonly { readonly way: string; readonly send: () => Promise<Response> }[] = [
  { way: 'POST /v1/ask', send: () => post('/v1/ask', { question: QUESTION }) },
  { way: 'POST /v1/sql', send: () => post('/v1/sql', { sql: SLOW_SQL }) },
  {
    way: 'POST /v1/chat/completions',
    send: () => post('/v1/chat/completions', { messages: [{ role: 'user', content: QUESTION }] }),
  },
  {
    way: 'a turn of a chat',
    send: async () => {
      const { id } = (await (await post('/v1/chats')).json()) as { id: string };
      return post(`/v1/chats/${id}/turns`, { text: QUESTION }, { accept: 'text/event-stream' });
    },
  },
];

describe('ten at once where one is done at a time', () => {
  it.each(WAYS)('$way: some are answered, the others hear when to come again', async ({ send }) => {
    const replies = await Promise.all(Array.from({ length: 10 }, send));
    const statuses = replies.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    for (const reply of replies) {
      const text = await reply.text();
      if (reply.status === 200) {
        expect(text).not.toContain('overloaded');
        continue;
      }
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      const { error } = JSON.parse(text);
      expect(error).toMatchObject({ code: 'server.overloaded', requestId: expect.stringMatching(/^id-/) });
      expect(error.message).toMatch(/Try again in \d+ s\./);
      expect(error.next).toContain('Retry-After');
    }
    // All of them are over, and nothing is left behind.
    const last = await send();
    expect(last.status).toBe(200);
    await last.text();
  });

  it.each([
    ['ask', { question: QUESTION }],
    ['run_sql', { sql: SLOW_SQL }],
  ])('the tool %s of MCP: the error says the same', async (name, args) => {
    const call = async (id: number): Promise<string> => {
      const response = await post(
        '/mcp',
        { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
        { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      );
      return `${response.status} ${await response.text()}`;
    };
    const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => call(at + 1)));
    const refused = replies.filter((reply) => reply.includes('server.overloaded'));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(10);
    for (const reply of refused) expect(reply).toMatch(/Try again in \d+ s\./);
    for (const reply of replies) expect(reply).toMatch(/^200 /);
  });

  it('what costs nothing is never refused', async () => {
    const working = Array.from({ length: 10 }, () => post('/v1/ask', { question: QUESTION }));
    for (const path of ['/health', '/v1/settings', '/v1/chats'])
      expect((await fetch(`${server.url}${path}`)).status).toBe(200);
    await Promise.all(working);
  });
});
