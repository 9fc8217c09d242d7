/** Two projects on one server: the same people, each with what the groups of each project give them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { AuditLog, openServerState, type RunningServer, startServer } from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { makeWorkspaces } from './make-workspaces.ts';
import { CLIENT, type Issuer, startIssuer } from './start-issuer.ts';

let folder: string;
let shop: string;
let issuer: Issuer;
let home: Session;
let hr: Session;
let server: RunningServer;
const keys: Record<string, string> = {};

beforeAll(async () => {
  issuer = await startIssuer();
  folder = mkdtempSync(join(tmpdir(), 'candor-workspaces-'));
  const oidc = { issuer: issuer.url, ...CLIENT, groupsClaim: 'groups', allowedDomains: ['shop.example'] };
  shop = makeWorkspaces(folder, { oidc });
  for (const [name, ...rest] of [
    ['ann', '--admin'],
    ['sam', '--group', 'sales'],
    ['hana', '--group', 'hr'],
    ['both', '--group', 'sales', '--group', 'hr'],
  ] as const) {
    const { code, stdout, stderr } = await runCandor(['users', 'add', name, ...rest], shop);
    expect(code, stderr).toBe(0);
    keys[name] = stdout.trim();
  }
  const config = await readConfig({ cwd: shop });
  home = await openSession(config);
  hr = await openSession(await readConfig({ cwd: config.server.workspaces.hr ?? '' }));
  server = await startServer(home, {
    ...{ host: '127.0.0.1', port: 0, needsSignIn: true, newId: randomUUID },
    workspaces: [{ name: 'hr', session: hr }],
    newSecret: () => randomBytes(32).toString('base64url'),
    onBug: (id, error) => {
      throw new Error(`${id}: ${error.stack}`);
    },
  });
}, 60_000);
afterAll(async () => {
  await server.close();
  await Promise.all([home.close(), hr.close()]);
  await issuer.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, name: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keys[name]}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const tablesOf = async (path: string, name: string): Promise<string[]> =>
  (await call('GET', `${path}/v1/catalog/tables`, name)).body.tables.map(({ id }: { id: string }) => id);

describe('people', () => {
  it.each([
    ['ann', ['shop', 'hr']],
    ['both', ['shop', 'hr']],
    ['sam', ['shop']],
    ['hana', ['shop', 'hr']],
  ])('%s is led to %j', async (name, expected) => {
    const { body } = await call('GET', '/v1/workspaces', name);
    const names = body.workspaces.map((each: { name: string }) => each.name);
    // The one that was asked is always among them.
    expect(names).toEqual(expected);
    expect(body.workspaces[0]).toMatchObject({ path: '/', isCurrent: true });
  });

  it.each([
    ['ann', ['customers', 'orders'], ['employees']],
    ['sam', ['orders'], []],
    ['hana', [], ['employees']],
    ['both', ['orders'], ['employees']],
  ])('%s sees of each project what its own groups give', async (name, ofShop, ofStaff) => {
    expect((await tablesOf('', name)).sort()).toEqual(ofShop);
    expect(await tablesOf('/w/hr', name)).toEqual(ofStaff);
  });

  it('are bound by the rights of the project they ask', async () => {
    const question = { question: 'how many employees are there?' };
    const held = await call('POST', '/w/hr/v1/ask', 'hana', question);
    expect(held.body).toMatchObject({ kind: 'answered', rows: [] });
    const { status } = await call('POST', `/w/hr/v1/records/${held.body.recordId}/rows`, 'hana');
    expect(status).toBe(200);
    expect((await call('POST', '/w/hr/v1/ask', 'ann', question)).body.rows).toEqual([[3]]);
    expect((await call('POST', '/v1/ask', 'hana', question)).body.kind).not.toBe('answered');
  });

  it('whose name of a group is one that every object has get nothing by it', async () => {
    issuer.claims = {
      ...{ sub: 'odd', email: 'odd@shop.example', email_verified: true },
      groups: ['constructor', 'toString', '__proto__'],
    };
    const cookie = await signInAt('');
    const listed = await fetch(`${server.url}/v1/catalog/tables`, { headers: { cookie } });
    expect(await listed.json()).toMatchObject({ tables: [] });
  });

  it('are added to the groups of any project, and of no other', async () => {
    const { code, stderr } = await runCandor(['users', 'add', 'eve', '--group', 'constructor'], shop);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no group "constructor"')]);
  });
});

/** Signs a browser in at a workspace as whom the issuer names. Returns its cookie. */
async function signInAt(path: string): Promise<string> {
  const get = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });
  const cookieOf = (reply: Response) => reply.headers.getSetCookie().map((set) => set.split(';')[0]);
  const start = await get(`${server.url}${path}/v1/oidc/start`);
  const atIssuer = await get(start.headers.get('location') ?? '');
  const back = atIssuer.headers.get('location') ?? '';
  // One address is registered at the issuer, whichever project somebody came for.
  expect(back).toContain(`${server.url}/v1/oidc/callback?`);
  const done = await get(back, cookieOf(start).join('; '));
  expect(done.headers.get('location')).toBe(`${path}/`);
  return cookieOf(done).join('; ');
}

