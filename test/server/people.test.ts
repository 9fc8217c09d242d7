/** Several people on one server: who they are, what each may see and do, and what nobody may. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { addExample } from '../../src/knowledge/authored/index.ts';
import {
  makeKey,
  openServerState,
  PeopleStore,
  type RunningServer,
  startServer,
} from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { changedSession } from '../changed-session.ts';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';

const CONFIG = `database: sqlite:shop.db
search: { embedding: none }
server:
  groups:
    north: { tables: [customers, orders], session: { city: Lyon } }
    south: { tables: [customers, orders], session: { city: Nice } }
    clerks: {}
    readers: { tables: [orders], showSql: false, runSql: false, questionsPerHour: 3 }
`;
/** Everybody sees the customers of their own city alone. */
const SEMANTICS = `version: 0.1.1
semantic_model:
  - name: shop
    datasets:
      - name: customers
        source: customers
        custom_extensions:
          - vendor_name: CANDOR
            data: '{"row_filter": "customers.city = :city"}'
`;

let folder: string;
let session: Session;
let server: RunningServer;
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-people-'));
  makeShop(join(folder, 'shop.db'));
  writeFileSync(join(folder, 'candor.yml'), CONFIG);
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics', 'shop.yml'), SEMANTICS);
  for (const [name, ...rest] of [
    ['ann', '--admin'],
    ['nora', '--group', 'north'],
    ['sam', '--group', 'south'],
    ['rita', '--group', 'readers'],
    ['carl', '--group', 'clerks'],
    ['gone', '--group', 'north'],
    ['lone'],
  ] as const) {
    const { code, stdout, stderr } = await runCandor(['users', 'add', name, ...rest], folder);
    expect(code, stderr).toBe(0);
    keys[name] = stdout.trim();
  }
  await runCandor(['users', 'disable', 'gone'], folder);
  await addExample(join(folder, 'examples'), {
    ...{ question: 'how many customers are there?', sql: 'SELECT COUNT(*) FROM customers' },
    ...{ verifiedBy: 'ann', verifiedAt: '2026-01-01' },
  });
  session = await openSession(await readConfig({ cwd: folder }));
  let ids = 0;
  server = await startServer(session, {
    ...{ host: '127.0.0.1', port: 0, needsSignIn: true, publicUrls: ['https://candor.example'] },
    newId: () => `id-${++ids}-${makeKey((bytes) => Buffer.alloc(bytes, ids)).slice(-8)}`,
    newSecret: () => makeKey((bytes) => Buffer.alloc(bytes, ++ids)),
    onBug: (id, error) => {
      throw new Error(`${id}: ${error.stack}`);
    },
  });
});
afterAll(async () => {
  await server.close();
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

type Headers = Record<string, string>;
const as = (name: string): Headers => ({ authorization: `Bearer ${keys[name]}` });
async function call(method: string, path: string, headers: Headers, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}

describe('files', () => {
  it('that restrict anybody are for those who may change them', async () => {
    const path = '/v1/files/semantics/shop.yml';
    expect((await call('GET', path, as('ann'))).body.text).toBe(SEMANTICS);
    for (const name of ['carl', 'nora', 'rita']) {
      expect((await call('GET', '/v1/files', as(name))).status, name).toBe(403);
      expect((await call('GET', path, as(name))).status, name).toBe(403);
    }
  });
});

describe('who is there', () => {
  it.each([
    ['no key', {}],
    ['a key of nobody', { authorization: `Bearer ${makeKey((bytes) => Buffer.alloc(bytes, 7))}` }],
    ['a key that is none', { authorization: 'Bearer cnd_x' }],
    ['a cookie of nobody', { cookie: 'candor_sign_in=guess', origin: 'own' }],
  ])('%s: nothing but the open routes', async (_, given) => {
    const headers = 'origin' in given ? { ...given, origin: server.url } : given;
    for (const path of ['/v1/me', '/v1/chats', '/v1/feedback', '/ready', '/openapi.json', '/v1/audit'])
      expect((await call('GET', path, headers)).status, path).toBe(401);
    expect((await call('POST', '/v1/sql', headers, { sql: 'SELECT 1' })).status).toBe(401);
    expect((await call('POST', '/mcp', headers, {})).status).toBe(401);
    expect((await call('GET', '/health', headers)).status).toBe(200);
  });

  it('a disabled user is nobody, and so is one whose key was revoked', async () => {
    expect((await call('GET', '/v1/me', as('gone'))).status).toBe(401);
    const state = await openServerState(session.config);
    const store = new PeopleStore(state);
    const key = makeKey((bytes) => Buffer.alloc(bytes, 99));
    const { id } = await store.readUser('nora');
    await store.addKey(id, key, { createdAt: new Date().toISOString() });
    const headers = { authorization: `Bearer ${key}` };
    expect((await call('GET', '/v1/me', headers)).status).toBe(200);
    await store.revokeKey(
      (await store.listKeys(id)).find(({ prefix }) => key.includes(prefix))?.prefix ?? '',
    );
    await state.close();
    expect((await call('GET', '/v1/me', headers)).status).toBe(401);
  });

  it('a key that has expired is nobody’s', async () => {
    const state = await openServerState(session.config);
    const store = new PeopleStore(state);
    const key = makeKey((bytes) => Buffer.alloc(bytes, 98));
    const at = '2020-01-01T00:00:00.000Z';
    await store.addKey((await store.readUser('nora')).id, key, { createdAt: at, expiresAt: at });
    await state.close();
    expect((await call('GET', '/v1/me', { authorization: `Bearer ${key}` })).status).toBe(401);
  });

  it('a browser signs in with a key, and out again', async () => {
    const own = { origin: server.url };
    expect((await call('POST', '/v1/sign-in', own, { key: 'cnd_wrong' })).status).toBe(401);
    const { status, body, headers } = await call('POST', '/v1/sign-in', own, { key: keys.nora });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'nora', groups: ['north'], isAdmin: false, isSignedIn: true });
    const set = headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^candor_sign_in=[^;]+;/);
    for (const flag of ['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/']) expect(set).toContain(flag);
    const cookie = set.split(';')[0] ?? '';
    expect((await call('GET', '/v1/me', { cookie })).body.name).toBe('nora');
    expect((await call('POST', '/v1/chats', { cookie })).status, 'a request that hides its page').toBe(403);
    expect((await call('POST', '/v1/chats', { cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await call('POST', '/v1/chats', { cookie, ...own })).status).toBe(200);
    await call('POST', '/v1/sign-out', { cookie, ...own });
    expect((await call('GET', '/v1/me', { cookie })).status).toBe(401);
  });
});

describe('what each may see', () => {
  const citiesOf = async (name: string): Promise<readonly string[]> => {
    const { body } = await call('POST', '/v1/sql', as(name), { sql: 'SELECT DISTINCT city FROM customers' });
    return body.rows.map(([city]: [string]) => city);
  };

  it('rows of their own city alone, by SQL, by question and in chats', async () => {
    expect(await citiesOf('nora')).toEqual(['Lyon']);
    expect(await citiesOf('sam')).toEqual(['Nice']);
    const counted = async (name: string) =>
      (await call('POST', '/v1/ask', as(name), { question: 'how many customers are there?' })).body;
    const [nora, sam] = [await counted('nora'), await counted('sam')];
    expect(nora.kind).toBe('answered');
    expect(nora.rows).not.toEqual(sam.rows);
  });

  it('tables that are not theirs do not exist, in any route and any words', async () => {
    const replies = [
      await call('POST', '/v1/sql', as('rita'), { sql: 'SELECT * FROM customers' }),
      await call('POST', '/v1/ask', as('rita'), { question: 'how many customers are there?' }),
      await call('POST', '/v1/chat/completions', as('rita'), {
        model: 'candor',
        messages: [{ role: 'user', content: 'which tables are there?' }],
      }),
    ];
    for (const { text } of replies.slice(1)) expect(text).not.toMatch(/customers\./);
    const hidden = await call('POST', '/v1/sql', as('nora'), { sql: 'SELECT * FROM sqlite_master' });
    expect(hidden.body.kind ?? hidden.body.error.code).not.toBe('answered');
  });

  it('no place of the project or its database, for those who do not run the server', async () => {
    const { body: chat } = await call('POST', '/v1/chats', as('nora'));
    const { body: asked } = await call('POST', '/v1/ask', as('nora'), {
      question: 'how many customers are there?',
    });
    const { recordId } = asked;
    const turn = await call('POST', `/v1/chats/${chat.id}/turns`, as('nora'), {
      text: 'how many orders are there?',
    });
    const { body: share } = await call('POST', `/v1/chats/${chat.id}/share`, as('nora'));
    const mcp = (method: string, params: object) =>
      call(
        'POST',
        '/mcp',
        { ...as('nora'), accept: 'application/json, text/event-stream' },
        {
          ...{ jsonrpc: '2.0', id: 1, method, params },
        },
      );
    const replies = [
      ...[
        ...[
          `/v1/records/${recordId}`,
          '/v1/records',
          '/v1/me',
          '/v1/settings',
          '/v1/health',
          '/health',
          '/v1/workspaces',
        ],
        ...[
          '/v1/catalog/tables',
          '/v1/tables',
          '/v1/tables/customers',
          '/v1/suggestions',
          '/v1/search?q=customers',
        ],
        ...[
          '/v1/graph',
          '/v1/areas',
          '/v1/files',
          '/v1/feedback',
          '/v1/jobs',
          '/v1/tests',
          '/v1/records/none',
        ],
        ...[
          `/v1/chats/${chat.id}`,
          `/v1/shares/${share.shareId}`,
          `/v1/runs/${turn.body.runId}/events`,
          '/openapi.json',
        ],
      ].map((path) => call('GET', path, as('nora'))),
      call('POST', '/v1/sql', as('nora'), { sql: 'SELECT SUBSTR(city) FROM customers' }),
      call('POST', `/v1/records/${recordId}/replay`, as('nora')),
      call('POST', `/v1/records/${recordId}/rows`, as('nora')),
      call('POST', '/v1/fix', as('nora'), { sql: 'SELECT SUBSTR(city) FROM customers' }),
      mcp('resources/list', {}),
      mcp('tools/call', { name: 'explain_answer', arguments: { recordId } }),
      mcp('tools/call', { name: 'run_sql', arguments: { sql: 'SELECT SUBSTR(city) FROM customers' } }),
    ];
    const told = await Promise.all(replies);
    for (const { text } of told) {
      expect(text).not.toContain(folder);
      expect(text).not.toContain('sqlite:');
    }
    expect(told.filter(({ status }) => status === 200).length).toBeGreaterThan(12);
    const { body } = await call('GET', `/v1/records/${recordId}`, as('nora'));
    expect(body).toMatchObject({ id: recordId, database: 'shop' });
  });

  it('no question that was verified over a table which is not theirs', async () => {
    const question = 'how many customers are there?';
    const offered = async (name: string) => {
      const replies = await Promise.all([
        call('GET', '/v1/suggestions', as(name)),
        call('GET', '/v1/search?q=how%20many%20customers', as(name)),
      ]);
      return replies.map(({ text }) => text).join('\n');
    };
    expect(await offered('nora')).toContain(question);
    expect(await offered('rita')).not.toContain(question);
    const rita = await session.forUser('rita', { tables: ['orders'], properties: {} });
    expect(rita.examples).toEqual([]);
  });

  it('no SQL where it may not be seen, nor run', async () => {
    const { body } = await call('POST', '/v1/ask', as('rita'), { question: 'how many orders are there?' });
    expect(body).toMatchObject({ kind: 'answered', sql: '', evidence: [] });
    expect(JSON.stringify(body)).not.toMatch(/SELECT/i);
    expect((await call('POST', '/v1/sql', as('rita'), { sql: 'SELECT 1' })).body.error.code).toBe(
      'server.no-right',
    );
    expect((await call('POST', '/v1/fix', as('rita'), { sql: 'SELEC 1' })).body.error.code).toBe(
      'server.no-right',
    );
    expect((await call('POST', '/mcp', as('rita'), {})).status).toBe(403);
    const certified = await call('POST', '/v1/certify', as('nora'), { recordId: body.recordId });
    expect(certified.body.error.code).toBe('server.no-right');
  });

  it('as many questions as the hour has', async () => {
    const codes = [];
    for (let at = 0; at < 5; at += 1) {
      const { status, body } = await call('POST', '/v1/ask', as('rita'), {
        question: 'how many orders are there?',
      });
      codes.push(status === 200 ? body.kind : body.error.code);
    }
    expect(codes.at(-1)).toBe('server.quota');
  });

  it('no question without a group, and why', async () => {
    const { status, body } = await call('POST', '/v1/ask', as('lone'), { question: 'how many orders?' });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({
      code: 'server.no-right',
      message: expect.stringContaining('lone is in no group that may ask questions'),
    });
  });

  it('nobody’s conversation, run, record or feedback but their own', async () => {
    const { body: chat } = await call('POST', '/v1/chats', as('nora'));
    const started = await call('POST', `/v1/chats/${chat.id}/turns`, as('nora'), {
      text: 'how many customers are there?',
    });
    const { runId } = started.body;
    await call('GET', `/v1/runs/${runId}/events`, as('nora'));
    const { body: kept } = await call('GET', `/v1/chats/${chat.id}`, as('nora'));
    const { recordId } = kept.messages[0].cards[0].answer;
    const attempts: [string, string, unknown?][] = [
      ['GET', `/v1/chats/${chat.id}`],
      ['DELETE', `/v1/chats/${chat.id}`],
      ['POST', `/v1/chats/${chat.id}/turns`, { text: 'how many?' }],
      ['GET', `/v1/runs/${runId}/events`],
      ['POST', `/v1/runs/${runId}/cancel`],
      ['POST', '/v1/feedback', { recordId, verdict: 'up' }],
      ['POST', '/v1/answers', { recordId, reply: '1' }],
    ];
    for (const [method, path, body] of attempts)
      expect((await call(method, path, as('sam'), body)).status, `${method} ${path}`).toBe(404);
    expect((await call('GET', '/v1/chats', as('sam'))).text).not.toContain(chat.id);
    expect((await call('POST', '/v1/feedback', as('nora'), { recordId, verdict: 'up' })).status).toBe(200);
    expect((await call('GET', '/v1/feedback', as('sam'))).text).not.toContain(recordId);
    expect((await call('GET', '/v1/feedback', as('ann'))).text).toContain(recordId);
  });

  it('the audit log is for admins, and only grows', async () => {
    expect((await call('GET', '/v1/audit', as('nora'))).status).toBe(403);
    const { body } = await call('GET', '/v1/audit?limit=10000', as('ann'));
    const whats = body.entries.map(({ who, what }: { who: string; what: string }) => `${who} ${what}`);
    expect(whats).toEqual(
      expect.arrayContaining([
        'nora sql',
        'nora question',
        'nobody sign-in failed',
        'rita right denied',
        'nora signed in',
      ]),
    );
    const { stdout } = await runCandor(['users', 'audit'], folder);
    expect(stdout.trim().split('\n')).toHaveLength(body.entries.length);
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const file = new DatabaseSync(join(folder, '.candor', 'server.db'));
    for (const sql of ['DELETE FROM audit', "UPDATE audit SET who = 'somebody'"])
      expect(() => file.exec(sql)).toThrow('only grows');
    file.close();
  });
});

describe('what nobody may', () => {
  const raw = (headers: Headers, path = '/v1/me'): Promise<number> =>
    new Promise((resolve, reject) => {
      request(`${server.url}${path}`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  it('a name that was resolved to this machine is refused', async () => {
    expect(await raw({ ...as('ann'), host: 'evil.example' })).toBe(403);
  });

  it.each([
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/v1/chats/..%2f..%2fx',
  ])('a way out of the folder: %s', async (path) => {
    const { status, text } = await call('GET', path, as('ann'));
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('"dependencies"');
  });

  it('a header in a header', async () => {
    const { status, headers } = await call(
      'GET',
      `/v1/chats/${encodeURIComponent('x\r\nset-cookie: a=b')}`,
      as('ann'),
    );
    expect(status).toBe(404);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('more than fits', async () => {
    expect((await call('POST', '/v1/ask', as('ann'), { question: 'x'.repeat(1_100_000) })).status).toBe(413);
  });
});

describe('serving people elsewhere', () => {
  const start = (settings: object) =>
    startServer(session, {
      host: '127.0.0.1',
      port: 0,
      newId: () => 'x',
      onBug: () => undefined,
      ...settings,
    });

  it('needs an address that they open', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'server.not-loopback' });
  });

  it('needs somebody who can sign in', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'candor-nobody-'));
    const other = changedSession(session, { config: { ...session.config, derivedDirectory: empty } });
    const started = startServer(other, {
      ...{ host: '0.0.0.0', port: 0, publicUrls: ['https://candor.example'] },
      ...{ newId: () => 'x', onBug: () => undefined },
    });
    await expect(started).rejects.toMatchObject({ code: 'server.no-users' });
    rmSync(empty, { recursive: true, force: true });
  });

  it('answers to its public name', async () => {
    const server = await start({ publicUrls: ['https://candor.example'] });
    const status = await new Promise((resolve) =>
      request(
        `${server.url}/v1/me`,
        { headers: { ...as('ann'), host: 'candor.example' } },
        ({ statusCode }) => resolve(statusCode),
      ).end(),
    );
    expect(status).toBe(200);
    await server.close();
  });
});

