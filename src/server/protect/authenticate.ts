import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { calledBy } from '../../database/embedded/index.ts';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import type { ServerEnv } from '../parts/server-parts.ts';
import type { People } from '../people/people.ts';
import type { User } from '../people/people-store.ts';
import { LOCAL_PERSON } from '../people/person.ts';
import { isEmbedded } from './check-origin.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Nothing of the data is in them: whoever is not signed in may have them. */
function isOpen({ req: { path, method } }: Context<ServerEnv>): boolean {
  if (path === '/health' || (path === '/v1/sign-in' && method === 'POST')) return true;
  if (method !== 'GET') return false;
  if (path === '/v1/sign-in' || path === '/v1/oidc/start' || path === '/v1/oidc/callback') return true;
  return /^\/(?:assets\/.*|docs)?$/.test(path) || /^\/candor[\w-]*\.\w+$/.test(path);
}

/** Says who the request is of, and gives it that person's view of the database: routes know no other. */
export const authenticate: MiddlewareHandler<ServerEnv> = async (context, next) => {
  const { projectSessions, people } = context.get('parts');
  const session = projectSessions.current;
  const release = projectSessions.hold(session);
  try {
    await setPerson(context, session, people);
    await (people === undefined ? next() : calledBy(context.get('person').id, next));
  } finally {
    release();
  }
};

async function setPerson(
  context: Context<ServerEnv>,
  session: Session,
  people: People | undefined,
): Promise<void> {
  if (people === undefined || isOpen(context)) {
    context.set('person', LOCAL_PERSON);
    context.set('session', session);
    context.set('approved', session);
    return;
  }
  const user = await userOf(context, people);
  if (user === undefined) throw new CandorError('server.sign-in-needed', 'Nobody is signed in.');
  const person = people.personOf(user);
  context.set('person', person);
  const view = await people.sessions.of(person, session);
  context.set('session', view.session);
  context.set('approved', view.approved);
}

/** By key or by the cookie of a browser, which sends it along unasked: then the page must be our own. */
async function userOf(context: Context<ServerEnv>, people: People): Promise<User | undefined> {
  const now = people.now;
  const bearer = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
  if (bearer !== undefined) return userOfKey(bearer, context, people);
  const secret = readSignIn(context);
  if (secret === undefined || isEmbedded(context)) return undefined;
  if (!READING.has(context.req.method) && context.req.header('origin') === undefined)
    throw new CandorError(
      'server.wrong-origin',
      'A request with a cookie must say which page it comes from.',
    );
  return people.store.userOfSignIn(secret, now.toISOString());
}

/** A right key always works: behind a proxy all have one address. Throws `server.too-many-tries` for one wrong key too many. */
export async function userOfKey(
  key: string,
  context: Context<ServerEnv>,
  people: People,
): Promise<User | undefined> {
  const { wrongKeys, now, store } = people;
  const user = await store.userOfKey(key, now.toISOString());
  if (user !== undefined) return user;
  const address = addressOf(context);
  wrongKeys.add(address, now.getTime());
  if (!wrongKeys.isUsedUp(address, now.getTime())) return undefined;
  throw new CandorError('server.too-many-tries', 'Too many wrong keys came from this address.');
}

/** Without a socket, as in tests of the app alone, all are one. */
function addressOf(context: Context<ServerEnv>): string {
  try {
    return getConnInfo(context).remote.address ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** The cookie of a signed-in browser: a random secret that this server alone can tell the meaning of. */
const SIGN_IN = 'candor_sign_in';
const FLOW = 'candor_oidc';
const SIGN_IN_DAYS = 14;
export const SIGN_IN_MS = SIGN_IN_DAYS * 86_400_000;
export const FLOW_MS = 10 * 60_000;

export function readSignIn(context: Context<ServerEnv>): string | undefined {
  return getCookie(context, SIGN_IN);
}

/** `Strict`: a page of another site sends it with no request, not even with a link. */
export function writeSignIn(context: Context<ServerEnv>, secret: string): void {
  setCookie(context, SIGN_IN, secret, {
    ...ofServer(context),
    sameSite: 'Strict',
    maxAge: SIGN_IN_MS / 1_000,
  });
}

export function forgetSignIn(context: Context<ServerEnv>): void {
  deleteCookie(context, SIGN_IN, { path: '/' });
}

/** Binds a sign-in at an issuer to the browser that began it; `Lax`, since the issuer sends the browser back. */
export function writeFlow(context: Context<ServerEnv>, state: string): void {
  setCookie(context, FLOW, state, { ...ofServer(context), sameSite: 'Lax', maxAge: FLOW_MS / 1_000 });
}

export function takeFlow(context: Context<ServerEnv>): string | undefined {
  const state = getCookie(context, FLOW);
  deleteCookie(context, FLOW, { path: '/' });
  return state;
}

function ofServer(context: Context<ServerEnv>) {
  return { httpOnly: true, path: '/', secure: context.get('parts').isSecure } as const;
}