describe('a sign-in', () => {
  it('holds for all projects, and leads back to the one it was begun at', async () => {
    issuer.claims = { sub: 'h', email: 'eva@shop.example', email_verified: true, groups: ['hr'] };
    const cookie = await signInAt('/w/hr');
    for (const path of ['/v1/me', '/w/hr/v1/me'])
      expect(await (await fetch(`${server.url}${path}`, { headers: { cookie } })).json()).toMatchObject({
        name: 'eva@shop.example',
      });
  });

  it('that fails leads back there too', async () => {
    const odd = await fetch(`${server.url}/w/hr/v1/oidc/callback?state=guess`, { redirect: 'manual' });
    expect(odd.headers.get('location')).toBe('/w/hr/#/sign-in-failed');
  });
});

describe('a project', () => {
  it('keeps its conversations and their links to itself', async () => {
    const chat = (await call('POST', '/w/hr/v1/chats', 'both', {})).body.id;
    const { shareId } = (await call('POST', `/w/hr/v1/chats/${chat}/share`, 'both')).body;
    for (const path of [`/v1/chats/${chat}`, `/v1/shared/${shareId}`]) {
      expect((await call('GET', `/w/hr${path}`, 'both')).status, path).toBe(200);
      expect((await call('GET', path, 'both')).status, path).toBe(404);
    }
    expect((await call('GET', '/v1/chats', 'both')).body.chats).toEqual([]);
    expect((await call('DELETE', `/v1/chats/${chat}`, 'both')).status).toBe(404);
  });

  it('keeps its records and feedback to itself', async () => {
    const { recordId } = (await call('POST', '/w/hr/v1/ask', 'ann', { question: 'employees per team' })).body;
    const thumb = { recordId, verdict: 'up' };
    expect((await call('POST', '/v1/feedback', 'ann', thumb)).status).toBe(404);
    expect((await call('POST', '/w/hr/v1/feedback', 'ann', thumb)).status).toBe(200);
    expect((await call('GET', '/w/hr/v1/feedback', 'ann')).body.feedback).toHaveLength(1);
    expect((await call('GET', '/v1/feedback', 'ann')).body.feedback).toEqual([]);
  });

  it('is named in the audit log, which all have in common', async () => {
    await call('POST', '/w/hr/v1/ask', 'ann', { question: 'how many employees are there?' });
    const state = await openServerState(home.config);
    try {
      const entries = await new AuditLog(state).list('2000-01-01', '9999-01-01', 1_000);
      const asked = entries.filter(({ what }) => what === 'question');
      expect(asked.at(-1)?.detail).toMatchObject({ workspace: 'hr' });
    } finally {
      await state.close();
    }
  });

  it('has its page, its documents and its tools below its path', async () => {
    const get = (path: string) => fetch(`${server.url}${path}`, { redirect: 'manual' });
    const bare = await get('/w/hr');
    expect([bare.status, bare.headers.get('location')]).toEqual([308, '/w/hr/']);
    expect((await get('/w/hr/docs')).headers.get('location')).toBe('./#/api');
    expect((await get('/w/hr/v1/me')).status).toBe(401);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/w/hr/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${keys.ann}` } },
      }),
    );
    const found = await client.callTool({ name: 'search_catalog', arguments: { words: 'employees' } });
    expect(JSON.stringify(found)).toContain('employees');
    await client.close();
  });

  it.each(['/w/it/', '/w/hrx/v1/me', '/w/', '/w/hr/../it/v1/me', '/w/%68r/v1/nothing'])(
    'that is none is answered as any wrong path: %s',
    async (path) => {
      expect((await call('GET', path, 'ann')).status).toBe(404);
    },
  );

  it('is protected as the whole server is', async () => {
    const foreign = { origin: 'https://evil.example', authorization: `Bearer ${keys.ann}` };
    expect((await fetch(`${server.url}/w/hr/v1/me`, { headers: foreign })).status).toBe(403);
  });
});
