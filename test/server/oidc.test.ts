/** Sign-in through a real issuer over HTTP, as a browser does it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import {
  AuditLog,
  openServerState,
  PeopleStore,
  type RunningServer,
  startServer,
} from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { changedSession } from '../changed-session.ts';
import { makeShop } from '../e2e/cli/make-shop.ts';
import { CLIENT, type Issuer, startIssuer } from './start-issuer.ts';

let issuer: Issuer;
let folder: string;
let session: Session;
let server: RunningServer;

beforeAll(async () => {
  issuer = await startIssuer();
  folder = mkdtempSync(join(tmpdir(), 'candor-oidc-'));
  makeShop(join(folder, 'shop.db'));
  const oidc = { issuer: issuer.url, ...CLIENT, groupsClaim: 'groups', allowedDomains: ['shop.example'] };
  const groups = { sales: { tables: ['orders'] }, finance: {} };
  const config = { database: 'sqlite:shop.db', search: { embedding: 'none' }, server: { groups, oidc } };
  writeFileSync(join(folder, 'candor.yml'), JSON.stringify(config));
  session = await openSession(await readConfig({ cwd: folder }));
  server = await startServer(session, {
    ...{ host: '127.0.0.1', port: 0, needsSignIn: true, newId: randomUUID },
    newSecret: () => randomBytes(32).toString('base64url'),
    onBug: (id, error) => {
      throw new Error(`${id}: ${error.stack}`);
    },
  });
}, 60_000);
afterAll(async () => {
  await server.close();
  await session.close();
  await issuer.close();
  rmSync(folder, { recursive: true, force: true });
});

const EVE = { sub: 'e1', email: 'Eve@shop.example', email_verified: true, name: 'Eve', groups: ['sales'] };
beforeEach(() => {
  issuer.claims = EVE;
  issuer.forged = {};
});

const get = (url: string, cookie = ''): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { cookie } });
const cookiesOf = (reply: Response): string =>
  reply.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
/** To the issuer, and on the way back. */
async function begin(): Promise<{ readonly back: string; readonly cookie: string }> {
  const start = await get(`${server.url}/v1/oidc/start`);
  expect(start.status).toBe(302);
  const atIssuer = await get(start.headers.get('location') ?? '');
  return { back: atIssuer.headers.get('location') ?? '', cookie: cookiesOf(start) };
}
async function signIn(): Promise<Response> {
  const { back, cookie } = await begin();
  return get(back, cookie);
}
async function meOf(reply: Response) {
  return JSON.parse(await (await get(`${server.url}/v1/me`, cookiesOf(reply))).text());
}
const placeOf = (reply: Response): string => `${reply.status} ${reply.headers.get('location')}`;
const FAILED = '302 /#/sign-in-failed';
async function withState<Result>(
  work: (store: PeopleStore, log: AuditLog) => Promise<Result>,
): Promise<Result> {
  const state = await openServerState(session.config);
  const result = await work(new PeopleStore(state), new AuditLog(state));
  await state.close();
  return result;
}

