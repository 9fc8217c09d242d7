import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { CandorError } from '../../errors.ts';
import { namesLoopback } from '../../lib/index.ts';
import type { ServerEnv } from '../parts/server-parts.ts';

/**
 * Only requests that name this machine, or a public name that it was given, are served. Pages of another origin are refused even so, since a browser sends
 * some requests for them without asking first; but those that may hold the chat.
 */
export const checkOrigin: MiddlewareHandler<ServerEnv> = async (context, next) => {
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

/** Whether a page that may hold the chat, and is not our own, has sent the request. Cookies of such a request count for nothing. */
export function isEmbedded(context: Context<ServerEnv>): boolean {
  const origin = context.req.header('origin');
  return origin !== undefined && context.get('parts').embedOrigins.has(origin);
}

const answer = cors({
  origin: (origin) => origin,
  allowMethods: ['GET', 'POST', 'DELETE'],
  allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID'],
  exposeHeaders: ['X-Request-Id'],
  // Without credentials: a page shows who it is of by a key alone, which no other page can make a browser send.
  credentials: false,
  maxAge: 600,
});

/** Lets browsers give our replies to pages that may hold the chat. */
export const allowEmbedding: MiddlewareHandler<ServerEnv> = (context, next) => {
  if (isEmbedded(context)) return answer(context, next);
  // Else a browser could keep a reply without the header for a page that needs it.
  if (context.get('parts').embedOrigins.size > 0) context.header('Vary', 'Origin');
  return next();
};

/** An id for every request, and what keeps browsers from doing more with a reply than we mean. */
export const setHeaders: MiddlewareHandler<ServerEnv> = async (context, next) => {
  const requestId = context.get('parts').newId();
  context.set('requestId', requestId);
  await next();
  context.header('X-Request-Id', requestId);
  context.header('X-Content-Type-Options', 'nosniff');
  context.header('X-Frame-Options', 'DENY');
  context.header('Referrer-Policy', 'no-referrer');
  if (context.res.headers.get('cache-control') === null) context.header('Cache-Control', 'no-store');
};

/** A form can be sent by a page of any origin without asking; JSON cannot. */
export const requireJson: MiddlewareHandler = async ({ req }, next) => {
  const length = req.header('content-length') ?? '0';
  const hasBody = length !== '0' || req.header('transfer-encoding') !== undefined;
  if (hasBody && !/^application\/json\b/i.test(req.header('content-type') ?? ''))
    throw new CandorError('server.wrong-type', 'The request is not of the type application/json.');
  await next();
};
