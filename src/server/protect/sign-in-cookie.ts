/** The cookie of a signed-in browser: a random secret that this server alone can tell the meaning of. */
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ServerEnv } from '../parts/server-parts.ts';

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