describe('sign-in with OpenID Connect', () => {
  it('is told to whoever asks how one signs in', async () => {
    expect(await (await get(`${server.url}/v1/sign-in`)).json()).toEqual({ oidc: true });
  });

  it('makes a user of whom the issuer names, in the groups it says now', async () => {
    const reply = await signIn();
    expect(placeOf(reply)).toBe('302 /');
    const set = reply.headers.getSetCookie().find((each) => each.startsWith('candor_sign_in='));
    expect(set).toMatch(/^candor_sign_in=[\w-]{43};.*HttpOnly.*SameSite=Strict/);
    expect(await meOf(reply)).toMatchObject({ name: 'eve@shop.example', isAdmin: false, groups: ['sales'] });
    issuer.claims = { ...EVE, groups: ['finance'] };
    expect(await meOf(await signIn())).toMatchObject({ name: 'eve@shop.example', groups: ['finance'] });
    issuer.claims = { ...EVE, groups: { admin: true } };
    expect(await meOf(await signIn())).toMatchObject({ groups: [], isAdmin: false });
  });

  it('finds a user that was added before, with the rights it has, and binds it to one subject', async () => {
    const boss = { id: 'b', name: 'boss@shop.example', isAdmin: true, groups: [], createdAt: '2026-01-01' };
    await withState((store) => store.addUser(boss));
    issuer.claims = { ...EVE, sub: 'b1', email: 'boss@shop.example' };
    expect(await meOf(await signIn())).toMatchObject({ name: 'boss@shop.example', isAdmin: true });
    issuer.claims = { ...EVE, sub: 'other', email: 'boss@shop.example' };
    expect(placeOf(await signIn())).toBe(FAILED);
  });

  it.each([
    ['of another domain', { email: 'eve@evil.example', sub: 'x1' }],
    ['of a domain that ends like ours', { email: 'eve@notshop.example', sub: 'x2' }],
    ['of a domain below ours', { email: 'eve@a.shop.example', sub: 'x3' }],
    ['with an address that nobody verified', { email_verified: false, sub: 'x4' }],
    ['without an address', { email: undefined, sub: 'x5' }],
  ])('lets nobody in %s, and tells admins why', async (_, claims) => {
    issuer.claims = { ...EVE, ...claims };
    const reply = await signIn();
    expect(placeOf(reply)).toBe(FAILED);
    expect(cookiesOf(reply)).not.toMatch(/candor_sign_in=[\w-]/);
    const entries = await withState((_store, log) => log.list('2000', '9999', 1_000));
    expect(entries.at(-1)).toMatchObject({ who: 'nobody', what: 'sign-in failed' });
    expect(String(entries.at(-1)?.detail.because)).toMatch(/not let in|verified/);
  });

  it.each([
    ['the nonce of another sign-in', { nonce: 'other' }],
    ['a token for another client', { audience: 'other' }],
    ['a token of another key', { isForeignKey: true }],
  ])('refuses %s', async (_, forged) => {
    issuer.forged = forged;
    expect(placeOf(await signIn())).toBe(FAILED);
  });

  it('takes an answer of the issuer once, and of the browser that began', async () => {
    const { back, cookie } = await begin();
    expect(placeOf(await get(back))).toBe(FAILED);
    const other = await begin();
    expect(placeOf(await get(back, other.cookie))).toBe(FAILED);
    expect(placeOf(await get(back, cookie))).toBe('302 /');
    expect(placeOf(await get(back, cookie))).toBe(FAILED);
  });

  it('lets in no user who was disabled, and ends what they had', async () => {
    issuer.claims = { ...EVE, sub: 'gone', email: 'gone@shop.example' };
    const reply = await signIn();
    expect(await meOf(reply)).toMatchObject({ name: 'gone@shop.example' });
    await withState((store) => store.changeUser('gone@shop.example', { isDisabled: true }));
    expect((await meOf(reply)).error.code).toBe('server.sign-in-needed');
    expect(placeOf(await signIn())).toBe(FAILED);
  });

  it('says so where the issuer is away, and tries it anew the next time', async () => {
    const late = await startIssuer();
    await late.close();
    const { oidc } = session.config.server;
    if (oidc === undefined) throw new Error('the project names an issuer');
    const config = {
      ...session.config,
      server: { ...session.config.server, oidc: { ...oidc, issuer: late.url } },
    };
    const own = await startServer(changedSession(session, { config }), {
      host: '127.0.0.1',
      port: 0,
      needsSignIn: true,
      newId: randomUUID,
      onBug: () => undefined,
    });
    expect(placeOf(await get(`${own.url}/v1/oidc/start`))).toBe(FAILED);
    const back = await startIssuer(Number(new URL(late.url).port));
    expect((await get(`${own.url}/v1/oidc/start`)).headers.get('location')).toContain(back.url);
    await own.close();
    await back.close();
  });
});

it('a server without an issuer has no such sign-in', async () => {
  const { server: settings, ...rest } = session.config;
  const { oidc: _, ...withoutIssuer } = settings;
  const config = { ...rest, server: withoutIssuer };
  const own = await startServer(changedSession(session, { config }), {
    host: '127.0.0.1',
    port: 0,
    newId: randomUUID,
    onBug: () => undefined,
  });
  expect(await (await get(`${own.url}/v1/sign-in`)).json()).toEqual({ oidc: false });
  expect((await get(`${own.url}/v1/oidc/start`)).status).toBe(404);
  await own.close();
});