describe('who guesses keys', () => {
  it('has to wait, and nobody else has', async () => {
    const guess = { authorization: `Bearer ${makeKey((bytes) => Buffer.alloc(bytes, 55))}` };
    const statuses: number[] = [];
    for (let at = 0; at < 60; at += 1) statuses.push((await call('GET', '/v1/me', guess)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await call('GET', '/v1/me', as('ann'))).status).toBe(200);
  });
});

describe('candor users', () => {
  it.each([
    [['users', 'add', 'ann'], 'people.exists'],
    [['users', 'add', 'x', '--group', 'nothing'], 'people.unknown-group'],
    [['users', 'key', 'nobody'], 'people.unknown'],
    [['users', 'revoke', 'nothing'], 'people.unknown'],
    [['users', 'disable', 'nobody'], 'people.unknown'],
  ])('%j fails with %s', async (args, code) => {
    const { code: exit, stderr } = await runCandor(args, folder);
    expect(exit).not.toBe(0);
    expect(stderr).toContain(code);
  });

  it('shows no key again', async () => {
    const { stdout } = await runCandor(['users', 'list', '--output', 'json'], folder);
    for (const key of Object.values(keys)) expect(stdout).not.toContain(key.slice(13));
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'rita', groups: ['readers'] }));
  });
});
