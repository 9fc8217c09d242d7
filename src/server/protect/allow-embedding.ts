import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { ServerEnv } from '../parts/server-parts.ts';

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
