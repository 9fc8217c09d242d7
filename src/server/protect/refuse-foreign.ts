import type { MiddlewareHandler } from 'hono';
import { CandorError } from '../../errors.ts';
import type { ServerEnv } from '../server-parts.ts';

export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * Only requests that name this machine are served: a page that had its own name resolved to this machine would still call
 * us by that name (DNS rebinding). Pages of another origin are refused even so, since a browser sends some requests for
 * them without asking first.
 */
export const refuseForeign: MiddlewareHandler<ServerEnv> = async (context, next) => {
  const host = context.req.header('host') ?? '';
  if (!LOOPBACK.has(nameOf(host)))
    throw new CandorError('server.wrong-host', 'The request was sent to another host than this machine.');
  const origin = context.req.header('origin');
  if (origin !== undefined && !isOwn(origin, host))
    throw new CandorError('server.wrong-origin', 'The request comes from a page of another origin.');
  await next();
};

function nameOf(host: string): string {
  return host
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

function isOwn(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
