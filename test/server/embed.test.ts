/** Pages of other origins that may hold the chat, and those that may not. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeKey,
  openServerState,
  PeopleStore,
  type RunningServer,
  startServer,
} from '../../src/server/index.ts';
import { changedSession } from '../changed-session.ts';
import { openSmallSession, type SmallSession } from '../fixtures/grounded/open-small-session.ts';

const NAMED = 'https://intranet.example';
const KEY = makeKey((bytes) => Buffer.alloc(bytes, 7));
let small: SmallSession;
let server: RunningServer;

beforeAll(async () => {
  small = await openSmallSession();
  const { config } = small.session;
  const own = { ...config, server: { groups: {}, workspaces: {}, embedOrigins: [NAMED] } };
  const state = await openServerState(own);
  const store = new PeopleStore(state);
  const createdAt = '2026-01-01T00:00:00.000Z';
  await store.addUser({ id: 'ann', name: 'ann', isAdmin: true, groups: [], createdAt });
  await store.addKey('ann', KEY, { createdAt });
  await state.close();
  server = await startServer(changedSession(small.session, { config: own }), {
    ...{ host: '127.0.0.1', port: 0, needsSignIn: true, newId: randomUUID },
    newSecret: () => randomBytes(32).toString('base64url'),
    onBug: (_, error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await server.close();
  await small.close();
});

const send = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers });
const bearer = { authorization: `Bearer ${KEY}` };
const allowed = (reply: Response) => reply.headers.get('access-control-allow-origin');

describe('a page of another origin', () => {
  it('that is named reads replies and errors with a key, and never with credentials', async () => {
    const me = await send('/v1/me', { origin: NAMED, ...bearer });
    expect([me.status, allowed(me), me.headers.get('vary')]).toEqual([200, NAMED, 'Origin']);
    expect(me.headers.get('access-control-allow-credentials')).toBeNull();
    const nobody = await send('/v1/me', { origin: NAMED });
    expect([nobody.status, allowed(nobody)]).toEqual([401, NAMED]);
    const missing = await send('/v1/chats/none', { origin: NAMED, ...bearer });
    expect([missing.status, allowed(missing)]).toEqual([404, NAMED]);
  });

  it('that is named is told what it may send', async () => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const reply = await send('/v1/chats', { origin: NAMED, ...asked }, { method: 'OPTIONS' });
    expect([reply.status, allowed(reply)]).toEqual([204, NAMED]);
    expect(reply.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(reply.headers.get('access-control-allow-methods')).not.toContain('PUT');
  });

  it('does nothing with the cookie of a browser that is signed in here', async () => {
    const body = JSON.stringify({ key: KEY });
    const own = { origin: server.url, 'content-type': 'application/json' };
    const signedIn = await send('/v1/sign-in', own, { method: 'POST', body });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await send('/v1/me', { cookie, origin: server.url })).status).toBe(200);
    expect((await send('/v1/me', { cookie, origin: NAMED })).status).toBe(401);
    expect((await send('/v1/chats', { cookie, origin: NAMED }, { method: 'POST' })).status).toBe(401);
  });

  it.each([
    'https://evil.example',
    'https://intranet.example.evil.example',
    'http://intranet.example',
    'https://intranet.example:8443',
    'null',
  ])('%s is refused, key or not', async (origin) => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const reply = await send('/v1/me', { origin, ...bearer }, { method });
      expect([reply.status, allowed(reply)]).toEqual([403, null]);
    }
  });
});
