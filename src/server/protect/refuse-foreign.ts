import type { MiddlewareHandler } from 'hono';
import { CandorError } from '../../errors.ts';
import { namesLoopback } from '../../lib/index.ts';
import type { ServerEnv } from '../parts/server-parts.ts';
import { isEmbedded } from './allow-embedding.ts';

/**
 * Only requests that name this machine, or a public name that it was given, are served. Pages of another origin are refused even so, since a browser sends
 * some requests for them without asking first; but those that may hold the chat.
 */
export const refuseForeign: MiddlewareHandler<ServerEnv> = async (context, next) => {
  const host = context.req.header('host') ?? '';
  if (!namesLoopback(host) && !context.get('parts').publicOrigins.has(host.toLowerCase()))
    throw new CandorError('server.wrong-host', 'The request was sent to another host than this server.');
  const origin = context.req.header('origin');
  if (origin !== undefined && !isOwn(origin, host) && !isEmbedded(context))
    throw new CandorError('server.wrong-origin', 'The request comes from a page of another origin.');
  await next();
};

function isOwn(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
